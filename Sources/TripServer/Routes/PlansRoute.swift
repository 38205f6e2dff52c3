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
        var json = JSONText()
        json.object { json in
            json.array("plans") { json in
                for plan in saved.plans {
                    let isCurrent = plan.generation == generation.header.number
                    json.object(isLine: true) { json in
                        json.members(of: plan, isCurrent: isCurrent, now: isCurrent ? now : nil)
                    }
                }
            }
            json.value("unreadable", saved.unreadable)
        }
        return Answer.unkept(json.text)
    }
}

extension JSONText {
    /// The members of a saved plan.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - isCurrent: Whether the generation that it was made from is served.
    ///   - now: All trips as served; nil where they are not those it was made from.
    fileprivate mutating func members(of plan: SavedPlan, isCurrent: Bool, now: ServedCell?) {
        value("id", plan.id)
        value("made_at", Self.time(listed: plan.madeAt))
        value("made_by", plan.madeBy)
        value("generation", plan.generation)
        value("is_current", isCurrent)
        array("edits") { json in
            for edit in plan.edits { json.value(nil, edit) }
        }
        value("trips_changed", Int(plan.changedTrips))
        numbers([
            "trips_now": .integer(now?[.trips]), "trips_planned": .integer(plan.planned.trips),
            "in_house_pct_now": .hundredths(now?.value(ChangeMeasure.inHousePercent.kpi) ?? nil),
            "in_house_pct_planned": .hundredths(plan.planned.inHousePercentHundredths),
            "contracted_cost_cents_now": .integer(now?[.contractedCostCents]),
            "contracted_cost_cents_planned": .integer(plan.planned.contractedCostCents),
        ])
    }
}
