import TripDomain

/// Compares the cube, its split by basis and the reconciliation with the sums of the trip rows.
struct CubeCheck {
    private let connection: RawConnection
    private let recount: TripRecount

    init(_ connection: RawConnection, _ recount: TripRecount) {
        self.connection = connection
        self.recount = recount
    }

    /// Month, trip type and region by the codes of their words; code 0 is `all`.
    private struct CellKey: Hashable {
        var month: UInt32 = 0
        var tripType: UInt32 = 0
        var region: UInt32 = 0

        func text(_ words: TextInterner) -> String {
            [month, tripType, region].map { $0 == 0 ? KPICell.all : words.pool.string($0) ?? "" }
                .joined(separator: " ")
        }
    }

    /// The cell of all trips, which exists even where no trip counts.
    private static let whole = CellKey()

    private struct BasisKey: Hashable {
        let cell: CellKey
        let tripClass: UInt32
        let basis: UInt32

        func text(_ words: TextInterner) -> String {
            ([cell.text(words)] + [tripClass, basis].map { words.pool.string($0) ?? "" })
                .joined(separator: " ")
        }
    }

    func run() throws(MartError) -> [Finding] {
        let texts = try texts()
        let rules = try rules()
        var words = TextInterner()
        var cube: [CellKey: [Int64]] = [:]
        var basis: [BasisKey: [Int64]] = [:]
        for (key, sums) in recount.groups {
            let classAndBasis = rules[key.ruleNumber, default: ("undetermined", "")]
            let values = KPISums(
                sums,
                of: TripClass(word: classAndBasis.0) ?? .undetermined
            ).values
            let costs = [sums.costs.trips, sums.costs.costedTrips, sums.costs.costCents]
            let tripClass = words.code(of: classAndBasis.0)
            let basisWord = words.code(of: classAndBasis.1)
            for cell in Self.groupings(
                words.code(of: Month(monthNumber: key.month).text),
                words.code(of: texts[key.typeCode, default: ""]),
                words.code(of: texts[key.regionCode, default: ""])
            ) {
                Self.add(&cube[cell, default: []], values)
                Self.add(
                    &basis[
                        BasisKey(cell: cell, tripClass: tripClass, basis: basisWord),
                        default: []
                    ],
                    costs
                )
            }
        }
        return try compareCube(cube, &words) + compareBasis(basis, &words)
            + compareReconciliation(texts)
    }

    /// The eight cells that one group of trips adds to.
    private static func groupings(
        _ month: UInt32,
        _ type: UInt32,
        _ region: UInt32
    ) -> [CellKey] {
        (0..<8).map { grouping in
            CellKey(
                month: grouping & 4 == 0 ? month : 0,
                tripType: grouping & 2 == 0 ? type : 0,
                region: grouping & 1 == 0 ? region : 0
            )
        }
    }

    /// The cell key of one row of the file.
    private static func cell(of row: RawStatement, _ words: inout TextInterner) -> CellKey {
        func code(_ word: String) -> UInt32 { word == KPICell.all ? 0 : words.code(of: word) }
        return CellKey(
            month: code(row.text(0)),
            tripType: code(row.text(1)),
            region: code(row.text(2))
        )
    }

    private static func add(_ sums: inout [Int64], _ values: [Int64]) {
        if sums.isEmpty {
            sums = values
        } else {
            for index in values.indices { sums[index] += values[index] }
        }
    }

