import Hummingbird
import TripDomain
import TripMart

/// `GET /kpi`: trips, in-house % and cost, by month, trip type and region.
struct KPIRoute {
    let board: Board

    func answer(_ request: Request) throws(Problem) -> Response {
        let generation = try board.served()
        let cube = generation.suppressed
        let query = try QueryReading(request, known: QueryReading.filterNames)
        let filter = try query.filter(in: cube)
        let isStale = generation.isStale(at: board.now())
        let tag = EntityTag(
            generation: generation.header.number,
            parts: [
                RouteTable.kpi, isStale ? "stale" : "", filter.months?.lowerBound.text ?? "",
                filter.months?.upperBound.text ?? "", filter.tripType ?? "", filter.region ?? "",
            ]
        )
        return Answer.json(tag, request) {
            KPIAnswer(generation: generation, cube: cube, filter: filter, isStale: isStale).text
        }
    }
}
