import Logging
import NIOCore
import Synchronization
import TripDomain
import TripIdentity
import TripMart

/// What routes answer from: the generation that is served, the keys of its trips, and the time.
struct ServerState: Sendable {
    let folder: ServingFolder
    /// What names trips for the outside.
    let keyRing: KeyRing
    /// Now, in seconds of UTC.
    let now: @Sendable () -> Int64
    /// Whether generated trips are served and no others.
    var servesGeneratedTripsOnly = false
    /// Reads and writes the files that answers need.
    ///
    /// Two at once read a disk and compute; more would only wait for each other. 2,000 requests is
    /// what as many connections have under way; 300 milliseconds of waiting leave most of the 1.2 s
    /// that a caller has for everything; and two seconds are the longest an answer takes, as on a
    /// disk that hangs.
    var files = BoundedQueue(
        "files",
        .init(width: System.coreCount, capacity: 2_000, waitMax: 300, timeMax: 2_000),
        isUrgent: true
    )
    /// Answers that are the same for every caller who may see the same.
    let cache = AnswerCache()

    /// The generation to answer from; a route keeps to it until its answer is whole.
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

    /// Reads trips of a generation, on a thread that may block.
    ///
    /// - Throws: What reading throws; where the file is damaged, ``GenerationWatch`` inspects it
    ///   next.
    func read<Value: Sendable>(
        _ generation: ServedGeneration,
        _ work: @escaping @Sendable (ServedMart) throws -> Value
    ) async throws -> Value {
        do {
            return try await onDisk { try work(generation.trips) }
        } catch let error as MartError {
            folder.suspect()
            throw error
        }
    }

    /// Runs work that needs files, on a thread that may block.
    ///
    /// - Throws: What the work throws; ``Problem/tooBusy`` where it was not begun or did not end in
    ///   time.
    func onDisk<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do throws(BoundedQueue.Refusal) {
            result = try await files.run { Result(catching: work) }
        } catch {
            throw Problem.tooBusy
        }
        return try result.get()
    }

    /// Refuses to answer from the trips of a generation that has them elsewhere.
    ///
    /// - Throws: ``Problem/tripsElsewhere``.
    func requireTrips(_ generation: ServedGeneration) throws(Problem) {
        guard generation.hasTrips else { throw .tripsElsewhere }
    }

    /// The keys that name trips.
    func keys() throws(Problem) -> MartKeys {
        guard let keys = keyRing.keys else { throw .tripsNotServed }
        return keys
    }

    /// Whether what the mart's link names cannot be read.
    var isFallenBack: Bool { folder.isFallenBack }
}

/// The mart's keys, as soon as there are some: a mart gets its key file with its first generation.
final class KeyRing: Sendable {
    private let path: String?
    private let folder: MartFolder
    private let state = Mutex<MartKeys?>(nil)

    /// Opens the keys, if they are there.
    ///
    /// - Parameters:
    ///   - path: The key file; nil serves no single trips.
    ///   - folder: The mart.
    ///   - isRequired: Whether a file that is missing where the mart has generations is a fault.
    /// - Throws: ``MartError`` where the file is not the mart's.
    init(path: String?, folder: MartFolder, isRequired: Bool) throws(MartError) {
        (self.path, self.folder) = (path, folder)
        do throws(MartError) {
            try open()
        } catch {
            guard error.code == .keyMissing, !isRequired else { throw error }
        }
    }

    /// The keys; nil where there are none yet.
    var keys: MartKeys? { state.withLock { $0 } }

    /// Opens them where they were not there yet: a generation was published.
    func openIfMissing(_ logger: Logger) {
        guard keys == nil else { return }
        do throws(MartError) {
            try open()
        } catch {
            logger.warning(
                "the key file cannot be used",
                metadata: ["code": "\(error.code.rawValue)"]
            )
        }
    }

    private func open() throws(MartError) {
        guard let path else { return }
        let keys = try MartKeys.open(keyFile: path, for: folder)
        state.withLock { $0 = keys }
    }
}
