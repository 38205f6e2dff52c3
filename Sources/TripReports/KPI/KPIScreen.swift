import TripDomain
import TripMart
public import TripRuns

/// The KPIs of one generation, for the filters and the grouping of a query.
public struct KPIScreen {
    private let kpis: PublishedKPIs
    /// The day on which the answer is read.
    private let today: CivilDate
    private var header: GenerationHeader { kpis.header }
    private var query: KPIQuery { kpis.query }
    private var table: KPITable { kpis.table }

    /// Shows the answer to a query.
    ///
    /// - Parameters:
    ///   - kpis: The answer.
    ///   - now: The time of the command, in seconds of UTC; old data says how old it is.
    public init(_ kpis: PublishedKPIs, now: Int64) {
        self.kpis = kpis
        today = CivilTime.date(ofSeconds: now)
    }

    /// The answer in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        format.text(lines: lines(on: screen), on: screen, rows: rowSet)
    }

    private var isSplit: Bool { query.by.contains(.tripClass) || query.by.contains(.basis) }

    private func lines(on screen: Screen) -> [String] {
        guard table.total.sums.trips > 0 else {
            return [headline, "", EmptyAnswer.text(header, asked: query.months, has: kpis.months)]
        }
        let shown = isSplit ? splitTable : classTable
        return [headline, ""] + shown.lines(on: screen) + [""] + trend + notes
    }

    /// `Generation 418 · published … · data through … · October is OPEN (settles 2027-01-29)`.
    private var headline: String {
        var parts = header.clauses(on: today, regionsAsOf: kpis.regionsAsOf)
        let openMonths = kpis.openMonths
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
            keyColumns
                + columns.map { label, kpi in
                    TextTable.Column(title: label, alignment: .right, rank: Self.rank(of: kpi))
                } + measureColumns
        )
        for row in table.rows { text.add(keys(row) + classCells(row)) }
        if !query.keyNames.isEmpty { text.add(totalKeys + classCells(table.total)) }
        return text
    }

    /// The KPIs that have a label; of costs only where some are known.
    private var columns: [(label: String, kpi: KPI)] {
        KPI.table.compactMap { kpi in
            guard let label = kpi.label, kpis.hasCosts || !kpi.isOfCosts else { return nil }
            return (label, kpi)
        }
    }

    /// What a narrow screen leaves out first: costs, then the interval.
    private static func rank(of kpi: KPI) -> Int {
        switch kpi.name {
        case KPISum.contractedCostedTrips.kpi.name: 4
        case KPISum.contractedCostCents.kpi.name: 3
        case KPIRatio.inHousePercentLow.kpi.name: 2
        default: 0
        }
    }

    private func classCells(_ row: KPIRow) -> [String] {
        columns.map { row.known.contains($0.kpi.sums) ? $0.kpi.text(row.sums) : "–" }
            + measureCells(row)
    }

    private var measureColumns: [TextTable.Column] {
        table.measures.enumerated().map { $1.textColumn($0) }
    }

    private func measureCells(_ row: KPIRow) -> [String] {
        zip(table.measures, row.measures).map { $0.text($1) }
    }

    private var splitTable: TextTable {
        var columns =
            keyColumns + [
                TextTable.Column(title: "trips", alignment: .right),
                TextTable.Column(title: "share %", alignment: .right),
            ]
        if kpis.hasCosts {
            columns += [
                TextTable.Column(title: "known cost", alignment: .right, rank: 3),
                TextTable.Column(title: "cost known", alignment: .right, rank: 4),
            ]
        }
        var text = TextTable(columns + measureColumns)
        for row in table.rows { text.add(keys(row) + splitCells(row.sums) + measureCells(row)) }
        text.add(totalKeys + splitCells(table.total.sums) + measureCells(table.total))
        return text
    }

    private func splitCells(_ sums: KPISums) -> [String] {
        let whole = table.total.sums.trips
        let share = whole == 0 ? nil : (20_000 * sums.trips + whole) / (2 * whole)
        let costs = sums.costs
        let cells = [NumberFormat.count(sums.trips), NumberFormat.percent(share)]
        guard kpis.hasCosts else { return cells }
        return cells + [
            Self.isMost(costs) ? NumberFormat.knownCost(costs) : "–",
            NumberFormat.wholePercent(costs.costedTrips, of: costs.trips),
        ]
    }

    /// Whether so many costs are known that their sum says something of all trips.
    private static func isMost(_ costs: CostSums) -> Bool {
        costs.costedTrips * 100 >= costs.trips * KPICoverage.leastPercent
    }

    private var keyColumns: [TextTable.Column] {
        query.by.flatMap { dimension in
            let column = TextTable.Column(title: dimension.rawValue, alignment: .left)
            guard kpis.labels.has(dimension) else { return [column] }
            return [column, TextTable.Column(title: "", alignment: .label, rank: 9)]
        } + [query.declared].compactMap { $0.map { TextTable.Column(title: $0, alignment: .left) } }
    }

    private func keys(_ row: KPIRow) -> [String] {
        zip(query.by, row.keys).flatMap { dimension, key in
            let isOpen = dimension == .month && row.isOpen
            let value = isOpen ? key + " open" : key.isEmpty ? "(none)" : key
            return kpis.labels.has(dimension)
                ? [value, kpis.labels.text(key, of: dimension)] : [value]
        } + row.keys.dropFirst(query.by.count).map { $0.isEmpty ? "(none)" : $0 }
    }

    private var totalKeys: [String] {
        keyColumns.indices.map { $0 == 0 ? KPICell.all : "" }
    }

    /// The in-house % of all months as a row of bars, where the answer is by month.
    private var trend: [String] {
        let rows = table.rows
        guard query.keyNames == [KPIDimension.month.rawValue], !query.needsBasis,
            rows.count >= Self.leastTrend
        else {
            return []
        }
        let shares = rows.map(\.sums.inHousePercentHundredths)
        let known = zip(rows, shares).compactMap { row, share in share.map { (row.keys[0], $0) } }
        guard let low = known.min(by: { $0.1 < $1.1 }), let high = known.max(by: { $0.1 < $1.1 })
        else { return [] }
        return [
            "in-house %  \(Sparkline.text(shares))   lowest \(NumberFormat.percent(low.1)) in "
                + "\(low.0), highest \(NumberFormat.percent(high.1)) in \(high.0)"
        ]
    }

    /// Fewer months are read faster as numbers.
    private static let leastTrend = 3

    private var notes: [String] { kpiNotes + measureNotes }

    /// How many trips stand behind each measure, where it is not known of all.
    private var measureNotes: [String] {
        zip(table.measures, table.total.measures).compactMap { measure, value in
            measure.note(value, of: table.total.sums.trips)
        }
    }

    private var kpiNotes: [String] {
        if isSplit { return costNotes }
        var notes = [
            "in-house % = in-house / (in-house + contracted). Contracted includes vendors without a "
                + "contract: --by basis"
        ]
        if let goal = kpis.goal { notes.insert(goal.text(table.total), at: 0) }
        guard kpis.hasCosts else { return notes }
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

    /// Says why a sum of costs is a dash.
    private var costNotes: [String] {
        let all = (table.rows + [table.total]).map(\.sums.costs)
        guard kpis.hasCosts, !all.allSatisfy(Self.isMost) else { return [] }
        return [
            "A cost that is known for fewer than \(KPICoverage.leastPercent) % of the trips is not "
                + "shown as a total; the sums of the known ones: --format csv"
        ]
    }

    // MARK: - JSON and CSV

    private func rowSet(withTotal: Bool) -> RowSet {
        // The column shows which regions an answer uses, so that two answers are not mixed up.
        let map = kpis.regionsAsOf.map { [JSONValue.text($0.text)] } ?? []
        var set = RowSet(
            query.keyNames + KPIRowValues.names + map.map { _ in "regions_as_of" }
                + table.measures.flatMap(\.rowNames)
        )
        func values(_ row: KPIRow) -> [JSONValue] {
            KPIRowValues.values(row, header: header) + map
                + zip(table.measures, row.measures).flatMap { $0.rowValues($1) }
        }
        for row in table.rows { set.add(row.keys.map { .text($0) } + values(row)) }
        guard withTotal, !query.keyNames.isEmpty else { return set }
        set.add(query.keyNames.map { _ in .text(KPICell.all) } + values(table.total))
        return set
    }
}

extension Goal {
    /// `Goal 55 % since Oct 2025: below`.
    fileprivate func text(_ total: KPIRow) -> String {
        let percent = NumberFormat.percent(inHousePercentHundredths)
        let short = percent.hasSuffix(".00") ? String(percent.dropLast(3)) : percent
        let verdict = verdict(
            low: total.value(KPIRatio.inHousePercentLow.kpi),
            high: total.value(KPIRatio.inHousePercentHigh.kpi)
        )
        let words =
            switch verdict {
            case .above: "above"
            case .below: "below"
            case .notDecided: "not decided"
            }
        return "Goal \(short) % since \(NumberFormat.monthShort(from)): \(words)"
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
