internal import Dispatch
internal import Glibc
internal import Synchronization

/// Independent jobs on several threads: the one parallel loop of the program.
///
/// Jobs are handed out in order to whichever thread is free, so that one long job does not hold up
/// the others. A job's result may depend on its index alone; then no result depends on the number
/// of threads.
public enum Parallel {
    /// Runs jobs and returns when all are done.
    ///
    /// - Parameters:
    ///   - count: The number of jobs.
    ///   - threads: The greatest number of jobs that run at once; by default all processors.
    ///   - job: Runs one job, given its index from 0. It writes to memory of its own alone.
    public static func forEach(_ count: Int, threads: Int = .max, _ job: (Int) -> Void) {
        guard threads > 1, count > 1, hasRoomForAThread else {
            for index in 0..<count { job(index) }
            return
        }
        let next = Atomic(0)
        withoutActuallyEscaping(job) { job in
            // `job` crosses to other threads. All of them have ended when `concurrentPerform`
            // returns, and no two calls share an index.
            nonisolated(unsafe) let job = job
            DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
                while true {
                    let index = next.add(1, ordering: .relaxed).oldValue
                    guard index < count else { return }
                    job(index)
                }
            }
        }
    }

    /// Computes one value per index.
    ///
    /// - Parameters:
    ///   - count: The number of values.
    ///   - threads: The greatest number of threads; by default all processors.
    ///   - grain: The number of values that one job computes.
    ///   - body: Computes the value of an index; called from several threads.
    /// - Returns: The values in order of their indexes.
    @inlinable public static func map<Value: Sendable>(
        _ count: Int,
        threads: Int = .max,
        grain: Int = 1,
        _ body: @Sendable (Int) -> Value
    ) -> [Value] {
        // Inlinable, so that the caller's `body` is compiled into the loop.
        [Value](unsafeUninitializedCapacity: count) { values, initializedCount in
            // Each job initializes the values of its own indexes, and no value is read before all
            // jobs have ended.
            nonisolated(unsafe) let start = values.baseAddress
            forEach((count + grain - 1) / grain, threads: threads) { job in
                for index in job * grain..<min(count, (job + 1) * grain) {
                    start?.advanced(by: index).initialize(to: body(index))
                }
            }
            initializedCount = count
        }
    }

    /// Cuts rows into one slice per thread and runs a job for each.
    ///
    /// For work whose result is the same however the rows are cut.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - threads: The number of slices.
    ///   - body: Called with the index of a slice, from 0, and its rows.
    public static func forEachSlice(
        of count: Int,
        threads: Int,
        _ body: @Sendable (Int, Range<Int>) -> Void
    ) {
        forEach(threads, threads: threads) { slice in
            body(slice, count * slice / threads..<count * (slice + 1) / threads)
        }
    }

    /// Cuts rows into one slice per thread and computes one value for each.
    ///
    /// - Returns: The values in the order of the slices.
    @inlinable public static func mapSlices<Value: Sendable>(
        of count: Int,
        threads: Int,
        _ body: @Sendable (Range<Int>) -> Value
    ) -> [Value] {
        // Inlinable for the same reason as `map`.
        map(threads, threads: threads) { slice in
            body(count * slice / threads..<count * (slice + 1) / threads)
        }
    }

    /// Does two things, at the same time where there are threads for both.
    ///
    /// - Parameters:
    ///   - threads: With one thread, the second is done after the first.
    ///   - first: Done on the calling thread.
    ///   - second: Done on another thread.
    /// - Returns: The results of both.
    public static func both<First, Second: Sendable>(
        threads: Int,
        _ first: () -> First,
        _ second: @escaping @Sendable () -> Second
    ) -> (First, Second) {
        guard threads > 1, hasRoomForAThread else { return (first(), second()) }
        let result = Mutex<Second?>(nil)
        let done = DispatchGroup()
        DispatchQueue.global().async(group: done) {
            let value = second()
            result.withLock { $0 = value }
        }
        let value = first()
        done.wait()
        guard let other = result.withLock(\.self) else {
            preconditionFailure("the group was waited for")
        }
        return (value, other)
    }

    /// Whether the system has memory for the stack of one more thread.
    ///
    /// Where it has none, Dispatch waits for it, for ever if need be; work on the calling thread
    /// goes on, or ends with a sentence that says what is missing.
    private static var hasRoomForAThread: Bool {
        let stack = mmap(
            nil,
            stackSize,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
            -1,
            0
        )
        guard let stack, stack != MAP_FAILED else { return false }
        munmap(stack, stackSize)
        return true
    }

    /// The size of a thread's stack in bytes, and as much again for what Dispatch keeps of it.
    private static let stackSize: Int = {
        var size = 8 << 20
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
            let attributes = attributes.baseAddress
            guard let attributes, pthread_attr_init(attributes) == 0 else { return }
            pthread_attr_getstacksize(attributes, &size)
            pthread_attr_destroy(attributes)
        }
        return 2 * size
    }()
}
