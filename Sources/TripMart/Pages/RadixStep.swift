import TripDomain

/// One step of a radix sort: moves each item to the bucket of its digit, in order.
enum RadixStep {
    /// Counts the buckets, and moves each item to its position.
    ///
    /// Each slice of the items counts its digits first, so that each slice knows the positions of
    /// its items, and the order does not depend on the slices.
    ///
    /// - Parameters:
    ///   - count: The number of items.
    ///   - digits: The number of buckets.
    ///   - threads: The number of slices.
    ///   - digit: The bucket of an item, from 0; called twice for each.
    ///   - move: Called once for each item, with its old and its new position.
    /// - Returns: The start of each bucket, and the end of the last.
    /// - Complexity: O(*n*); eight bytes of memory per bucket and thread.
    @inline(__always) @discardableResult
    static func distribute(
        _ count: Int,
        digits: Int,
        threads: Int,
        digit: @Sendable (Int) -> Int,
        move: @Sendable (_ position: Int, _ target: Int) -> Void
    ) -> [Int] {
        var bounds: [Int] = []
        bounds.reserveCapacity(digits + 1)
        var table = [Int](repeating: 0, count: threads * digits)
        table.withUnsafeMutableBufferPointer { table in
            // Each slice counts in its own row, and moves each item to a position that no other
            // slice writes.
            nonisolated(unsafe) let table = table
            Parallel.forEachSlice(of: count, threads: threads) { slice, positions in
                for position in positions { table[slice &* digits &+ digit(position)] &+= 1 }
            }
            var start = 0
            for digit in 0..<digits {
                bounds.append(start)
                for slice in 0..<threads {
                    let size = table[slice * digits + digit]
                    table[slice * digits + digit] = start
                    start += size
                }
            }
            bounds.append(start)
            Parallel.forEachSlice(of: count, threads: threads) { slice, positions in
                for position in positions {
                    let cell = slice &* digits &+ digit(position)
                    let target = table[cell]
                    table[cell] = target &+ 1
                    move(position, target)
                }
            }
        }
        return bounds
    }
}
