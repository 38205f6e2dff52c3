import Hummingbird
import TripDomain
import TripIdentity
import TripMart

/// `GET /trip/{ref}`: one trip, masked, with the rule that decided it.
struct TripRoute {
    let state: ServerState

    func answer(_ request: Request, _ ref: String, _ caller: Caller) async throws -> Response {
        try caller.require(.trips)
        _ = try QueryReading(request, known: [])
        let found = try await TripLookup(state: state).trip(ref, caller)
        return Answer.unkept(
            TripAnswer(
                generation: found.generation,
                months: found.generation.whole.months(of: ServedFilter(scope: caller.regions)),
                isStale: found.generation.isStale(at: state.now()),
                ref: found.keys.ref(ofTrip: found.id).text,
                detail: found.detail
            ).text
        )
    }
}

/// Finds a single trip for a caller who may see it.
struct TripLookup {
    let state: ServerState

    /// A trip, and from what it was read.
    struct Found: Sendable {
        let generation: ServedGeneration
        let keys: MartKeys
        let id: String
        let detail: TripDetail
    }

    /// The trip of a reference.
    ///
    /// - Parameters:
    ///   - ref: The reference as it was handed in.
    ///   - caller: The caller.
    /// - Returns: The trip.
    /// - Throws: ``Problem/noSuchTrip`` alike for a reference of another mart, a made-up one, one
    ///   of a region the caller may not see, and one whose trip cannot be read.
    func trip(_ ref: String, _ caller: Caller) async throws -> Found {
        let begun = ContinuousClock.now
        do {
            return try await found(ref, caller)
        } catch let problem as Problem where problem.code == Problem.noSuchTrip.code {
            // Whatever the reason, after the same time. Cut short where the server stops.
            try? await Task.sleep(until: begun + Self.refusalTime)
            throw problem
        }
    }

    /// The time after which a trip is refused: longer than a search takes on a machine that is not
    /// busy, so that it shows nothing of the reason.
    private static let refusalTime = Duration.milliseconds(5)

    private func found(_ ref: String, _ caller: Caller) async throws -> Found {
        let generation = try state.served()
        try state.requireTrips(generation)
        let keys = try state.keys()
        // A reference that cannot be read is searched for like any other, so that the time shows
        // nothing of the reason.
        let id = (try? keys.tripID(of: TripRef(text: ref))) ?? ""
        let scope = ServedFilter(scope: caller.regions)
        let detail = try await read(generation) { (trips) throws -> TripDetail? in
            // Nothing else is read of a trip of another region: the time shows nothing of it.
            guard let region = try trips.region(ofTrip: id), scope.mayShow(region: region) else {
                return nil
            }
            return try trips.trip(id: id)
        }
        guard let detail else { throw Problem.noSuchTrip }
        return Found(generation: generation, keys: keys, id: id, detail: detail)
    }

    /// Reads a part of one trip; an error would show that the trip exists, and is answered as if it
    /// did not.
    func read<Value: Sendable>(
        _ generation: ServedGeneration,
        _ work: @escaping @Sendable (ServedMart) throws -> Value
    ) async throws -> Value {
        do {
            return try await state.read(generation, work)
        } catch let error as MartError {
            throw Problem.noSuchTrip.caused(by: error)
        }
    }
}
