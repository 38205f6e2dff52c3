import TripDomain
import TripMart
import TripRuns

/// The tables of a plan, each described once: the screen, JSON and CSV are written from them.
struct PlanTables {
    /// The references of samples, by trip number.
    private let samples: [Int64: String]

    init(samples: [Int64: String]) {
        self.samples = samples
    }

    /// The sums of all trips, now and as planned.
    let totals = ReportTable<(name: String, sums: KPISums)>(
        [TableColumn("", nil, .left) { .text($0.name) }]
            + Self.kpis.map { kpi in
                TableColumn(kpi.label, kpi.name) {
                    TableCell(shown: kpi.text($0.sums), value: kpi.json(kpi.value($0.sums)))
                }
            }
    )

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
        TableColumn("known cost", "cost_cents") { .dollars($0.sums.costCents) },
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
    ///   - title: The dimension, for people.
    ///   - name: The same for programs.
    /// - Returns: The table.
    func values(_ title: String, _ name: String) -> ReportTable<Plan.ValueMove> {
        ReportTable(
            [
                TableColumn(title, name, .left) { .text($0.value) },
                TableColumn("months", "from_month", .left) { move in
                    TableCell(
                        shown: Self.span(move.months.lowerBound, move.months.upperBound),
                        value: .text(move.months.lowerBound)
                    )
                },
                TableColumn(nil, "to_month", .left) { .text($0.months.upperBound) },
            ] + Self.changes(\.change) + [
                TableColumn("in-house % by month", "in_house_pct_change_least") { move in
                    TableCell(
                        shown: Self.points(move.points),
                        value: .hundredths(move.points?.lowerBound)
                    )
                },
                TableColumn(nil, "in_house_pct_change_most") { .percent($0.points?.upperBound) },
            ]
        )
    }

    /// The trips that each edit moves.
    var edits: ReportTable<EditMove> {
        ReportTable([
            TableColumn("by edit", "edit", .left) { .text($0.name) },
            TableColumn("moves", "trips") { .count($0.sums.trips) },
            TableColumn("in-house", "in_house_trips") { .change($0.sums.inHouse) },
            TableColumn("contracted", "contracted_trips") { .change($0.sums.contracted) },
            TableColumn("undet.", "undetermined_trips") { .change($0.sums.undetermined) },
            TableColumn("known cost", "cost_cents") { .dollars($0.sums.costCents) },
            TableColumn(nil, "samples") { [samples] move in
                .list(move.sums.samples.compactMap { samples[$0] })
            },
        ])
    }

    /// The trips by old and new rule, with references of samples; for people they are sentences.
    var rules: ReportTable<Plan.RuleMove> {
        ReportTable(
            Self.rules("old", "new") + [
                TableColumn(nil, "samples") { [samples] move in
                    .list(move.samples.compactMap { samples[$0] })
                }
            ]
        )
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
