import Synchronization
import TripDomain

/// The generation a server answers from: the one the mart's link names, as long as it can be read.
///
/// Safe to be shared between threads. Whoever asks gets one whole generation and keeps it for as long as
/// the answer takes; moving on to a newer one waits for nobody. Its own methods are called by one watcher, one after the
/// other.
public final class ServingFolder: Sendable {
    private let folder: MartFolder
    private let state = Mutex(State())

    private struct State {
        var served: ServedGeneration?
        /// Those before it, newest first.
        var older: [ServedGeneration] = []
        var failure: Failure?

        mutating func move(to generation: ServedGeneration) {
            let number = generation.header.number
            let others = ([served].compactMap(\.self) + older).filter { $0.header.number != number }
            older = Array(others.prefix(ServingFolder.olderLimit))
            (served, failure) = (generation, nil)
        }

        /// Serves another one instead of a damaged one, which is not even kept for lists.
        mutating func replace(_ number: Int, by other: ServedGeneration?) {
            older.removeAll { [number, other?.header.number].contains($0.header.number) }
            served = other
        }
    }

    /// How many generations stay open beside the served one, for lists that are being read.
    private static let olderLimit = 2

    /// What the link named when it could not be served, and why not.
    private struct Failure: Equatable {
        let generation: Int?
        let code: MartError.Code
    }

    /// What looking for a newer generation came to.
    public enum Change: Sendable {
        /// The link names what is served already.
        case none
        /// Another generation is served from now on.
        case moved(ServedGeneration)
        /// The generation the link names cannot be read; what was served before still is, or an older one
        /// that can be read, if there is any.
        case failed(generation: Int?, MartError)
        /// The served generation could not be compared with its sums, which says nothing of its bytes.
        case uninspected(generation: Int, MartError)
    }

    /// Names the mart; nothing is served before the first ``refresh()``.
    public init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// What is served now; nil where nothing is published, or nothing of it can be read.
    public var current: ServedGeneration? { state.withLock { $0.served } }

    /// A generation that is served, or was until shortly.
    ///
    /// - Parameter number: The generation.
    /// - Returns: The generation; nil where it is none of the last three served.
    public func generation(_ number: Int) -> ServedGeneration? {
        state.withLock { state in
            ([state.served].compactMap(\.self) + state.older).first { $0.header.number == number }
        }
    }

    /// Whether the link names what cannot be read, so that something older is served, or nothing.
    public var isFallenBack: Bool { state.withLock { $0.failure != nil } }

    /// Looks where the link points, and moves on where that is another generation.
    ///
    /// - Returns: What changed; a failure is reported once.
    /// - Complexity: One look at the link where nothing changed; else O(*n*) in the bytes of the file, or
    ///   in the cells of the cube where nothing was served before.
    public func refresh() -> Change {
        do throws(MartError) {
            guard let number = try folder.servedNumber() else { return .none }
            let isKnown = state.withLock { state in
                if state.served?.header.number == number {
                    // Whatever the link named in between, it names what is served.
                    state.failure = nil
                    return true
                }
                return state.failure.map { $0.generation == number } ?? false
            }
            return isKnown ? .none : open(number)
        } catch {
            return fail(nil, error)
        }
    }

    private func open(_ number: Int) -> Change {
        do throws(MartError) {
            // At a start there is nothing to serve meanwhile: then ``inspect()`` looks at it afterwards.
            if current != nil { try SumFile.verify(folder.generationPath(number)) }
            let generation = try ServedGeneration(folder, number: number)
            state.withLock { $0.move(to: generation) }
            return .moved(generation)
        } catch {
            return fail(number, error)
        }
    }

    /// Compares the served generation with the check sums beside its file, byte by byte.
    ///
    /// - Returns: ``Change/failed(generation:_:)`` where a byte differs; it is then no longer served.
    ///   ``Change/uninspected(generation:_:)`` where files cannot be read: what is in memory is as whole as it was.
    /// - Complexity: O(*n*) in the bytes of the file.
    public func inspect() -> Change {
        guard let number = current?.header.number else { return .none }
        do throws(MartError) {
            try SumFile.verify(folder.generationPath(number))
            return .none
        } catch {
            guard error.code == .damaged else { return .uninspected(generation: number, error) }
            // Found before the damaged one is let go of, so that nobody is left without an answer.
            let other = newestWhole(below: number)
            state.withLock { $0.replace(number, by: other) }
            return note(Failure(generation: number, code: error.code), error)
        }
    }

    /// Tries again what could not be served.
    ///
    /// - Returns: What changed; a failure that is still the same is not reported once more.
    public func retry() -> Change {
        guard isFallenBack else { return .none }
        do throws(MartError) {
            // What the link names now, which may be another one than failed.
            guard let number = try folder.servedNumber() else { return .none }
            if current?.header.number == number { return refresh() }
            try SumFile.verify(folder.generationPath(number))
            return open(number)
        } catch {
            if current == nil { fallBack(below: nil) }
            return .none
        }
    }

    /// Keeps what is served, or takes the newest older generation that is whole.
    private func fail(_ number: Int?, _ error: MartError) -> Change {
        let failure = Failure(generation: number, code: error.code)
        let isKnown = state.withLock { $0.failure == failure }
        if current == nil, !isKnown { fallBack(below: number) }
        return note(failure, error)
    }

    /// Notes a failure, and reports it where it is another one than before.
    private func note(_ failure: Failure, _ error: MartError) -> Change {
        let wasKnown = state.withLock { state in
            defer { state.failure = failure }
            return state.failure == failure
        }
        return wasKnown ? .none : .failed(generation: failure.generation, error)
    }

    private func fallBack(below number: Int?) {
        guard let found = newestWhole(below: number) else { return }
        state.withLock { $0.served = $0.served ?? found }
    }

    /// The newest generation before one whose files can be read and have all their bytes.
    private func newestWhole(below number: Int?) -> ServedGeneration? {
        // A folder that cannot be listed leaves nothing to fall back to; the failure is reported.
        let others = (try? folder.generationNumbers()) ?? []
        return others.reversed().lazy.filter { $0 < number ?? .max }.compactMap { self.whole($0) }
            .first
    }

    /// A generation that is whole, the open one where it is; nil leads to the next older one.
    private func whole(_ number: Int) -> ServedGeneration? {
        do throws(MartError) {
            try SumFile.verify(folder.generationPath(number))
            if let open = generation(number) { return open }
            return try ServedGeneration(folder, number: number)
        } catch {
            return nil
        }
    }
}
