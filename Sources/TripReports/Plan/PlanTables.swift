import TripDomain
import TripMart
import TripRuns

/// The tables of a plan, each described once: the screen, JSON and CSV are written from them.
struct PlanTables {
    /// The references of samples, by trip number.
    private let samples: [Int64: String]
    private let labels: ValueLabels

    init(samples: [Int64: String], labels: ValueLabels) {
        self.samples = samples
        self.labels = labels
    }

    /// The sums of all trips, now and as planned.
    let totals = ReportTable<(name: String, sums: KPISums)>(
        [TableColumn("", nil, .left) { .text($0.name) }]
            + Self.kpis.map { kpi in
                TableColumn(kpi.label, kpi.name, rank: Self.rank(of: kpi)) {
                    TableCell(shown: kpi.text($0.sums), value: kpi.json(kpi.value($0.sums)))
                }
            }
    )

    /// What a narrow screen leaves out first: costs, then the interval.
    private static func rank(of kpi: KPI) -> Int {
        if kpi.unit == .cents { return 2 }
        return kpi.name == KPIRatio.inHousePercentLow.kpi.name ? 1 : 0
    }

    /// The KPIs of a plan.
    private static let kpis =
        [
            KPISum.trips, .inHouseTrips, .contractedTrips, .undeterminedTrips,
        ].map(\.kpi)
        + [KPIRatio.inHousePercent, .inHousePercentLow, .inHousePercentHigh].map(\.kpi)
        + [KPISum.costCents, .contractedCostCents].map(\.kpi)

    /// The trips whose class or basis changes.
    let bases = ReportTable<Plan.ClassAndBasisMove>([
        TableColumn("old", "old", .left) { .text($0.from) },
        TableColumn("new", "new", .left) { .text($0.to) },
        TableColumn("trips", "trips") { .count($0.sums.trips) },
        TableColumn(nil, "costed_trips") { .count($0.sums.costedTrips) },
        TableColumn("known cost", "cost_cents", rank: 1) { move in
            TableCell(
                shown: NumberFormat.knownCost(move.sums),
                value: .integer(move.sums.costCents)
            )
        },
    ])

    /// The finest cells that change.
    let cells = ReportTable<Plan.CellMove>(
        [
            TableColumn("month", "month", .left) { .text($0.month) },
            TableColumn("trip type", "trip_type", .left) { .text($0.tripType) },
            TableColumn("region", "region", .left) { .text($0.region) },
        ] + Self.changes(\.change)
    )

    /// The values of one dimension that change.
    ///
    /// - Parameters:
    ///   - dimension: The dimension.
    ///   - title: Its name for people.
    ///   - name: The same for programs.
    /// - Returns: The table.
    func values(
        _ dimension: KPIDimension,
        _ title: String,
        _ name: String
    ) -> ReportTable<Plan.ValueMove> {
        ReportTable(
            [
                TableColumn(title, name, .left) { .text($0.value) },
                TableColumn("", nil, .label, rank: 9) { [labels] move in
                    TableCell(shown: labels.text(move.value, of: dimension), value: .null)
                },
                TableColumn("months", "from_month", .left, rank: 2) { move in
                    TableCell(
                        shown: Self.span(move.months.lowerBound, move.months.upperBound),
                        value: .text(move.months.lowerBound)
                    )
                },
                TableColumn(nil, "to_month", .left) { .text($0.months.upperBound) },
            ] + Self.changes(\.change) + [
                TableColumn("in-house % by month", "in_house_pct_change_least", rank: 1) { move in
                    TableCell(
                        shown: Self.points(move.points),
                        value: .hundredths(move.points?.lowerBound)
                    )
                },
                TableColumn(nil, "in_house_pct_change_most") { .percent($0.points?.upperBound) },
            ]
        )
    }

