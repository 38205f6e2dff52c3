import TripDomain

/// Compares the cube, its split by basis and the bridge with what the trip rows add up to.
struct CubeCheck {
    private let connection: RawConnection
    private let recount: TripRecount

    init(_ connection: RawConnection, _ recount: TripRecount) {
        self.connection = connection
        self.recount = recount
    }

    /// Month, trip type and region as bytes: texts that Unicode calls equal are two texts in SQL.
    private struct CellKey: Hashable {
        let words: [[UInt8]]

        init(_ words: [String]) {
            self.words = words.map { Array($0.utf8) }
        }

        var text: String {
            words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        }
    }

    /// The one cell that is there even where no trip counts.
    private static let whole = CellKey([KPICell.all, KPICell.all, KPICell.all])

    private struct BasisKey: Hashable {
        let cell: CellKey
        let tripClass: String
        let basis: String
    }

    func run() throws(MartError) -> [Finding] {
        let texts = try texts()
        let rules = try rules()
        var cube: [CellKey: [Int64]] = [:]
        var basis: [BasisKey: [Int64]] = [:]
        for (key, sums) in recount.groups {
            let values = CubeTables.values(sums)
            let known =
                sums.inHouseCostedTrips + sums.contractedCostedTrips
                + sums.undeterminedCostedTrips
            let (tripClass, basisWord) = rules[key.ruleNumber, default: ("undetermined", "")]
            for cell in Self.groupings(
                Month(monthNumber: key.month).text,
                texts[key.typeCode, default: ""],
                texts[key.regionCode, default: ""]
            ) {
                Self.add(&cube[cell, default: []], values)
                Self.add(
                    &basis[
                        BasisKey(cell: cell, tripClass: tripClass, basis: basisWord),
                        default: []
                    ],
                    [sums.trips, known, sums.costCents]
                )
            }
        }
        return try compareCube(cube) + compareBasis(basis) + compareBridge(texts)
    }

    /// The eight groupings of one group.
    private static func groupings(
        _ month: String,
        _ type: String,
        _ region: String
    ) -> [CellKey] {
        [month, KPICell.all].flatMap { month in
            [type, KPICell.all].flatMap { type in
                [region, KPICell.all].map { CellKey([month, type, $0]) }
            }
        }
    }

    private static func add(_ sums: inout [Int64], _ values: [Int64]) {
        if sums.isEmpty {
            sums = values
        } else {
            for index in values.indices { sums[index] += values[index] }
        }
    }

    private func compareCube(_ expected: [CellKey: [Int64]]) throws(MartError) -> [Finding] {
        var expected = expected
        var findings: [Finding] = []
        let rows = try connection.prepare(
            "SELECT month, trip_type, region, \(CubeTables.sumColumns.joined(separator: ", ")) "
                + "FROM kpi_cube"
        )
        while try rows.step() {
            let cell = CellKey((0..<3).map { rows.text(Int32($0)) })
            let values = CubeTables.sumColumns.indices.map { rows.integer(Int32($0 + 3)) }
            let found = expected.removeValue(forKey: cell)
            if found == nil, cell != Self.whole {
                findings.append(
                    Finding(
                        subject: "kpi_cube \(cell.text)",
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
                        subject: "\(name) of kpi_cube \(cell.text)",
                        expected: "\(values[index])",
                        found: "\(counted[index])"
                    )
                )
            }
        }
        for cell in expected.keys.map(\.text).sorted() {
            findings.append(
                Finding(subject: "kpi_cube \(cell)", expected: "no row", found: "counted trips")
            )
        }
        return findings
    }

    private func compareBasis(_ expected: [BasisKey: [Int64]]) throws(MartError) -> [Finding] {
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
                cell: CellKey((0..<3).map { rows.text(Int32($0)) }),
                tripClass: rows.text(3),
                basis: rows.text(4)
            )
            let values = (5..<8).map { rows.integer(Int32($0)) }
            let counted = expected.removeValue(forKey: key) ?? [0, 0, 0]
            if values != counted {
                let words = [key.cell.text, key.tripClass, key.basis]
                findings.append(
                    Finding(
                        subject: "kpi_basis \(words.joined(separator: " "))",
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

    private func compareBridge(_ texts: [Int64: String]) throws(MartError) -> [Finding] {
        var totals: [BridgeKey: Int64] = [:]
        for (key, trips) in recount.statuses {
            let status = texts[key.code, default: ""]
            totals[BridgeKey(status: status, isCounted: key.isCounted), default: 0] += trips
        }
        var rows: [BridgeRow] = []
        let statement = try connection.prepare(
            "SELECT status, counted, trips FROM bridge ORDER BY status, counted"
        )
        while try statement.step() {
            rows.append(
                BridgeRow(
                    status: statement.text(0),
                    isCounted: statement.integer(1) != 0,
                    trips: statement.integer(2)
                )
            )
        }
        let counted = Bridge.sorted(totals)
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

    /// The texts of the codes that the groups and statuses use.
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
