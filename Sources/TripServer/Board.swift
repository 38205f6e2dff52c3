import TripDomain
import TripMart

/// What routes answer from: the generation that is served, the keys of its trips, and the time.
struct Board: Sendable {
    let folder: ServingFolder
    /// What names trips for the outside.
    let keyRing: KeyRing
    /// Now, in seconds of UTC.
    let now: @Sendable () -> Int64
    /// Whether generated trips are served and no others.
    var servesGeneratedTripsOnly = false
    /// What reads and writes the files that answers need.
    var files = FileWork()
    /// Answers that are the same for everybody who may see the same.
    let cache = AnswerCache()

    /// The generation to answer from; whoever asks keeps to it until the answer is whole.
    func served() throws(Problem) -> ServedGeneration {
        guard let generation = folder.current.flatMap(served) else { throw .nothingServed }
        return generation
    }

    /// A generation that is served, or was until shortly; nil where it is too old.
    func generation(_ number: Int) -> ServedGeneration? {
        folder.generation(number).flatMap(served)
    }

    /// A generation, where it is one this server may serve.
    private func served(_ generation: ServedGeneration) -> ServedGeneration? {
        mayServe(generation) ? generation : nil
    }

    /// Whether its trips are such as this server serves.
    func mayServe(_ generation: ServedGeneration) -> Bool {
        generation.header.isSynthetic || !servesGeneratedTripsOnly
    }

    /// Reads trips of a generation, on a thread that may wait.
    ///
    /// - Throws: What reading throws; where the file is damaged, it is inspected at the next look.
    func read<Value: Sendable>(
        _ generation: ServedGeneration,
        _ work: @escaping @Sendable (ServedMart) throws -> Value
    ) async throws -> Value {
        do {
            return try await files.perform { try work(generation.trips) }
        } catch let error as MartError {
            folder.suspect()
            throw error
        }
    }

    func keys() throws(Problem) -> MartKeys {
        guard let keys = keyRing.keys else { throw .tripsNotServed }
        return keys
    }

    /// Whether what the mart's link names cannot be read.
    var isFallenBack: Bool { folder.isFallenBack }
}
