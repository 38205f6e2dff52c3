import TripDomain

/// Recounts a file whose trips lie elsewhere from its own numbers.
///
/// No trip can be read to add up the cube again. But every number stands in several tables that
/// were added up separately: the cube is rolled up again from its finest cells, and these, the
/// split by class and basis, the declared sums, the reconciliation, the trips of each month and the
/// ledger have to agree. Rejects are in the file and are counted.
struct TotalsCheck {
    private let connection: RawConnection

    init(_ connection: RawConnection) { self.connection = connection }

    func run() throws(MartError) -> [Finding] {
        try noTrips() + ledger() + trips() + cube() + basis() + measures() + dimensions()
    }

    // MARK: The account

    /// The tables of trips are empty.
    private func noTrips() throws(MartError) -> [Finding] {
        var findings: [Finding] = []
        for table in ["trip_row", "trip_version", "patient", "month_range"] {
            findings += try equal(
                "rows of \(table)",
                expected: "0",
                found: "(SELECT count(*) FROM \(table))"
            )
        }
        return findings
    }

    /// Of each file, the rejects are those of the table, and all terms add up to what was read.
    private func ledger() throws(MartError) -> [Finding] {
        let rows = try connection.prepare(
            """
            SELECT f.number, f.path, l.term, l.items, l.cents, l.unpriced, f.status = 'withdrawn',
                coalesce(r.items, 0), coalesce(r.cents, 0), coalesce(r.unpriced, 0)
            FROM source_file AS f JOIN ledger AS l ON l.file_number = f.number LEFT JOIN (
                SELECT file_number, sum(item_count) AS items,
                    coalesce(sum(amount_cents), 0) AS cents,
                    sum(CASE WHEN unpriced THEN item_count ELSE 0 END) AS unpriced
                FROM reject GROUP BY file_number
            ) AS r ON r.file_number = f.number
            ORDER BY f.number
            """
        )
        var findings: [Finding] = []
        var files: [(number: Int64, path: String, ledger: Ledger)] = []
        while try rows.step() {
            let (number, path) = (rows.integer(0), rows.text(1))
            let term = LedgerTerm(rawValue: rows.text(2))
            let amount = try Self.amount(rows, 3)
            if files.last?.number != number { files.append((number, path, Ledger())) }
            if let term {
                files[files.count - 1].ledger[term] = amount
            } else {
                files[files.count - 1].ledger.read = amount
            }
            // A withdrawn file leaves no rejects: its whole content counts as withdrawn.
            let isEmpty = rows.integer(6) != 0 && term != .withdrawn && term != nil
            let counted = isEmpty ? LedgerAmount() : try Self.amount(rows, 7)
            guard isEmpty || term == .rejected, amount != counted else { continue }
            findings.append(Self.finding("\(term?.rawValue ?? "read") of \(path)", amount, counted))
        }
        findings += files.filter { $0.ledger.read != $0.ledger.explained }.map { file in
            Self.finding(
                "all that was read of \(file.path)",
                file.ledger.read,
                file.ledger.explained
            )
        }
        return findings
    }

    private static func amount(
        _ row: RawStatement,
        _ column: Int32
    ) throws(MartError) -> LedgerAmount {
        LedgerAmount(
            items: try ValueLimits.sum(row, column),
            cents: try ValueLimits.sum(row, column + 1),
            unpriced: try ValueLimits.sum(row, column + 2)
        )
    }

    private static func finding(
        _ subject: String,
        _ expected: LedgerAmount,
        _ found: LedgerAmount
    ) -> Finding {
        func text(_ amount: LedgerAmount) -> String {
            "\(amount.items) items, \(amount.cents) cents, \(amount.unpriced) unpriced"
        }
        return Finding(subject: subject, expected: text(expected), found: text(found))
    }

