import Dispatch
import Synchronization

/// Work on all cores whose results come back in order.
enum Parallel {
    /// Does two things, at the same time where there are threads for it.
    ///
    /// - Parameters:
    ///   - threads: With one thread, the second is done after the first.
    ///   - first: Done on the calling thread.
    ///   - second: Done on another.
    /// - Returns: What both come to.
    static func both<First, Second: Sendable>(
        threads: Int,
        _ first: () -> First,
        _ second: @escaping @Sendable () -> Second
    ) -> (First, Second) {
        guard threads > 1 else { return (first(), second()) }
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

    /// Computes one value per index.
    ///
    /// - Parameters:
    ///   - count: The number of values.
    ///   - grain: Values that are worth a slice of their own.
    ///   - threads: The most threads that compute; all cores unless told.
    ///   - body: Computes the value of an index; called from several threads.
    /// - Returns: The values in order of their indexes, whatever the number of threads.
    static func map<Value: Sendable>(
        _ count: Int,
        grain: Int = 256,
        threads: Int = .max,
        _ body: @Sendable (Int) -> Value
    ) -> [Value] {
        let sliceCount = min(16, max(1, count / grain))
        let slices = [[Value]](unsafeUninitializedCapacity: sliceCount) { slots, filled in
            // Each slice is taken once and initializes the one slot of its index, and nobody reads
            // a slot before all have ended: no two threads ever touch the same memory.
            nonisolated(unsafe) let start = slots.baseAddress
            let next = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: min(threads, sliceCount)) { _ in
                while true {
                    let slice = next.add(1, ordering: .relaxed).oldValue
                    guard slice < sliceCount else { return }
                    let range = count * slice / sliceCount..<count * (slice + 1) / sliceCount
                    start?.advanced(by: slice).initialize(to: range.map(body))
                }
            }
            filled = sliceCount
        }
        return Array(slices.joined())
    }
}
