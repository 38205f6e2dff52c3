import Dispatch

/// Work on all cores whose results come back in order.
enum Parallel {
    /// Computes one value per index.
    ///
    /// - Parameters:
    ///   - count: The number of values.
    ///   - grain: Values that are worth a slice of their own.
    ///   - body: Computes the value of an index; called from several threads.
    /// - Returns: The values in order of their indexes, whatever the number of threads.
    static func map<Value: Sendable>(
        _ count: Int,
        grain: Int = 256,
        _ body: @Sendable (Int) -> Value
    ) -> [Value] {
        let sliceCount = min(16, max(1, count / grain))
        let slices = [[Value]](unsafeUninitializedCapacity: sliceCount) { slots, filled in
            // Each iteration initializes the one slot of its index, and nobody reads a slot
            // before all iterations have ended: no two threads ever touch the same memory.
            nonisolated(unsafe) let start = slots.baseAddress
            DispatchQueue.concurrentPerform(iterations: sliceCount) { slice in
                let range = count * slice / sliceCount..<count * (slice + 1) / sliceCount
                start?.advanced(by: slice).initialize(to: range.map(body))
            }
            filled = sliceCount
        }
        return Array(slices.joined())
    }
}
