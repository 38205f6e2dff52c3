import Glibc
import Synchronization
import TripDomain

/// One report of long work.
public struct WorkProgress: Sendable {
    /// A count that has been reached, with its noun.
    public struct Amount: Sendable, Hashable {
        /// How many things are done.
        public let count: Int64
        /// How many there are in all; nil where only the count is known.
        public let total: Int64?
        /// The things, in the singular.
        public let noun: String

        /// Counts things.
        init(_ count: Int64, of total: Int64? = nil, _ noun: String) {
            self.count = count
            self.total = total
            self.noun = noun
        }
    }

    /// The name of the stage.
    public let stage: String
    /// Units finished.
    public let done: Int64
    /// Units in all; 0 where not known.
    public let total: Int64
    /// The counts that have been reached.
    public let amounts: [Amount]
    /// What the stage found, as a clause; empty where it found nothing that is worth a word.
    public let finding: String
    /// The time since the stage began.
    public let milliseconds: Int64
    /// Whether the stage has ended.
    public let isFinal: Bool
}

/// The progress of long work, reported stage by stage to one watcher, from any thread.
public final class Progress: @unchecked Sendable {
    // Sendable because all state is touched under the lock.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// Lets one report be made at a time, and in order; working threads do not wait for it.
    private let telling = Mutex<Void>(())
    private let watch: (@Sendable (WorkProgress) -> Void)?
    private var stage = ""
    private var startedAt: Int64 = 0
    private var lastToldAt: Int64 = 0
    private var total: Int64 = 0
    /// More than ten reports a second would only cost time.
    private static let pauseMilliseconds: Int64 = 100

    /// Prepares progress.
    ///
    /// - Parameter watch: Called for every stage that begins, ten times a second with its progress,
    ///   and when it ends; nil where nothing is shown.
    public init(_ watch: (@Sendable (WorkProgress) -> Void)? = nil) {
        self.watch = watch
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
        guard let watch else { return }
        let begun = locked {
            self.stage = stage
            startedAt = Self.milliseconds()
            (lastToldAt, total) = (0, 0)
            return report(done: 0, [], "", now: startedAt, isFinal: false)
        }
        telling.withLock { _ in watch(begun) }
    }

    /// Reports the progress of the stage.
    ///
    /// - Parameters:
    ///   - done: Units finished.
    ///   - total: Units in all; 0 where unknown.
    ///   - amounts: The counts that have been reached.
    func update(done: Int64, total: Int64, _ amounts: WorkProgress.Amount...) {
        guard let watch else { return }
        let reached: WorkProgress? = locked {
            let now = Self.milliseconds()
            self.total = total
            guard now - lastToldAt >= Self.pauseMilliseconds else { return nil }
            lastToldAt = now
            return report(done: done, amounts, "", now: now, isFinal: false)
        }
        // While a report is being made, this one is skipped: the next one shows more.
        if let reached { _ = telling.withLockIfAvailable { _ in watch(reached) } }
    }

    /// Ends the stage.
    ///
    /// - Parameters:
    ///   - amounts: The counts that were reached.
    ///   - finding: What the stage found, as a clause.
    func end(_ amounts: WorkProgress.Amount..., finding: String = "") {
        guard let watch else { return }
        let ended = locked {
            total = max(total, 1)
            return report(
                done: total,
                amounts,
                finding,
                now: Self.milliseconds(),
                isFinal: true
            )
        }
        telling.withLock { _ in watch(ended) }
    }

    private func report(
        done: Int64,
        _ amounts: [WorkProgress.Amount],
        _ finding: String,
        now: Int64,
        isFinal: Bool
    ) -> WorkProgress {
        WorkProgress(
            stage: stage,
            done: done,
            total: total,
            amounts: amounts,
            finding: finding,
            milliseconds: now - startedAt,
            isFinal: isFinal
        )
    }

    private func locked<Value>(_ work: () -> Value) -> Value {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return work()
    }
}

/// Counts the trips of batches that several threads work on.
final class BatchProgress: Sendable {
    private let progress: Progress
    private let batchCount: Int
    private let batches = Atomic<Int64>(0)
    private let trips = Atomic<Int64>(0)

    /// Begins a stage.
    ///
    /// - Parameters:
    ///   - progress: Where progress is reported.
    ///   - stage: The name of the stage.
    ///   - batchCount: The number of batches.
    init(_ progress: Progress, stage: String, batchCount: Int) {
        self.progress = progress
        self.batchCount = batchCount
        progress.begin(stage)
    }

    private var amount: WorkProgress.Amount {
        WorkProgress.Amount(trips.load(ordering: .relaxed), "trip")
    }

    /// Counts a finished batch.
    func add(trips count: Int) {
        trips.add(Int64(count), ordering: .relaxed)
        let done = batches.add(1, ordering: .relaxed).newValue
        progress.update(done: done, total: Int64(batchCount), amount)
    }

    /// Ends the stage.
    func end() { progress.end(amount) }
}

/// Counts finished files, from any thread.
final class FileProgress: Sendable {
    private let progress: Progress
    private let total: Int64
    private let done = Atomic<Int64>(0)

    /// Begins a stage.
    init(_ progress: Progress, stage: String, total: Int) {
        self.progress = progress
        self.total = Int64(total)
        progress.begin(stage)
    }

    /// Counts one more finished file.
    func add() {
        let done = done.add(1, ordering: .relaxed).newValue
        progress.update(done: done, total: total, amount(done))
    }

    /// Ends the stage.
    func end() { progress.end(amount(done.load(ordering: .relaxed))) }

    private func amount(_ done: Int64) -> WorkProgress.Amount {
        WorkProgress.Amount(done, of: total, "file")
    }
}
