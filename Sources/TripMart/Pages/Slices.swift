import Dispatch

/// Work over many rows, cut into one slice per thread.
///
/// For work whose result is the same however it is cut.
enum Slices {
    /// Calls a function for each slice, several at a time.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - threads: The number of slices.
    ///   - body: Called with the number of a slice, from 0, and its rows.
    static func each(
        _ count: Int,
        threads: Int,
        _ body: @Sendable (Int, Range<Int>) -> Void
    ) {
        DispatchQueue.concurrentPerform(iterations: threads) { slice in
            body(slice, count * slice / threads..<count * (slice + 1) / threads)
        }
    }

    /// Computes one value per slice.
    ///
    /// - Returns: The values in the order of the slices.
    static func map<Value: Sendable>(
        _ count: Int,
        threads: Int,
        _ body: @Sendable (Range<Int>) -> Value
    ) -> [Value] {
        // Each slice initializes the one place of its number, and nobody reads a place before all
        // slices have ended.
        [Value](unsafeUninitializedCapacity: threads) { places, filled in
            nonisolated(unsafe) let start = places.baseAddress
            each(count, threads: threads) { slice, rows in
                start?.advanced(by: slice).initialize(to: body(rows))
            }
            filled = threads
        }
    }
}
