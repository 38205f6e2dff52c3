import Hummingbird
import TripDomain
import TripIdentity
import TripMart

/// `GET /kpi`: trips, in-house % and cost, by month, trip type and region.
struct KPIRoute {
    let state: ServerState

    func answer(_ request: Request, _ caller: Caller) throws(Problem) -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        let cube = caller.cube(of: generation)
        let query = try QueryReading(request, known: QueryReading.filterNames)
        let filter = try query.filter(for: caller)
        try query.check(filter, in: cube)
        let isStale = generation.isStale(at: state.now())
        let tag = EntityTag(
            generation,
            parts: [RouteTable.kpi, caller.view, isStale ? "stale" : ""] + filter.text
        )
        return Answer(tag).response(request, state.cache, of: generation) {
            let isBeside = filter.hasNationalTotals && filter.scope != nil
            return KPIAnswer(
                generation: generation,
                cube: isBeside ? caller.totalsBesideOwn(of: generation) : cube,
                // Those of their own regions, of which they ask by name.
                bases: caller.may(.smallNumbers) && !(isBeside && filter.region == nil)
                    ? generation.bases : nil,
                filter: filter,
                isStale: isStale
            ).text
        }
    }
}
