import TripDomain
import TripMart

/// A plan as JSON with everything, and as CSV with the moves between rules.
struct PlanRows {
    private let plan: Plan
    /// The references of samples, by trip number.
    private let samples: [Int64: String]
    /// The path of the saved plan; nil where it is not saved.
    private let path: String?

    init(_ plan: Plan, samples: [Int64: String], path: String?) {
        self.plan = plan
        self.samples = samples
        self.path = path
    }

    /// A row per pair of rules.
    var csv: String {
        var rows = RowSet(["old_rule", "new_rule", "trips", "counted_trips"])
        for move in plan.rules {
            rows.add([
                .text(move.from), .text(move.to), .integer(move.trips),
                .integer(move.countedTrips),
            ])
        }
        return rows.csv
    }

    /// An array of one object.
    var json: String {
        let object = JSONValue.object([
            ("plan", .text(plan.id)), ("plan_file", .text(path)),
            ("generation", .integer(Int64(plan.header.number))),
            ("synthetic", .truth(plan.header.isSynthetic)),
            ("edit_count", .integer(Int64(plan.edits.count))),
            ("edits", .list(plan.edits.all.map { .text($0) })),
            ("override_notes", .list(plan.overrideNotes.map { .text($0) })),
            ("now", Self.sums(plan.now)), ("planned", Self.sums(plan.planned)),
            ("grounds", .list(plan.grounds.map(Self.classAndBasis))),
            ("rules", .list(plan.rules.map(rule))),
            ("by_edit", .list(plan.edited.map(edit))),
            ("cells", .list(plan.cells.map(Self.cell))),
            ("months", .list(plan.months.map { .text($0) })),
            ("regions", .list(plan.regions.map { Self.value($0, "region") })),
            ("trip_types", .list(plan.tripTypes.map { Self.value($0, "trip_type") })),
            ("relocated_trips", .integer(plan.relocated)),
            (
                "relocated_samples",
                .list(plan.relocatedSamples.compactMap { samples[$0] }.map { .text($0) })
            ),
            ("overflows", .integer(Int64(plan.overflows))),
        ])
        return JSONValue.list([object]).json
    }

    /// The KPIs of a plan, now and as planned.
    private static let kpis =
        [
            KPISum.trips, .inHouseTrips, .contractedTrips, .undeterminedTrips,
        ].map(\.kpi)
        + [KPIRatio.inHousePercent, .inHousePercentLow, .inHousePercentHigh].map(\.kpi)
        + [KPISum.costCents, .contractedCostCents].map(\.kpi)

    private static func sums(_ sums: KPISums) -> JSONValue {
        .object(kpis.map { ($0.name, $0.json($0.value(sums))) })
    }

    private func edit(_ move: EditMove) -> JSONValue {
        .object([
            ("edit", .text(move.name)), ("trips", .integer(move.sums.trips)),
            ("in_house_trips", .integer(move.sums.inHouse)),
            ("contracted_trips", .integer(move.sums.contracted)),
            ("undetermined_trips", .integer(move.sums.undetermined)),
            ("cost_cents", .integer(move.sums.costCents)),
            ("samples", .list(move.sums.samples.compactMap { samples[$0] }.map { .text($0) })),
        ])
    }

    private static func classAndBasis(_ move: Plan.ClassAndBasisMove) -> JSONValue {
        .object([
            ("old", .text(move.from)), ("new", .text(move.to)),
            ("trips", .integer(move.sums.trips)),
            ("costed_trips", .integer(move.sums.costedTrips)),
            ("cost_cents", .integer(move.sums.costCents)),
        ])
    }

    private func rule(_ move: Plan.RuleMove) -> JSONValue {
        .object([
            ("old", .text(move.from)), ("new", .text(move.to)), ("trips", .integer(move.trips)),
            ("counted_trips", .integer(move.countedTrips)),
            ("samples", .list(move.samples.compactMap { samples[$0] }.map { .text($0) })),
        ])
    }

    private static func cell(_ move: Plan.CellMove) -> JSONValue {
        .object(
            [
                ("month", .text(move.month)), ("trip_type", .text(move.tripType)),
                ("region", .text(move.region)),
            ] + move.change.named
        )
    }

    private static func value(_ move: Plan.ValueMove, _ name: String) -> JSONValue {
        .object(
            [
                (name, .text(move.value)), ("from_month", .text(move.months.lowerBound)),
                ("to_month", .text(move.months.upperBound)),
            ] + move.change.named + [
                ("in_house_pct_change_least", .hundredths(move.points?.lowerBound)),
                ("in_house_pct_change_most", .hundredths(move.points?.upperBound)),
            ]
        )
    }
}
