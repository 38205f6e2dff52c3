import Hummingbird
import TripDomain
import TripIdentity
import TripMart

/// `GET /trip/{ref}`: one trip, masked, with the rule that decided it.
struct TripRoute {
    let board: Board

    func answer(_ request: Request, _ ref: String, _ caller: Caller) async throws -> Response {
        try caller.require(.trips)
        _ = try QueryReading(request, known: [])
        let found = try await TripLookup(board: board).trip(ref, caller)
        return Answer.unkept(
            TripAnswer(
                generation: found.generation,
                months: found.generation.whole.months(of: ServedFilter(scope: caller.regions)),
                isStale: found.generation.isStale(at: board.now()),
                ref: found.keys.ref(ofTrip: found.id).text,
                detail: found.detail
            ).text
        )
    }
}
