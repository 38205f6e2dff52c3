import TripDomain

/// Queries by a declared dimension.
extension SummaryReading {
    /// The groups of a query by a declared dimension: the keys of `by`, then its value.
    ///
    /// - Parameters:
    ///   - dimension: The dimension's name.
    ///   - query: The filters and the other dimensions.
    /// - Returns: The groups that have trips, in order of their values.
    /// - Throws: ``MartError``; with code `damaged` where numbers are too large to be added up.
    /// - Complexity: O(*n*) in the rows of the dimension.
    func rows(by dimension: String, _ query: KPIQuery) throws(MartError) -> [KPIRow] {
        let known = KPISumSet.ofBases
        let sums = KPISum.allCases.map {
            known.contains($0) ? "coalesce(sum(c.\($0.name)), 0)" : "0"
        }
        let statement = FinestGroups(query, key: "c.value")
        let count = query.by.count + 1
        let rows = try file.rows(
            statement.sql(
                KPISumSet.basisCells(of: "kpi_dimension WHERE dimension = ?", beside: ["value"]),
                (sums + ["max(m.month_open)"]).joined(separator: ", "),
                by: 0
            ),
            [dimension] + statement.arguments
        ) { row in
            try KPIRow(
                keys: (0..<count).map { try row[$0] },
                sums: KPISums(values: KPISum.allCases.indices.map { try row[count + $0] }),
                isOpen: row[count + KPISum.allCases.count],
                known: known
            )
        }
        guard SumLimit.allows(rows.lazy.map(\.sums)) else { throw file.damaged() }
        return rows
    }
}

extension KPISumSet {
    /// The sums that the split by class and basis has: those that need no miles.
    static let ofBases = KPISumSet(KPISum.allCases.filter(\.isOfBases))

    /// A table that is split by class and basis, with those columns of the cube that it has.
    ///
    /// - Parameters:
    ///   - table: The table, perhaps with a condition.
    ///   - further: Further columns of it.
    /// - Returns: A subquery.
    static func basisCells(of table: String, beside further: [String] = []) -> String {
        let columns = KPISum.allCases.compactMap { sum -> String? in
            let column: String
            switch sum.measure {
            case .trips: column = "trips"
            case .costedTrips: column = "costed_trips"
            case .costCents: column = "cost_cents"
            case .milesKnownTrips, .milesHundredths, .costedMilesTrips, .costWithMilesCents,
                .costedMilesHundredths:
                return nil
            }
            guard let word = sum.tripClass?.word else { return "\(column) AS \(sum.name)" }
            return "CASE class WHEN '\(word)' THEN \(column) ELSE 0 END AS \(sum.name)"
        }
        let keys = ["month", "trip_type", "region", "class", "basis"] + further
        return "(SELECT \((keys + columns).joined(separator: ", ")) FROM \(table))"
    }
}

extension KPISum {
    /// Whether the split by class and basis has it.
    var isOfBases: Bool { !measure.needsMiles }
}