    /// The accepted items are the trips of all months and of the reconciliation, whose counted
    /// trips are those of the cube.
    private func trips() throws(MartError) -> [Finding] {
        let accepted = "(SELECT coalesce(sum(items), 0) FROM ledger WHERE term = 'accepted')"
        return try equal(
            "accepted items",
            expected: accepted,
            found: "(SELECT coalesce(sum(trips), 0) FROM trip_location_month)"
        )
            + equal(
                "accepted items",
                expected: accepted,
                found: "(SELECT coalesce(sum(trips), 0) FROM bridge)"
            )
            + equal(
                "counted trips",
                expected: """
                    (SELECT trips FROM kpi_cube
                    WHERE month = 'all' AND trip_type = 'all' AND region = 'all')
                    """,
                found: "(SELECT coalesce(sum(trips), 0) FROM bridge WHERE counted = 1)"
            )
            + same(
                "months",
                "SELECT month FROM month",
                "SELECT month FROM trip_location_month WHERE trips > 0"
            )
            // A month has at most the trips that lie there.
            + equal(
                "months with more counted trips than trips",
                expected: "0",
                found: """
                    (SELECT count(*) FROM kpi_cube AS c LEFT JOIN trip_location_month AS m
                        ON m.month = c.month
                    WHERE c.month <> 'all' AND c.trip_type = 'all' AND c.region = 'all'
                        AND c.trips > coalesce(m.trips, 0))
                    """
            )
    }

    // MARK: The cube

    /// The keys of the eight cells that each finest cell adds to.
    private static let grouped = """
        CASE WHEN g & 4 THEN 'all' ELSE month END, CASE WHEN g & 2 THEN 'all' ELSE trip_type END,
            CASE WHEN g & 1 THEN 'all' ELSE region END
        """
    private static let groupings =
        "(WITH RECURSIVE sets(g) AS (SELECT 0 UNION ALL SELECT g + 1 FROM sets WHERE g < 7) "
        + "SELECT g FROM sets)"
    private static let isFinest = "month <> 'all' AND trip_type <> 'all' AND region <> 'all'"
    private static let key = "month, trip_type, region"

    /// Every cell is the sum of the finest ones below it.
    private func cube() throws(MartError) -> [Finding] {
        let sums = CubeTables.sumColumns
        let added = sums.map { "sum(\($0))" }.joined(separator: ", ")
        let zeros = sums.map { _ in "0" }.joined(separator: ", ")
        // The cell of all trips exists even where no trip counts.
        return try same(
            "kpi_cube",
            "SELECT \(Self.key), \(sums.joined(separator: ", ")) FROM kpi_cube",
            """
            SELECT \(Self.grouped), \(added) FROM (
                SELECT \(Self.key), \(sums.joined(separator: ", ")), g
                FROM kpi_cube, \(Self.groupings) WHERE \(Self.isFinest)
                UNION ALL SELECT 'all', 'all', 'all', \(zeros), 7
            ) GROUP BY 1, 2, 3
            """
        )
    }

    /// The split by class and basis is rolled up likewise, and adds up to the cube.
    private func basis() throws(MartError) -> [Finding] {
        let costs = "trips, costed_trips, cost_cents"
        let added = "sum(trips), sum(costed_trips), sum(cost_cents)"
        let classes = TripClass.allCases.map(\.word)
        let ofClass = classes.flatMap { word in
            ["trips", "costed_trips", "cost_cents"].map { name in
                "sum(CASE WHEN class = '\(word)' THEN \(name) ELSE 0 END)"
            }
        }
        let ofCube = classes.flatMap { word in
            ["trips", "costed_trips", "cost_cents"].map { "\(word)_\($0)" }
        }
        return try same(
            "kpi_basis",
            "SELECT \(Self.key), class, basis, \(costs) FROM kpi_basis",
            """
            SELECT \(Self.grouped), class, basis, \(added)
            FROM kpi_basis, \(Self.groupings) WHERE \(Self.isFinest) GROUP BY 1, 2, 3, 4, 5
            """
        )
            + same(
                "kpi_cube and kpi_basis",
                """
                SELECT \(Self.key), trips, cost_cents, \(ofCube.joined(separator: ", "))
                FROM kpi_cube WHERE trips > 0
                """,
                """
                SELECT \(Self.key), sum(trips), sum(cost_cents), \(ofClass.joined(separator: ", "))
                FROM kpi_basis GROUP BY 1, 2, 3
                """
            )
    }

