import Synchronization
import TripDomain

/// The generation that a server answers from: the one that the mart's link names, as long as it can
/// be read.
///
/// It can be shared between threads. A request gets one complete generation and keeps it until its
/// response is complete; the change to a newer one waits for no request. One watcher calls its
/// other methods, one after the other.
public final class ServingFolder: Sendable {
    private let folder: MartFolder
    let history: HistoryIndex
    let earlierNumbers = EarlierNumbersCache()
    private let state = Mutex(State())

    private struct State {
        var served: ServedGeneration?
        /// The earlier ones, newest first.
        var older: [ServedGeneration] = []
        var failure: Failure?
        /// The metadata of the served file when it was last opened or inspected.
        var mark: FileMark?
        /// Whether a part of an open generation could not be read.
        var isSuspect = false

        var open: [ServedGeneration] { [served].compactMap(\.self) + older }

        mutating func move(to generation: ServedGeneration) {
            let number = generation.header.number
            let others = open.filter { $0.header.number != number }
            older = Array(others.prefix(ServingFolder.olderLimit))
            (served, failure) = (generation, nil)
        }

        /// Serves another generation instead of a damaged one, which is not even kept for lists.
        mutating func replace(_ number: Int, by other: ServedGeneration?) {
            older.removeAll { [number, other?.header.number].contains($0.header.number) }
            served = other
        }
    }

    /// The number of generations that stay open besides the served one, for clients that page
    /// through lists.
    private static let olderLimit = 2

    /// The generation that the link named and that could not be served, and the reason.
    private struct Failure: Equatable {
        let generation: Int?
        let code: MartError.Code
        /// The metadata of its files: where it changes, an operator may have restored them.
        let marks: [FileMark?]
    }

    /// The result of looking for a newer generation.
    public enum Change: Sendable {
        /// The link names the served generation.
        case none
        /// Another generation is served from now on.
        case moved(ServedGeneration)
        /// The generation that the link names cannot be read; the earlier one is still served, or
        /// an older readable one, if there is any.
        case failed(generation: Int?, MartError)
        /// The served generation could not be compared with its checksums, which does not mean that
        /// it is damaged.
        case uninspected(generation: Int, MartError)
        /// An older generation, which is open for clients that page through lists, is damaged:
        /// those lists end.
        case closed(generation: Int, MartError)
    }

    /// Creates the folder of a mart; no generation is served before the first ``refresh()``.
    public init(_ folder: MartFolder) {
        self.folder = folder
        history = HistoryIndex(folder)
    }

    /// The served generation; nil where none is published, or none can be read.
    public var current: ServedGeneration? { state.withLock { $0.served } }

    /// A generation that is served, or was served recently.
    ///
    /// - Parameter number: The generation.
    /// - Returns: The generation; nil where it is not one of the last three served.
    public func generation(_ number: Int) -> ServedGeneration? {
        state.withLock { $0.open.first { $0.header.number == number } }
    }

    /// Reports that a part of an open generation could not be read; the watcher then inspects all
    /// open generations.
    public func suspect() { state.withLock { $0.isSuspect = true } }

    /// Whether ``suspect()`` was called since the last call of this function.
    public func takeSuspicion() -> Bool {
        state.withLock { state in
            defer { state.isSuspect = false }
            return state.isSuspect
        }
    }

    /// Whether the link names a generation that cannot be read, so that an older one is served, or
    /// none.
    public var isFallenBack: Bool { state.withLock { $0.failure != nil } }

    /// Reads the link, and serves another generation where the link has changed.
    ///
    /// A served file that was replaced or removed is inspected; a failed one that was replaced is
    /// tried again.
    ///
    /// - Returns: What changed; a failure is reported once.
    /// - Complexity: Reading the link and the file's metadata where nothing changed; otherwise
    ///   O(*n*) in the bytes of the file, or in the cells of the cube where nothing was served
    ///   before.
    public func refresh() -> Change {
        do throws(MartError) {
            guard let number = try folder.servedNumber() else {
                return try current != nil ? fail(nil, folder.lostLink()) : .none
            }
            let (served, mark, failure) = state.withLock { state in
                if state.served?.header.number == number, state.failure?.generation != number {
                    // The link names the served generation again, whatever it named in between.
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
            // At the start of the server no older generation could be served meanwhile: then
            // ``inspect()`` checks the file afterwards.
            if current != nil { try SumFile.verify(folder.generationPath(number)) }
            let mark = FileMark(folder.generationPath(number))
            let generation = try ServedGeneration(folder, number: number, history: history)
            state.withLock { state in
                state.move(to: generation)
                state.mark = mark
            }
            return .moved(generation)
        } catch {
            return fail(number, error)
        }
    }

    /// Compares every open generation with its checksums, byte by byte.
    ///
    /// - Returns: For each open generation, ``Change/failed(generation:_:)`` or
    ///   ``Change/closed(generation:_:)`` where a byte differs; it is then no longer served.
    ///   ``Change/uninspected(generation:_:)`` where files cannot be read: the open generations are
    ///   unaffected.
    /// - Complexity: O(*n*) in the bytes of the files.
    public func inspect() -> [Change] {
        state.withLock { $0.open }.map { generation in
            current === generation ? inspect(generation) : inspectOlder(generation)
        }
    }

    /// Inspects the served generation; one whose file was removed stays served only where no older
    /// one is undamaged.
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
            // Found before the damaged one is dropped, so that no request is left without a
            // generation.
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

    /// Inspects a generation that is open for lists alone; where its file is missing, it was
    /// pruned.
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

    /// Tries a failed generation again.
    ///
    /// - Returns: What changed; an unchanged failure is not reported again.
    public func retry() -> Change {
        guard isFallenBack else { return .none }
        do throws(MartError) {
            // The link may now name another generation than the failed one.
            guard let number = try folder.servedNumber() else { throw try folder.lostLink() }
            if current?.header.number == number { return refresh() }
            try SumFile.verify(folder.generationPath(number))
            return open(number)
        } catch {
            if current == nil { fallBack(below: nil) }
            return .none
        }
    }

    /// Keeps the served generation, or serves the newest older one that is undamaged.
    private func fail(_ number: Int?, _ error: MartError) -> Change {
        let failure = failure(number, error)
        let isKnown = state.withLock { $0.failure == failure }
        if current == nil, !isKnown { fallBack(below: number) }
        return note(failure, error)
    }

    private func failure(_ number: Int?, _ error: MartError) -> Failure {
        Failure(generation: number, code: error.code, marks: number.map(marks) ?? [])
    }

    /// The metadata of a generation's files.
    private func marks(_ number: Int) -> [FileMark?] {
        let path = folder.generationPath(number)
        return [path, SumFile.path(for: path), folder.kpiPath(number)].map { FileMark($0) }
    }

    /// Stores a failure, and reports it where it differs from the one before.
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

    /// The newest generation before a given one whose files can be read and match their checksums.
    private func newestWhole(below number: Int?) -> ServedGeneration? {
        // Without a list of the folder there is no older generation; the failure itself is
        // reported.
        let others = (try? folder.generations(before: number)) ?? []
        return others.lazy.compactMap { self.whole($0) }.first
    }

    /// An undamaged generation, the open object where there is one; nil leads to the next older
    /// one.
    private func whole(_ number: Int) -> ServedGeneration? {
        do throws(MartError) {
            try SumFile.verify(folder.generationPath(number))
            if let open = generation(number) { return open }
            return try ServedGeneration(folder, number: number, history: history)
        } catch {
            return nil
        }
    }
}
