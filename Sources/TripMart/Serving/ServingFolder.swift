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
        /// How the served file was when it was opened or inspected last.
        var mark: FileMark?
        /// Whether something of an open generation could not be read.
        var isSuspect = false

        var open: [ServedGeneration] { [served].compactMap(\.self) + older }

        mutating func move(to generation: ServedGeneration) {
            let number = generation.header.number
            let others = open.filter { $0.header.number != number }
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
        /// How its files were: where they change, somebody may have put them back.
        let marks: [FileMark?]
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
        /// An older generation, open for lists that are being read, is damaged: they end.
        case closed(generation: Int, MartError)
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
        state.withLock { $0.open.first { $0.header.number == number } }
    }

    /// Says that something of an open generation could not be read: whoever watches inspects all that are open.
    public func suspect() { state.withLock { $0.isSuspect = true } }

    /// Whether somebody said so since this was asked last.
    public func takeSuspicion() -> Bool {
        state.withLock { state in
            defer { state.isSuspect = false }
            return state.isSuspect
        }
    }

    /// Whether the link names what cannot be read, so that something older is served, or nothing.
    public var isFallenBack: Bool { state.withLock { $0.failure != nil } }

    /// Looks where the link points, and moves on where that is another generation.
    ///
    /// A served file that is another one than was opened, or is gone, is inspected; one that failed and is another one
    /// since is tried again.
    ///
    /// - Returns: What changed; a failure is reported once.
    /// - Complexity: One look at the link and at the file where nothing changed; else O(*n*) in the bytes of the file, or
    ///   in the cells of the cube where nothing was served before.
    public func refresh() -> Change {
        do throws(MartError) {
            guard let number = try folder.servedNumber() else {
                // Before the first link there is a file without one; later a link that is gone was taken away.
                let count = try folder.generationNumbers().count
                return current != nil || count > 1 ? fail(nil, folder.noLink()) : .none
            }
            let (served, mark, failure) = state.withLock { state in
                if state.served?.header.number == number, state.failure?.generation != number {
                    // Whatever the link named in between, it names what is served.
                    state.failure = nil
                }
                return (state.served, state.mark, state.failure)
            }
            if let served, served.header.number == number {
                return FileMark(folder.generationPath(number)) == mark ? .none : inspect(served)
            }
            guard let failure, failure.generation == number else { return open(number) }
            return failure.marks == marks(number) ? .none : retry()
        } catch {
            return fail(nil, error)
        }
    }

    private func open(_ number: Int) -> Change {
        do throws(MartError) {
            // At a start there is nothing to serve meanwhile: then ``inspect()`` looks at it afterwards.
            if current != nil { try SumFile.verify(folder.generationPath(number)) }
            let mark = FileMark(folder.generationPath(number))
            let generation = try ServedGeneration(folder, number: number)
            state.withLock { state in
                state.move(to: generation)
                state.mark = mark
            }
            return .moved(generation)
        } catch {
            return fail(number, error)
        }
    }

    /// Compares every open generation with the check sums beside its file, byte by byte.
    ///
    /// - Returns: For each ``Change/failed(generation:_:)`` or ``Change/closed(generation:_:)`` where a byte differs; it is
    ///   then no longer served. ``Change/uninspected(generation:_:)`` where files cannot be read: what is open is as whole
    ///   as it was.
    /// - Complexity: O(*n*) in the bytes of the files.
    public func inspect() -> [Change] {
        state.withLock { $0.open }.map { generation in
            current === generation ? inspect(generation) : inspectOlder(generation)
        }
    }

    /// The same of the served one; one whose file is gone is served only where nothing older is whole.
    private func inspect(_ generation: ServedGeneration) -> Change {
        let number = generation.header.number
        let path = folder.generationPath(number)
        let mark = FileMark(path)
        do throws(MartError) {
            try SumFile.verify(path)
            state.withLock { state in
                state.mark = mark
                if state.failure?.generation == number { state.failure = nil }
            }
            return .none
        } catch {
            guard error.code == .damaged || mark == nil else {
                state.withLock { $0.mark = mark }
                return .uninspected(generation: number, error)
            }
            // Found before the damaged one is let go of, so that nobody is left without an answer.
            let other = newestWhole(below: number)
            state.withLock { state in
                state.mark = mark
                guard other != nil || error.code == .damaged else { return }
                state.replace(number, by: other)
                state.mark = other.flatMap { FileMark(folder.generationPath($0.header.number)) }
            }
            return note(failure(number, error), error)
        }
    }

    /// The same of one that is open for lists alone; where its file is gone, it was pruned.
    private func inspectOlder(_ generation: ServedGeneration) -> Change {
        let number = generation.header.number
        do throws(MartError) {
            try SumFile.verify(folder.generationPath(number))
            return .none
        } catch {
            guard error.code == .damaged else { return .none }
            state.withLock { $0.older.removeAll { $0 === generation } }
            return .closed(generation: number, error)
        }
    }

    /// Tries again what could not be served.
    ///
    /// - Returns: What changed; a failure that is still the same is not reported once more.
    public func retry() -> Change {
        guard isFallenBack else { return .none }
        do throws(MartError) {
            // What the link names now, which may be another one than failed.
            guard let number = try folder.servedNumber() else { throw folder.noLink() }
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
        let failure = failure(number, error)
        let isKnown = state.withLock { $0.failure == failure }
        if current == nil, !isKnown { fallBack(below: number) }
        return note(failure, error)
    }

    private func failure(_ number: Int?, _ error: MartError) -> Failure {
        Failure(generation: number, code: error.code, marks: number.map(marks) ?? [])
    }

    /// How the files of a generation are.
    private func marks(_ number: Int) -> [FileMark?] {
        let path = folder.generationPath(number)
        return [path, SumFile.path(for: path), folder.kpiPath(number)].map { FileMark($0) }
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
        let mark = FileMark(folder.generationPath(found.header.number))
        state.withLock { state in
            guard state.served == nil else { return }
            (state.served, state.mark) = (found, mark)
        }
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