    private func compareCube(
        _ expected: [CellKey: [Int64]],
        _ words: inout TextInterner
    ) throws(MartError) -> [Finding] {
        var expected = expected
        var findings: [Finding] = []
        let rows = try connection.prepare(
            "SELECT month, trip_type, region, \(CubeTables.sumColumns.joined(separator: ", ")) "
                + "FROM kpi_cube"
        )
        while try rows.step() {
            let cell = Self.cell(of: rows, &words)
            let values = CubeTables.sumColumns.indices.map { rows.integer(Int32($0 + 3)) }
            let found = expected.removeValue(forKey: cell)
            if found == nil, cell != Self.whole {
                findings.append(
                    Finding(
                        subject: "kpi_cube \(cell.text(words))",
                        expected: "counted trips",
                        found: "none"
                    )
                )
            }
            let counted = found ?? values.map { _ in 0 }
            for (index, name) in CubeTables.sumColumns.enumerated()
            where values[index] != counted[index] {
                findings.append(
                    Finding(
                        subject: "\(name) of kpi_cube \(cell.text(words))",
                        expected: "\(values[index])",
                        found: "\(counted[index])"
                    )
                )
            }
        }
        for cell in expected.keys.map({ $0.text(words) }).sorted() {
            findings.append(
                Finding(subject: "kpi_cube \(cell)", expected: "no row", found: "counted trips")
            )
        }
        return findings
    }

    private func compareBasis(
        _ expected: [BasisKey: [Int64]],
        _ words: inout TextInterner
    ) throws(MartError) -> [Finding] {
        var expected = expected
        var findings: [Finding] = []
        let rows = try connection.prepare(
            """
            SELECT month, trip_type, region, class, basis, trips, costed_trips, cost_cents
            FROM kpi_basis
            """
        )
        while try rows.step() {
            let key = BasisKey(
                cell: Self.cell(of: rows, &words),
                tripClass: words.code(of: rows.text(3)),
                basis: words.code(of: rows.text(4))
            )
            let values = (5..<8).map { rows.integer(Int32($0)) }
            let counted = expected.removeValue(forKey: key) ?? [0, 0, 0]
            if values != counted {
                findings.append(
                    Finding(
                        subject: "kpi_basis \(key.text(words))",
                        expected: "\(values)",
                        found: "\(counted)"
                    )
                )
            }
        }
        if !expected.isEmpty {
            findings.append(
                Finding(
                    subject: "kpi_basis",
                    expected: "a row for every group of trips",
                    found: "\(expected.count) missing"
                )
            )
        }
        return findings
    }

    private func compareReconciliation(_ texts: [Int64: String]) throws(MartError) -> [Finding] {
        var totals: [ReconciliationKey: Int64] = [:]
        for (key, trips) in recount.statuses {
            let status = texts[key.code, default: ""]
            totals[ReconciliationKey(status: status, isCounted: key.isCounted), default: 0] += trips
        }
        var rows: [ReconciliationRow] = []
        let statement = try connection.prepare(
            "SELECT status, counted, trips FROM bridge ORDER BY status, counted"
        )
        while try statement.step() {
            rows.append(
                ReconciliationRow(
                    status: statement.text(0),
                    isCounted: statement.integer(1) != 0,
                    trips: statement.integer(2)
                )
            )
        }
        let counted = Reconciliation.sorted(totals)
        if rows == counted { return [] }
        return [
            Finding(
                subject: "bridge",
                expected: "\(rows.map(\.trips))",
                found: "\(counted.map(\.trips))"
            )
        ]
    }

    private func rules() throws(MartError) -> [Int64: (String, String)] {
        var rules: [Int64: (String, String)] = [:]
        let rows = try connection.prepare("SELECT number, class, basis FROM rule")
        while try rows.step() {
            rules[rows.integer(0)] = (rows.text(1), rows.text(2))
        }
        return rules
    }

    /// The texts of the codes in the groups and statuses of the recount.
    private func texts() throws(MartError) -> [Int64: String] {
        var codes = Set(recount.statuses.keys.map(\.code))
        for key in recount.groups.keys {
            codes.insert(key.typeCode)
            codes.insert(key.regionCode)
        }
        var texts: [Int64: String] = [:]
        for code in codes {
            let row = try connection.prepare("SELECT value FROM text_value WHERE code = ?")
            row.bind(.integer(code), 1)
            if try row.step() { texts[code] = row.text(0) }
        }
        return texts
    }
}
