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
        let known =
            query.needsBasis
            ? KPISumSet(KPISum.allCases.filter { !$0.measure.needsMiles }) : try file.storedSums()
        let statement = KPIStatement(query, known: known)
        let keyCount = query.by.count
        let rows = try file.rows(statement.sql, statement.arguments) { row in
            try KPIRow(
                keys: (0..<keyCount).map { try row[$0] },
                sums: KPISums(values: CubeTables.sumColumns.indices.map { try row[keyCount + $0] }),
                isOpen: row[keyCount + CubeTables.sumColumns.count],
                known: known
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

    init(_ query: KPIQuery, known: KPISumSet) {
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
        let sums = KPISum.allCases.map {
            known.contains($0) ? "coalesce(sum(c.\($0.name)), 0)" : "0"
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

    /// The split by class and basis with those columns of the cube that need no miles.
    private static let basisCells: String = {
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
        let keys = ["month", "trip_type", "region", "class", "basis"]
        return "(SELECT \((keys + columns).joined(separator: ", ")) FROM kpi_basis)"
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