    /// The trips that each edit moves alone, and what several do together.
    var edits: ReportTable<EditMove> {
        ReportTable(
            [
                TableColumn("by edit", "edit", .prose) { .text($0.name) },
                TableColumn(nil, "interplay", .left) { move in
                    .text(move.interplay.map { "\($0)" })
                },
                TableColumn("moves", "trips") { .count($0.trips) },
                TableColumn("trips", "trips_change", rank: 3) { .change($0.change.trips) },
                TableColumn("in-house", "in_house_trips") { .change($0.change.inHouseTrips) },
                TableColumn("contracted", "contracted_trips", rank: 1) {
                    .change($0.change.contractedTrips)
                },
                TableColumn("undet.", "undetermined_trips", rank: 2) {
                    .change($0.change.undeterminedTrips)
                },
                TableColumn("in-house %", "in_house_pct_change") { move in
                    TableCell(
                        shown: NumberFormat.points(move.points),
                        value: .hundredths(move.points)
                    )
                },
                TableColumn(nil, "cost_cents") { .dollars($0.costCents) },
                TableColumn("vendor cost", "contracted_cost_cents_change", rank: 4) { move in
                    let cents = move.change.contractedCostCents
                    return TableCell(
                        shown: NumberFormat.dollarChange(cents),
                        value: .integer(cents)
                    )
                },
                TableColumn(nil, "samples") { [samples] move in
                    .list(move.samples.compactMap { samples[$0] })
                },
            ]
        )
    }

    /// The trips by old and new rule, with references of samples.
    var rules: ReportTable<Plan.RuleMove> {
        ReportTable(
            [
                TableColumn("was decided by", nil, .left) { .text($0.from ?? "no rule") },
                TableColumn("is decided by", nil, .prose) { .text(Self.decider($0)) },
            ] + Self.rules("old", "new") + [
                TableColumn("trips", nil) { .count($0.trips) },
                TableColumn("counted", nil, rank: 2) { .count($0.countedTrips) },
                TableColumn("for example", nil, .left, rank: 1) { .text(sample($0.samples)) },
                TableColumn(nil, "samples") { [samples] move in
                    .list(move.samples.compactMap { samples[$0] })
                },
            ]
        )
    }

    /// The reference of the first of some trips that has one; empty where none has.
    func sample(_ numbers: [Int64]) -> String {
        numbers.lazy.compactMap { samples[$0] }.first ?? ""
    }

    private static func decider(_ move: Plan.RuleMove) -> String {
        let rule = move.to ?? "no rule"
        guard move.from == move.to else { return rule }
        return rule
            + (move.changesClassOrBasis ? ", another class or basis" : ", counted differently")
    }

    /// The same for CSV, which has this table alone and so names its columns in full.
    let ruleList = ReportTable(Self.rules("old_rule", "new_rule"))

    private static func rules(_ old: String, _ new: String) -> [TableColumn<Plan.RuleMove>] {
        [
            TableColumn(nil, old) { .text($0.from) }, TableColumn(nil, new) { .text($0.to) },
            TableColumn(nil, "trips") { .count($0.trips) },
            TableColumn(nil, "counted_trips") { .count($0.countedTrips) },
        ]
    }

    /// What the classes gain and lose.
    private static func changes<Row>(
        _ change: @escaping (Row) -> ClassChange
    ) -> [TableColumn<Row>] {
        [
            TableColumn("trips", "trips") { .change(change($0).trips) },
            TableColumn("in-house", "in_house_trips") { .change(change($0).inHouse) },
            TableColumn("contracted", "contracted_trips") { .change(change($0).contracted) },
            TableColumn("undet.", "undetermined_trips") { .change(change($0).undetermined) },
        ]
    }

    /// The months from first to last.
    static func span(_ first: String, _ last: String) -> String {
        first == last ? first : "\(first) to \(last)"
    }

    private static func points(_ range: ClosedRange<Int64>?) -> String {
        guard let range else { return "–" }
        let (least, most) = (range.lowerBound, range.upperBound)
        return least == most
            ? NumberFormat.points(least)
            : "\(least > 0 ? "+" : "")\(NumberFormat.percent(least)) to "
                + NumberFormat.points(most)
    }
}
