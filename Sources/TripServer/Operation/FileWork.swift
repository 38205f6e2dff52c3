import NIOCore
import NIOPosix
import Synchronization

/// Work on files that answers wait for: done on threads that may wait, one after another as it was asked for, and
/// given up where the answer would come too late.
///
/// Where more is asked than can be done, what is begun is still answered in time, and the others are told to come again.
struct FileWork: Sendable {
    /// What has waited for longer is not begun.
    ///
    /// Whoever asks has 1.2 s for everything, and had a handshake before and has a way back.
    var waitMax = TimeAmount.milliseconds(300)
    /// What takes longer, as on a disk that hangs, is answered without it and ends by itself.
    ///
    /// Two seconds: the ceiling of what the server does for an answer.
    var timeMax = TimeAmount.seconds(2)
    /// Where others have waited for longer, who comes now would take a handshake and then wait for most of their time.
    ///
    /// Those who come a second late, because they found no place before, have 200 ms for everything.
    var waitWanted = TimeAmount.milliseconds(25)
    /// Its threads.
    var pool = NIOThreadPool.singleton
    private let line = Line()

    /// Those who wait.
    private final class Line: Sendable {
        let count = Atomic(0)
        /// How long the one that was begun last had waited, and when that was, in nanoseconds.
        let waited = Atomic<Int64>(0)
        let begunAt = Atomic<UInt64>(0)

        /// One of them is begun.
        func note(_ begunAt: NIODeadline, _ askedAt: NIODeadline) {
            count.subtract(1, ordering: .relaxed)
            waited.store((begunAt - askedAt).nanoseconds, ordering: .relaxed)
            self.begunAt.store(begunAt.uptimeNanoseconds, ordering: .relaxed)
        }
    }

    /// How many pieces of work were asked for and are not begun.
    var waitingCount: Int { line.count.load(ordering: .relaxed) }

    /// Whether some wait, and for longer than is wanted; not where what was begun hangs: nobody knows for how long then.
    var isBehind: Bool {
        guard waitingCount > 0,
            line.waited.load(ordering: .relaxed) > waitWanted.nanoseconds
        else { return false }
        return .now() - .uptimeNanoseconds(line.begunAt.load(ordering: .relaxed)) <= timeMax
    }

    /// Does a piece of work.
    ///
    /// - Parameter work: The work, which may wait for a disk.
    /// - Returns: What came of it.
    /// - Throws: What the work throws; ``Problem/tooBusy`` where it was not begun or not ended in time.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let askedAt = NIODeadline.now()
        let (waitMax, timeMax) = (waitMax, timeMax)
        return try await withCheckedThrowingContinuation { continuation in
            let answer = FirstAnswer(continuation)
            let end = MultiThreadedEventLoopGroup.singleton.next()
                .scheduleTask(deadline: askedAt + timeMax) {
                    answer.give(.failure(Problem.tooBusy))
                }
            line.count.add(1, ordering: .relaxed)
            pool.submit { [line] state in
                defer { end.cancel() }
                let begunAt = NIODeadline.now()
                line.note(begunAt, askedAt)
                let isInTime = begunAt - askedAt <= waitMax
                answer.give(
                    state == .active && isInTime
                        ? Result(catching: work) : .failure(Problem.tooBusy)
                )
            }
        }
    }
}

/// Who waits for an answer, and gets the first one there is.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let continuation: CheckedContinuation<Value, any Error>
    private let isGiven = Atomic(false)

    init(_ continuation: CheckedContinuation<Value, any Error>) { self.continuation = continuation }

    func give(_ answer: Result<Value, any Error>) {
        guard !isGiven.exchange(true, ordering: .acquiringAndReleasing) else { return }
        continuation.resume(with: answer)
    }
}
