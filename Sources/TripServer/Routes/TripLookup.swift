import TripDomain
import TripIdentity
import TripMart

/// Finds a single trip for somebody who may see it.
struct TripLookup {
    let board: Board

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
    ///   - caller: Who asks.
    /// - Returns: The trip.
    /// - Throws: ``Problem/noSuchTrip`` alike for a reference of another mart, a made-up one, one of a region
    ///   the caller may not see, and one whose trip cannot be read.
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

    /// After which a trip is refused: longer than any look takes on a machine that has time, so that it tells nothing of it.
    private static let refusalTime = Duration.milliseconds(5)

    private func found(_ ref: String, _ caller: Caller) async throws -> Found {
        let generation = try board.served()
        let keys = try board.keys()
        // Why it is none is nobody's business; it is looked for all the same, so that the time it takes says as little.
        let id = (try? keys.tripID(of: TripRef(text: ref))) ?? ""
        let scope = ServedFilter(scope: caller.regions)
        let detail = try await read(generation) { (trips) throws -> TripDetail? in
            // Nothing else is read of a trip that is not theirs: the time it takes says nothing of it.
            guard let region = try trips.region(ofTrip: id), scope.mayShow(region: region) else {
                return nil
            }
            return try trips.trip(id: id)
        }
        guard let detail else { throw Problem.noSuchTrip }
        return Found(generation: generation, keys: keys, id: id, detail: detail)
    }

    /// Reads something of one trip; that it cannot be read says that it is there.
    func read<Value: Sendable>(
        _ generation: ServedGeneration,
        _ work: @escaping @Sendable (ServedMart) throws -> Value
    ) async throws -> Value {
        do {
            return try await board.read(generation, work)
        } catch let error as MartError {
            throw Problem.noSuchTrip.caused(by: error)
        }
    }
}
