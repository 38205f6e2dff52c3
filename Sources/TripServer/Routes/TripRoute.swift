import Hummingbird
import NIOPosix
import TripDomain
import TripIdentity
import TripMart

/// `GET /trip/{ref}`: one trip with the rule that decided it; what names a person is masked.
struct TripRoute {
    let board: Board

    func answer(_ request: Request, _ ref: String, _ caller: Caller) async throws -> Response {
        try caller.require(.trips)
        let keys = try board.keys()
        _ = try QueryReading(request, known: [])
        let generation = try board.served()
        // A reference of another mart, a made-up one and one that is out of scope are all the same.
        guard let id = try? keys.tripID(of: TripRef(text: ref)) else { throw Problem.noSuchTrip }
        let detail = try await NIOThreadPool.singleton.runIfActive { () throws -> TripDetail? in
            let trips = generation.trips
            // Nothing else is read of a trip that is not theirs: the time it takes says nothing of it.
            guard let region = try trips.region(ofTrip: id),
                caller.regions?.contains(region) ?? true
            else { return nil }
            return try trips.trip(id: id)
        }
        guard let detail else { throw Problem.noSuchTrip }
        return Answer.unkept(
            TripAnswer(
                generation: generation,
                isStale: generation.isStale(at: board.now()),
                ref: ref,
                detail: detail
            ).text
        )
    }
}
