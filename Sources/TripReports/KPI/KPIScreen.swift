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
            keyColumns
                + [
                    ("trips", .right), ("in-house", .right), ("contracted", .right),
                    ("undet.", .right), ("in-house %", .right), ("if undet. fall", .right),
                    ("vendor cost", .right), ("cost known", .right),
                ]
        )
        for row in table.rows { text.add(keys(row) + classCells(row.sums)) }
        if !query.by.isEmpty { text.add(totalKeys + classCells(table.total.sums)) }
        return text
    }

    private func classCells(_ sums: KPISums) -> [String] {
        [
            NumberFormat.count(sums.trips), NumberFormat.count(sums.inHouseTrips),
            NumberFormat.count(sums.contractedTrips), NumberFormat.count(sums.undeterminedTrips),
            NumberFormat.percent(sums.inHousePercentHundredths), NumberFormat.interval(sums),
            NumberFormat.dollars(sums.contractedCostCents),
            NumberFormat.wholePercent(sums.contractedCostedTrips, of: sums.contractedTrips),
        ]
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
        let costed =
            sums.inHouseCostedTrips + sums.contractedCostedTrips + sums.undeterminedCostedTrips
        return [
            NumberFormat.count(sums.trips), NumberFormat.percent(share),
            NumberFormat.dollars(sums.costCents),
            NumberFormat.wholePercent(costed, of: sums.trips),
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
        let isComparable =
            sums.inHouseCostedTrips * 100 >= 80 * sums.inHouseTrips
            && sums.contractedCostedTrips * 100 >= 80 * sums.contractedTrips
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

/// The columns every KPI row has in JSON and CSV.
enum KPIRowValues {
    static let names = [
        "trips", "in_house_trips", "contracted_trips", "undetermined_trips", "cost_cents",
        "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents",
        "in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips",
        "loaded_miles_hundredths", "miles_known_trips", "cost_with_miles_cents",
        "costed_miles_hundredths", "generation", "data_through", "month_open", "in_house_pct",
        "in_house_pct_low", "in_house_pct_high", "cost_per_trip_cents", "cost_per_mile_cents",
        "costed_miles_trips",
    ]

    static func values(_ row: KPIRow, header: GenerationHeader) -> [JSONValue] {
        let sums = row.sums
        let counts = [
            sums.trips, sums.inHouseTrips, sums.contractedTrips, sums.undeterminedTrips,
            sums.costCents, sums.inHouseCostCents, sums.contractedCostCents,
            sums.undeterminedCostCents, sums.inHouseCostedTrips, sums.contractedCostedTrips,
            sums.undeterminedCostedTrips,
        ]
        let miles = [
            sums.loadedMilesHundredths, sums.milesKnownTrips, sums.costWithMilesCents,
            sums.costedMilesHundredths,
        ].map { row.hasMiles ? JSONValue.integer($0) : .null }
        return counts.map { .integer($0) } + miles + [
            .integer(Int64(header.number)), .text(header.dataThrough?.text),
            .truth(row.isOpen), .hundredths(sums.inHousePercentHundredths),
            .hundredths(sums.inHousePercentLowHundredths),
            .hundredths(sums.inHousePercentHighHundredths), .integer(sums.costPerTripCents),
            .integer(row.hasMiles ? sums.costPerMileCents : nil),
            .integer(row.hasCostedMilesTrips ? sums.costedMilesTrips : nil),
        ]
    }
}
