import Glibc
import Synchronization
public import TripMart

/// Shows the progress of long work on a terminal, or reports it to a callback.
///
///     reading     ████████░░░░░░░░ 2 of 3 files   20,412 records   0.1 s   eta 0.1 s
public final class Progress: @unchecked Sendable {
    // Sendable because all state is touched under the lock.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// Lets one report be made at a time, and in order; working threads do not wait for it.
    private let telling = Mutex<Void>(())
    private let isShown: Bool
    private let tell: (@Sendable (RunStage) -> Void)?
    private var isWatched: Bool { isShown || tell != nil }
    private var stage = ""
    private var startedAt: Int64 = 0
    private var lastDrawnAt: Int64 = 0
    private var total: Int64 = 0
    /// Redrawing more than ten times a second would only cost time.
    private static let redrawMilliseconds: Int64 = 100
    private static let width = 16

    /// Prepares progress.
    ///
    /// - Parameters:
    ///   - isShown: Whether to draw; as a rule, whether stderr is a terminal.
    ///   - tell: Called for every stage that begins, and ten times a second with its progress.
    public init(isShown: Bool, tell: (@Sendable (RunStage) -> Void)? = nil) {
        self.isShown = isShown
        self.tell = tell
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Milliseconds of a monotonic clock.
    public static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Begins a stage.
    func begin(_ stage: String) {
        guard isWatched else { return }
        let begun = locked {
            self.stage = stage
            startedAt = Self.milliseconds()
            (lastDrawnAt, total) = (0, 0)
            return draw(done: 0, total: 0, detail: "", now: startedAt, isFinal: false)
        }
        telling.withLock { _ in tell?(begun) }
    }

    /// Reports the progress of the stage.
    ///
    /// - Parameters:
    ///   - done: Units finished.
    ///   - total: Units in all; 0 where unknown.
    ///   - detail: What to show beside the bar.
    func update(done: Int64, total: Int64, detail: String) {
        guard isWatched else { return }
        let reached: RunStage? = locked {
            let now = Self.milliseconds()
            self.total = total
            guard now - lastDrawnAt >= Self.redrawMilliseconds else { return nil }
            lastDrawnAt = now
            return draw(done: done, total: total, detail: detail, now: now, isFinal: false)
        }
        // While a report is being made, this one is skipped: the next one shows more.
        if let reached { _ = telling.withLockIfAvailable { _ in tell?(reached) } }
    }

    /// Ends the stage and keeps its line on the terminal.
    func end(detail: String) {
        guard isWatched else { return }
        let ended = locked {
            let all = max(total, 1)
            return draw(
                done: all,
                total: all,
                detail: detail,
                now: Self.milliseconds(),
                isFinal: true
            )
        }
        telling.withLock { _ in tell?(ended) }
    }

    /// Draws where progress is shown, and returns the stage for the report.
    private func draw(
        done: Int64,
        total: Int64,
        detail: String,
        now: Int64,
        isFinal: Bool
    ) -> RunStage {
        let reached = RunStage(name: stage, done: done, total: total)
        guard isShown else { return reached }
        let share = total > 0 ? min(done, total) * Int64(Self.width) / total : 0
        let bar =
            String(repeating: "█", count: Int(share))
            + String(repeating: "░", count: Self.width - Int(share))
        let spent = now - startedAt
        var line = stage + String(repeating: " ", count: max(1, 12 - stage.count)) + bar
        line += " \(detail)   \(NumberFormat.seconds(spent))"
        if !isFinal, done > 0, total > done, spent > 1000 {
            line += "   eta \(NumberFormat.seconds(spent * (total - done) / done))"
        }
        write("\r\u{1B}[K" + line + (isFinal ? "\n" : ""))
        return reached
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)
        // A terminal that was closed must not stop the run.
        _ = Glibc.write(2, &bytes, bytes.count)
    }

    private func locked<Value>(_ work: () -> Value) -> Value {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return work()
    }
}
