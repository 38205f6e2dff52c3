import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /plans`: the saved plans, so that an analyst sees what one changes before asking for it.
extension RunsRoutes {
    /// Plans of the list.
    private static let planLimit = 20

    func plans(_ request: Request, _ caller: Caller) async throws -> Response {
        try mayRun(caller)
        _ = try QueryReading(request, known: [])
        let generation = try state.served()
        let folder = folder
        let saved = try await state.onDisk { try SavedPlan.all(in: folder, limit: Self.planLimit) }
        let now = caller.cube(of: generation).cell(ServedFilter())
        let table = AnswerTable(
            names: [
                "id", "made_at", "made_by", "generation", "is_current", "edits", "trips_changed",
                "trips_now", "trips_planned", "in_house_pct_now", "in_house_pct_planned",
                "contracted_cost_cents_now", "contracted_cost_cents_planned",
            ],
            rows: saved.plans.map { plan in
                let isCurrent = plan.generation == generation.header.number
                return Self.row(plan, isCurrent: isCurrent, now: isCurrent ? now : nil)
            }
        )
        let format = AnswerFormat(request)
        if format == .csv { return Answer.unkept(table.csv(), as: format) }
        var json = JSONText()
        json.object { json in
            json.list("plans", table)
            json.value("unreadable", saved.unreadable)
        }
        return Answer.unkept(json.text)
    }

    /// What is said of a saved plan.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - isCurrent: Whether the generation that it was made from is served.
    ///   - now: All trips as served; nil where they are not those it was made from.
    /// - Returns: Its values, in the order of their names.
    private static func row(
        _ plan: SavedPlan,
        isCurrent: Bool,
        now: ServedCell?
    ) -> [RowValue] {
        let share = now?.value(ChangeMeasure.inHousePercent.kpi) ?? nil
        return [
            .text(plan.id), .text(JSONText.time(listed: plan.madeAt)), .text(plan.madeBy),
            .number(.integer(Int64(plan.generation))), .truth(isCurrent), .list(plan.edits),
            .number(.integer(plan.changedTrips)), .number(.integer(now?[.trips])),
            .number(.integer(plan.planned.trips)), .number(.hundredths(share)),
            .number(.hundredths(plan.planned.inHousePercentHundredths)),
            .number(.integer(now?[.contractedCostCents])),
            .number(.integer(plan.planned.contractedCostCents)),
        ]
    }
}
