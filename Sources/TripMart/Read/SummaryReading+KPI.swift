import TripDomain

extension SummaryReading {
    /// Answers a query from the precomputed sums.
    ///
    /// - Parameter query: The filters and the dimensions.
    /// - Returns: The groups that have trips, in order of their values, and the total.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: one primary-key read where the filters name single values; otherwise linear
    ///   in the cells that are added up, never in the trips.
    public func kpi(_ query: KPIQuery) throws(MartError) -> KPITable {
        let rows = try kpiRows(query)
        if query.by.isEmpty, let total = rows.first { return KPITable(rows: rows, total: total) }
        var whole = query
        whole.by = []
        guard let total = try kpiRows(whole).first else { throw file.damaged() }
        return KPITable(rows: rows, total: total)
    }

    private func kpiRows(_ query: KPIQuery) throws(MartError) -> [KPIRow] {
        let hasAllSums = try file.hasAllSums()
        let statement = KPIStatement(query, hasAllSums: hasAllSums)
        let keyCount = query.by.count
        let hasMiles = !query.needsBasis
        let rows = try file.rows(statement.sql, statement.arguments) { row in
            try KPIRow(
                keys: (0..<keyCount).map { try row[$0] },
                sums: KPISums(values: CubeTables.sumColumns.indices.map { try row[keyCount + $0] }),
                isOpen: row[keyCount + CubeTables.sumColumns.count],
                hasMiles: hasMiles,
                hasCostedMilesTrips: hasMiles && hasAllSums
            )
        }
        guard SumLimit.allows(rows.lazy.map(\.sums)) else { throw file.damaged() }
        return rows
    }
}

/// The statement of one query.
///
/// A dimension that is neither grouped by nor filtered is read from the cells that are already
/// rolled up over it; a filtered one is added up over its values.
private struct KPIStatement {
    private(set) var arguments: [any StoredArgument] = []
    private(set) var sql = ""

    init(_ query: KPIQuery, hasAllSums: Bool) {
        let byMonth =
            query.by.contains(.month) || query.by.contains(.fiscalYear) || query.months != nil
        let conditions = [
            dimension("month", isNeeded: byMonth),
            months(query.months),
            dimension(
                "trip_type",
                isNeeded: query.by.contains(.tripType) || !query.tripTypes.isEmpty
            ),
            list("trip_type", query.tripTypes),
            dimension("region", isNeeded: query.by.contains(.region) || !query.regions.isEmpty),
            list("region", query.regions),
            list("class", query.classes.map(\.word)),
            list("basis", query.bases),
        ].compactMap { $0 }
        let keys = query.by.map {
            $0 == .fiscalYear ? "CAST(m.fiscal_year AS TEXT)" : "c.\($0.rawValue)"
        }
        let stored = hasAllSums ? CubeTables.sumColumns : CubeTables.firstSumColumns
        let sums = CubeTables.sumColumns.map {
            stored.contains($0) ? "coalesce(sum(c.\($0)), 0)" : "0"
        }
        let open =
            byMonth
            ? "coalesce(max(m.month_open), 0)"
            : "coalesce((SELECT max(month_open) FROM month), 0)"
        sql = """
            SELECT \((keys + sums + [open]).joined(separator: ", "))
            FROM \(query.needsBasis ? Self.basisCells : "kpi_cube") AS c
            \(byMonth ? "JOIN month AS m ON m.month = c.month" : "")
            WHERE \(conditions.joined(separator: " AND "))
            """
        if !keys.isEmpty {
            let places = (1...keys.count).map(String.init).joined(separator: ", ")
            sql += " GROUP BY \(places) ORDER BY \(places)"
        }
    }

    /// The split by class and basis with the columns of the cube; those it does not have are 0.
    private static let basisCells: String = {
        let classes = TripClass.allCases.map(\.word)
        func ofClass(_ column: String, _ suffix: String) -> [String] {
            classes.map { "CASE class WHEN '\($0)' THEN \(column) ELSE 0 END AS \($0)_\(suffix)" }
        }
        let zeros = [
            "loaded_miles_hundredths", "miles_known_trips", "cost_with_miles_cents",
            "costed_miles_hundredths", "costed_miles_trips",
        ].map { "0 AS \($0)" }
        let columns =
            ["month", "trip_type", "region", "class", "basis", "trips", "cost_cents"]
            + ofClass("trips", "trips") + ofClass("cost_cents", "cost_cents")
            + ofClass("costed_trips", "costed_trips") + zeros
        return "(SELECT \(columns.joined(separator: ", ")) FROM kpi_basis)"
    }()

    private func dimension(_ name: String, isNeeded: Bool) -> String? {
        "c.\(name) \(isNeeded ? "<>" : "=") 'all'"
    }

    private mutating func months(_ range: ClosedRange<Month>?) -> String? {
        guard let range else { return nil }
        arguments += [range.lowerBound.text, range.upperBound.text]
        return "c.month BETWEEN ? AND ?"
    }

    private mutating func list(_ name: String, _ values: [String]) -> String? {
        if values.isEmpty { return nil }
        arguments += values
        let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
        return "c.\(name) IN (\(places))"
    }
}
