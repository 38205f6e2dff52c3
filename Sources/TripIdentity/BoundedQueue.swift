import Dispatch
import Synchronization

/// A queue for work that may take long: some pieces at once, in the order in which they come, and
/// no more than a fixed number that wait.
///
/// A piece that finds no space, or that would be too late, is refused at once, so that its caller
/// can answer "try again". The queue has threads of its own: a slow disk or a password hash holds
/// up no thread that answers requests.
public final class BoundedQueue: Sendable {
    /// Why a piece of work has no result.
    public enum Refusal: Error, Sendable {
        /// Too many pieces wait.
        case full
        /// The piece waited too long and was not begun, or it did not end in time.
        case late
    }

    /// How much a queue does and keeps.
    public struct Limits: Sendable {
        /// Pieces that run at once.
        public var width: Int
        /// Pieces that run or wait, at most.
        public var capacity: Int
        /// Milliseconds after which a piece that waits is not begun; nil for no such limit.
        public var waitMax: Int?
        /// Milliseconds after which a caller gets ``Refusal/late`` instead of a result; nil for no
        /// such limit.
        ///
        /// A piece that has begun then ends by itself, and keeps its thread until it does.
        public var timeMax: Int?

        /// Names the limits.
        public init(width: Int, capacity: Int, waitMax: Int? = nil, timeMax: Int? = nil) {
            (self.width, self.capacity) = (width, capacity)
            (self.waitMax, self.timeMax) = (waitMax, timeMax)
        }
    }

    /// Space for one piece of work, taken before it is known whether there will be any.
    ///
    /// The holder gives it to ``run(in:_:)`` or to ``release(_:)``, once.
    struct Reservation: Sendable {
        fileprivate init() {}
    }

    private let limits: Limits
    private let threads: DispatchQueue
    /// Where time limits run out: apart from the work, whose threads may all hang.
    private let clock: DispatchQueue
    private let state = Mutex(State())

    /// A queue of its own threads.
    ///
    /// - Parameters:
    ///   - label: What debuggers show.
    ///   - limits: How much it does and keeps.
    ///   - isUrgent: Whether its threads come before those of other queues.
    public init(_ label: String, _ limits: Limits, isUrgent: Bool = false) {
        precondition(limits.width > 0, "a queue runs something")
        self.limits = limits
        threads = DispatchQueue(
            label: label,
            qos: isUrgent ? .userInitiated : .utility,
            attributes: .concurrent
        )
        clock = DispatchQueue(label: "\(label), time limits", qos: .userInteractive)
    }

    /// Runs a piece of work on a thread of the queue.
    ///
    /// - Parameter body: The work; it may block.
    /// - Returns: Its result.
    /// - Throws: ``Refusal`` where there is no space, or no result in time.
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(Refusal) -> Value {
        guard let reservation = reserve() else { throw .full }
        return try await run(in: reservation, body)
    }

    /// Takes space for one piece of work; nil where there is none.
    func reserve() -> Reservation? {
        state.withLock { state in
            guard state.takenCount < limits.capacity else { return nil }
            state.takenCount += 1
            return Reservation()
        }
    }

    /// Gives back space in which nothing was run.
    func release(_: Reservation) { state.withLock { $0.takenCount -= 1 } }

    /// Runs a piece of work in space that was reserved for it.
    func run<Value: Sendable>(
        in _: Reservation,
        _ body: @escaping @Sendable () -> Value
    ) async throws(Refusal) -> Value {
        let result: Result<Value, Refusal> = await withCheckedContinuation { continuation in
            add(
                Piece(
                    addedAt: .now(),
                    work: {
                        let value = body()
                        return { continuation.resume(returning: .success(value)) }
                    },
                    refuse: { continuation.resume(returning: .failure($0)) }
                )
            )
        }
        return try result.get()
    }

    /// A piece of work; the thread that takes it out of the queue's state answers its caller, so
    /// that this is done once.
    private struct Piece: Sendable {
        let addedAt: DispatchTime
        /// Does the work; what it returns hands the result to the caller.
        let work: @Sendable () -> @Sendable () -> Void
        let refuse: @Sendable (Refusal) -> Void
    }

    private struct State {
        /// Pieces without an answer, by their number.
        var pieces: [Int: Piece] = [:]
        /// The numbers of the next piece to add, of the next to begin, and of the first that may be
        /// unanswered.
        var (nextToAdd, nextToBegin, oldest) = (0, 0, 0)
        var runningCount = 0
        /// Space that is taken: reserved, waiting or running.
        var takenCount = 0
        var isTimed = false

        /// The next piece to begin, which counts as running; nil where none waits, and a thread
        /// less runs.
        mutating func begin() -> (number: Int, piece: Piece)? {
            while nextToBegin < nextToAdd {
                let number = nextToBegin
                nextToBegin += 1
                // A piece that was refused while it waited is gone.
                if let piece = pieces[number] { return (number, piece) }
            }
            runningCount -= 1
            return nil
        }

        /// The first piece without an answer.
        mutating func first() -> (number: Int, piece: Piece)? {
            while oldest < nextToAdd {
                if let piece = pieces[oldest] { return (oldest, piece) }
                oldest += 1
            }
            return nil
        }
    }

    private func add(_ piece: Piece) {
        let (startsThread, startsClock) = state.withLock { state in
            state.pieces[state.nextToAdd] = piece
            state.nextToAdd += 1
            let startsThread = state.runningCount < limits.width
            if startsThread { state.runningCount += 1 }
            let startsClock = limits.timeMax != nil && !state.isTimed
            if startsClock { state.isTimed = true }
            return (startsThread, startsClock)
        }
        if startsThread { threads.async { [self] in work() } }
        if startsClock { time(piece) }
    }

    /// Does one piece after another until none waits.
    private func work() {
        while let (number, piece) = state.withLock({ $0.begin() }) {
            let isLate = limits.waitMax.map { .now() > piece.addedAt + .milliseconds($0) } ?? false
            let answer = isLate ? { piece.refuse(.late) } : piece.work()
            let isAwaited = state.withLock { state in
                state.takenCount -= 1
                return state.pieces.removeValue(forKey: number) != nil
            }
            if isAwaited { answer() }
        }
    }

    /// Looks for late pieces when the time of this one is over.
    ///
    /// One timer at a time: each piece has the same limit, so they run out in the order in which
    /// they came.
    private func time(_ piece: Piece) {
        guard let timeMax = limits.timeMax else { return }
        let end = piece.addedAt + .milliseconds(timeMax)
        clock.asyncAfter(deadline: end) { [self] in
            var late: [Piece] = []
            let next = state.withLock { state -> Piece? in
                while let (number, piece) = state.first() {
                    guard piece.addedAt + .milliseconds(timeMax) <= .now() else { return piece }
                    late.append(piece)
                    state.pieces[number] = nil
                    // One that has begun gives its space back when it ends.
                    if number >= state.nextToBegin { state.takenCount -= 1 }
                }
                state.isTimed = false
                return nil
            }
            for piece in late { piece.refuse(.late) }
            if let next { time(next) }
        }
    }
}
