import TripDomain
import TripMart
public import TripRuns

/// The KPIs of one generation, for the filters and the grouping of a query.
public struct KPIScreen {
    private let header: GenerationHeader
    private let query: KPIQuery
    private let table: KPITable
    /// The open months that have trips in the answer.
    private let openMonths: [Month]
    private let regionsAsOf: CivilDate?

    /// Shows one answer.
    ///
    /// - Parameters:
    ///   - header: The generation it is from.
    ///   - query: The filters and the grouping.
    ///   - table: The answer.
    ///   - openMonths: The open months that have trips in the answer, in order.
    ///   - regionsAsOf: The day whose regions all trips are assigned to; nil where each has its
    ///     own.
    init(
        header: GenerationHeader,
        query: KPIQuery,
        table: KPITable,
        openMonths: [Month],
        regionsAsOf: CivilDate? = nil
    ) {
        self.regionsAsOf = regionsAsOf
        self.header = header
        self.query = query
        self.table = table
        self.openMonths = openMonths
    }

    /// Shows the answer to a query.
    ///
    /// - Parameter kpis: The answer.
    public init(_ kpis: PublishedKPIs) {
        self.init(
            header: kpis.header,
            query: kpis.query,
            table: kpis.table,
            openMonths: kpis.openMonths,
            regionsAsOf: kpis.regionsAsOf
        )
    }

    /// The answer in one format.
    public func text(_ format: OutputFormat) -> String {
        switch format {
        case .table: lines.joined(separator: "\n")
        case .json: rowSet.json
        case .csv: rowSet.csv
        }
    }

    private var isSplit: Bool { query.by.contains(.tripClass) || query.by.contains(.basis) }

    private var lines: [String] {
        var lines = [headline, ""]
        lines += isSplit ? splitTable.lines : classTable.lines
        return lines + [""] + notes
    }

    /// `Generation 418 · published … · data through … · October is OPEN (settles 2027-01-29)`.
    private var headline: String {
        var parts = ["Generation \(header.number)", "published \(header.publishedAt)"]
        if header.isSynthetic { parts.insert("SYNTHETIC DATA", at: 1) }
        if let dataThrough = header.dataThrough {
            parts.append("data through \(dataThrough.text)")
        }
        if let regionsAsOf { parts.append("regions as of \(regionsAsOf.text)") }
        if let first = openMonths.first, let last = openMonths.last {
            let settled = header.settleDate(of: last).text
            let joiner = openMonths.count == 2 ? "and" : "to"
            parts.append(
                openMonths.count == 1
                    ? "\(NumberFormat.monthName(first)) is OPEN (settles \(settled))"
                    : "\(first.text) \(joiner) \(last.text) are OPEN (settle by \(settled))"
            )
        }
        return parts.joined(separator: " · ")
    }

    private var classTable: TextTable {
        var text = TextTable(
            keyColumns + Self.columns.map { ($0.label, .right) }
        )
        for row in table.rows { text.add(keys(row) + classCells(row)) }
        if !query.by.isEmpty { text.add(totalKeys + classCells(table.total)) }
        return text
    }

    /// The KPIs that have a label.
    private static let columns = KPI.table.compactMap { kpi in
        kpi.label.map { (label: $0, kpi: kpi) }
    }

    private func classCells(_ row: KPIRow) -> [String] {
        Self.columns.map { row.known.contains($0.kpi.sums) ? $0.kpi.text(row.sums) : "–" }
    }

    private var splitTable: TextTable {
        var text = TextTable(
            keyColumns
                + [
                    ("trips", .right), ("share %", .right), ("known cost", .right),
                    ("cost known", .right),
                ]
        )
        for row in table.rows { text.add(keys(row) + splitCells(row.sums)) }
        text.add(totalKeys + splitCells(table.total.sums))
        return text
    }

    private func splitCells(_ sums: KPISums) -> [String] {
        let whole = table.total.sums.trips
        let share = whole == 0 ? nil : (20_000 * sums.trips + whole) / (2 * whole)
        let costs = sums.costs
        return [
            NumberFormat.count(sums.trips), NumberFormat.percent(share),
            NumberFormat.dollars(costs.costCents),
            NumberFormat.wholePercent(costs.costedTrips, of: costs.trips),
        ]
    }

    private var keyColumns: [(title: String, alignment: TextTable.Alignment)] {
        query.by.map { ($0.rawValue, .left) }
    }

    private func keys(_ row: KPIRow) -> [String] {
        zip(query.by, row.keys).map { dimension, key in
            let isOpen = dimension == .month && row.isOpen
            return isOpen ? key + " open" : key.isEmpty ? "(none)" : key
        }
    }

    private var totalKeys: [String] {
        query.by.indices.map { $0 == 0 ? KPICell.all : "" }
    }

    private var notes: [String] {
        var notes: [String] = []
        if !isSplit {
            notes.append(
                "in-house % = in-house / (in-house + contracted). Contracted includes vendors "
                    + "without a contract: --by basis"
            )
        }
        let sums = table.total.sums
        let isComparable = KPI.table.compactMap(\.coverage).allSatisfy { $0.isMost(sums) }
        if isComparable, sums.inHouseTrips > 0 {
            notes.append("In-house cost: \(NumberFormat.dollars(sums.inHouseCostCents))")
        } else if sums.inHouseTrips > 0 {
            let share = NumberFormat.wholePercent(sums.inHouseCostedTrips, of: sums.inHouseTrips)
            notes.append("In-house cost: known for \(share) of trips; not shown as a total")
        }
        return notes
    }

    // MARK: - JSON and CSV

    private var rowSet: RowSet {
        // The column shows which regions an answer uses, so that two answers are not mixed up.
        let map = regionsAsOf.map { [JSONValue.text($0.text)] } ?? []
        var set = RowSet(
            query.by.map(\.rawValue) + KPIRowValues.names + map.map { _ in "regions_as_of" }
        )
        for row in table.rows {
            set.add(row.keys.map { .text($0) } + KPIRowValues.values(row, header: header) + map)
        }
        if query.by.isEmpty { return set }
        set.add(
            query.by.map { _ in .text(KPICell.all) }
                + KPIRowValues.values(table.total, header: header) + map
        )
        return set
    }
}

/// The columns every KPI row has in JSON and CSV: sums, the origin, ratios, and what later versions
/// added.
enum KPIRowValues {
    private static let sums = KPI.table.filter { !$0.isRatio && !$0.isLater }
    private static let ratios = KPI.table.filter { $0.isRatio && !$0.isLater }
    private static let later = KPI.table.filter(\.isLater)

    static let names =
        sums.map(\.name) + ["generation", "data_through", "month_open"] + ratios.map(\.name)
        + later.map(\.name)

    static func values(_ row: KPIRow, header: GenerationHeader) -> [JSONValue] {
        func values(_ kpis: [KPI]) -> [JSONValue] { kpis.map { $0.json(row.value($0)) } }
        return values(sums) + [
            .integer(Int64(header.number)), .text(header.dataThrough?.text), .truth(row.isOpen),
        ] + values(ratios) + values(later)
    }
}
