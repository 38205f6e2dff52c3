/// One step of a radix sort: each of many things goes to the pile of its digit, in order.
enum RadixStep {
    /// Counts the piles, and says where each thing goes.
    ///
    /// Each slice of the things counts its digits first; so each knows where its things go, and the
    /// order does not depend on the cut.
    ///
    /// - Parameters:
    ///   - count: The number of things.
    ///   - digits: The number of piles.
    ///   - threads: The number of slices.
    ///   - digit: The pile of a thing, from 0; called twice for each.
    ///   - move: Called once for each thing, with where it is and where it goes.
    /// - Returns: Where each pile begins, and where the last one ends.
    /// - Complexity: O(*n*); eight bytes of memory per pile and thread.
    @inline(__always) @discardableResult
    static func deal(
        _ count: Int,
        digits: Int,
        threads: Int,
        digit: @Sendable (Int) -> Int,
        move: @Sendable (_ place: Int, _ target: Int) -> Void
    ) -> [Int] {
        var bounds: [Int] = []
        bounds.reserveCapacity(digits + 1)
        var table = [Int](repeating: 0, count: threads * digits)
        table.withUnsafeMutableBufferPointer { table in
            // Each slice counts in a row of its own, and moves each thing to a place of its own.
            nonisolated(unsafe) let table = table
            Slices.each(count, threads: threads) { slice, places in
                for place in places { table[slice &* digits &+ digit(place)] &+= 1 }
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
            Slices.each(count, threads: threads) { slice, places in
                for place in places {
                    let cell = slice &* digits &+ digit(place)
                    let target = table[cell]
                    table[cell] = target &+ 1
                    move(place, target)
                }
            }
        }
        return bounds
    }
}
