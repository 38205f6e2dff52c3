public import TripDomain

/// A dimension that KPIs can be grouped by.
public enum KPIDimension: String, Sendable, CaseIterable {
    /// The month, `YYYY-MM`.
    case month
    /// The trip type.
    case tripType = "trip_type"
    /// The region.
    case region
    /// The class.
    case tripClass = "class"
    /// The basis of the class.
    case basis
    /// The fiscal year: the US federal one, or as the pipeline says.
    case fiscalYear = "fiscal_year"
    /// The calendar year.
    case year

    /// Its value in a statement over cells `c` and their months `m`.
    var expression: String {
        switch self {
        case .month, .tripType, .region, .tripClass, .basis: "c.\(rawValue)"
        case .fiscalYear: "CAST(m.fiscal_year AS TEXT)"
        case .year: "substr(c.month, 1, 4)"
        }
    }

    /// Whether its values follow from the month.
    var isOfMonth: Bool {
        switch self {
        case .month, .fiscalYear, .year: true
        case .tripType, .region, .tripClass, .basis: false
        }
    }
}

/// A query of the cube: filters of the trips, and the dimensions to group by.
public struct KPIQuery: Sendable, Hashable {
    /// The months; nil for all.
    public var months: ClosedRange<Month>?
    /// The trip types; empty for all.
    public var tripTypes: [String]
    /// The regions; empty for all.
    public var regions: [String]
    /// The classes; empty for all.
    public var classes: [TripClass]
    /// The bases; empty for all.
    public var bases: [String]
    /// The dimensions to group by, in order; empty for one group of all trips.
    public var by: [KPIDimension]
    /// The name of a declared dimension to group by as well, after the others; nil for none.
    public var declared: String?

    /// The names of the columns of a group's keys.
    public var keyNames: [String] { by.map(\.rawValue) + [declared].compactMap(\.self) }

    /// Creates a query; by default of all trips in one group.
    public init(
        months: ClosedRange<Month>? = nil,
        tripTypes: [String] = [],
        regions: [String] = [],
        classes: [TripClass] = [],
        bases: [String] = [],
        by: [KPIDimension] = []
    ) {
        self.months = months
        self.tripTypes = tripTypes
        self.regions = regions
        self.classes = classes
        self.bases = bases
        self.by = by
    }

    /// Whether the answer needs the split by class and basis, which has no miles.
    public var needsBasis: Bool {
        !classes.isEmpty || !bases.isEmpty || by.contains(.tripClass) || by.contains(.basis)
    }
}

/// One group of an answer.
public struct KPIRow: Sendable, Hashable {
    /// The group's values, in the order of the query's ``KPIQuery/keyNames``.
    public let keys: [String]
    /// The sums of its trips.
    public let sums: KPISums
    /// Whether one of its months may still grow.
    public let isOpen: Bool
    /// The sums that are known; the others are 0 in ``sums``.
    ///
    /// Groups by class or basis have none with miles, and files of older versions lack some.
    public let known: KPISumSet
    /// The values of the declared measures, in the order of the table's.
    public internal(set) var measures: [MeasureValue] = []

    /// A KPI of the group; nil where one of its sums is not known, or where it is a ratio without a
    /// value.
    public func value(_ kpi: KPI) -> Int64? { known.contains(kpi.sums) ? kpi.value(sums) : nil }
}

/// An answer: the groups in order of their values, and all of them together.
public struct KPITable: Sendable, Hashable {
    /// The groups, in order of their keys.
    public let rows: [KPIRow]
    /// All trips that match the filters, in one group.
    public let total: KPIRow
    /// The measures that the pipeline declares, in its order.
    public var measures: [DeclaredMeasure] = []
}

extension SummaryReading {
    /// Answers a query from the precomputed sums.
    ///
    /// - Parameter query: The filters and the dimensions.
    /// - Returns: The groups that have trips, in order of their values, and the total.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: one primary-key read where the filters name single values; otherwise linear
    ///   in the cells that are added up, never in the trips.
    public func kpi(_ query: KPIQuery) throws(MartError) -> KPITable {
        if let declared = query.declared { return try kpi(query, by: declared) }
        let measures = try declaredMeasures()
        let rows = try kpiRows(query, measures)
        if query.by.isEmpty, let total = rows.first {
            return KPITable(rows: rows, total: total, measures: measures)
        }
        var whole = query
        whole.by = []
        guard let total = try kpiRows(whole, measures).first else { throw file.damaged() }
        return KPITable(rows: rows, total: total, measures: measures)
    }

    /// Measures are not kept by declared dimensions, and neither are miles.
    private func kpi(_ query: KPIQuery, by declared: String) throws(MartError) -> KPITable {
        var whole = query
        (whole.by, whole.declared) = ([], nil)
        guard let all = try kpiRows(whole).first else { throw file.damaged() }
        let total = KPIRow(
            keys: [],
            sums: all.sums,
            isOpen: all.isOpen,
            known: KPISumSet(KPISum.allCases.filter { all.known.contains($0) && $0.isOfBases })
        )
        return KPITable(rows: try rows(by: declared, query), total: total)
    }

    private func kpiRows(
        _ query: KPIQuery,
        _ measures: [DeclaredMeasure]
    ) throws(MartError) -> [KPIRow] {
        var rows = try kpiRows(query)
        guard !measures.isEmpty else { return rows }
        let values = try values(of: measures, query)
        for index in rows.indices {
            rows[index].measures =
                values[GroupKeys(rows[index].keys)]
                ?? measures.map { MeasureValue($0, MeasureSums()) }
        }
        return rows
    }

    private func kpiRows(_ query: KPIQuery) throws(MartError) -> [KPIRow] {
        let known =
            query.needsBasis ? KPISumSet.ofBases : try file.storedSums()
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
        let byMonth = query.by.contains(where: \.isOfMonth) || query.months != nil
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
        let keys = query.by.map(\.expression)
        let sums = KPISum.allCases.map {
            known.contains($0) ? "coalesce(sum(c.\($0.name)), 0)" : "0"
        }
        let open =
            byMonth
            ? "coalesce(max(m.month_open), 0)"
            : "coalesce((SELECT max(month_open) FROM month), 0)"
        sql = """
            SELECT \((keys + sums + [open]).joined(separator: ", "))
            FROM \(query.needsBasis ? KPISumSet.basisCells(of: "kpi_basis") : "kpi_cube") AS c
            \(byMonth ? "JOIN month AS m ON m.month = c.month" : "")
            WHERE \(conditions.joined(separator: " AND "))
            """
        if !keys.isEmpty {
            let marks = (1...keys.count).map(String.init).joined(separator: ", ")
            sql += " GROUP BY \(marks) ORDER BY \(marks)"
        }
    }

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
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        return "c.\(name) IN (\(marks))"
    }
}