    // MARK: What the pipeline declares

    private static let ofBasis = """
        SELECT \(DeclaredTables.group), trips, costed_trips, cost_cents FROM kpi_basis
        WHERE \(isFinest)
        """

    /// Groups are those of the split by basis, with at most its trips; the values of a median add
    /// up to its sums.
    private func measures() throws(MartError) -> [Finding] {
        guard try has("measure") else { return [] }
        return try equal(
            "groups of kpi_measure with more trips than kpi_basis",
            expected: "0",
            found: """
                (SELECT count(*) FROM kpi_measure AS c JOIN measure AS m ON m.name = c.measure
                    LEFT JOIN kpi_basis AS b USING (\(DeclaredTables.group))
                WHERE c.known_trips > coalesce(b.trips, 0)
                    OR m.kind = 'count' AND c.known_trips <> b.trips)
                """
        )
            + same(
                "kpi_measure_value",
                """
                SELECT measure, \(DeclaredTables.group), known_trips, sum
                FROM kpi_measure JOIN measure AS m ON m.name = measure WHERE m.kind = 'median'
                """,
                """
                SELECT measure, \(DeclaredTables.group), sum(trips), sum(value * trips)
                FROM kpi_measure_value GROUP BY 1, 2, 3, 4, 5, 6
                """
            )
    }

    /// The values of each dimension add up to the split by basis.
    private func dimensions() throws(MartError) -> [Finding] {
        guard try has("dimension") else { return [] }
        return try same(
            "kpi_dimension",
            """
            SELECT d.name, b.* FROM dimension AS d, (\(Self.ofBasis)) AS b
            """,
            """
            SELECT dimension, \(DeclaredTables.group), sum(trips), sum(costed_trips),
                sum(cost_cents)
            FROM kpi_dimension GROUP BY 1, 2, 3, 4, 5, 6
            """
        )
    }

    // MARK: Comparing

    /// Compares two numbers.
    private func equal(
        _ subject: String,
        expected: String,
        found: String
    ) throws(MartError) -> [Finding] {
        let row = try connection.prepare("SELECT \(expected), \(found)")
        guard try row.step() else { throw MartError.damagedRow(connection.path) }
        let (expected, found) = (row.integer(0), row.integer(1))
        guard expected != found else { return [] }
        return [Finding(subject: subject, expected: "\(expected)", found: "\(found)")]
    }

    /// Compares two sets of rows.
    private func same(
        _ subject: String,
        _ stored: String,
        _ counted: String
    ) throws(MartError) -> [Finding] {
        let row = try connection.prepare(
            """
            SELECT (SELECT count(*) FROM (SELECT * FROM (\(stored)) EXCEPT SELECT * FROM (\(counted)))),
                (SELECT count(*) FROM (SELECT * FROM (\(counted)) EXCEPT SELECT * FROM (\(stored))))
            """
        )
        guard try row.step() else { throw MartError.damagedRow(connection.path) }
        let (extra, missing) = (row.integer(0), row.integer(1))
        guard extra != 0 || missing != 0 else { return [] }
        return [
            Finding(
                subject: subject,
                expected: "the sums of its finest groups",
                found: "\(extra) other rows, \(missing) missing"
            )
        ]
    }

    private func has(_ table: String) throws(MartError) -> Bool {
        let tables = try connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?")
        tables.bind(.text(table), 1)
        return try tables.step()
    }
}
