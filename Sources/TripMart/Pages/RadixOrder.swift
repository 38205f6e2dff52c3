/// Sorts the numbers of rows by integer keys, on several threads; rows of equal keys stay in order.
///
/// A radix sort from the lowest digit up, eight bits at a time, over words that hold a half of the
/// key and the row:
///
///     | 32 bits of the key | 32 bits: row |
///
/// Keys of more than 32 bits take a second round for the upper half; keys of a few bits are one digit,
/// and need no words.
enum RadixOrder {
    /// Keys of so many bits are one digit: 4096 piles are counted in 32 KiB.
    private static let directBits = 12

    /// Rows sorted by key.
    ///
    /// - Parameters:
    ///   - count: The number of rows, below 2³².
    ///   - bits: How many bits of the keys are in use; the others are zero, or memory is overwritten.
    ///   - threads: The number of threads.
    ///   - key: The key of a row; called once or twice for each row.
    /// - Returns: The rows in the order of their keys.
    /// - Complexity: O(*n*) for each eight bits; 16 bytes of memory per row with the result, or 4 where
    ///   the keys are one digit.
    static func rows(
        _ count: Int,
        bits: Int,
        threads: Int,
        key: @Sendable (Int) -> UInt64
    ) -> [UInt32] {
        precondition(count <= Int(UInt32.max), "a row number has 32 bits")
        guard count > 0 else { return [] }
        guard bits > directBits else {
            // Each row has one place, so that every place is written, and written once.
            return [UInt32](unsafeUninitializedCapacity: count) { rows, filled in
                filled = count
                nonisolated(unsafe) let rows = rows
                RadixStep.deal(count, digits: 1 << bits, threads: threads) {
                    Int(truncatingIfNeeded: key($0))
                } move: { row, target in
                    rows.initializeElement(at: target, to: UInt32(truncatingIfNeeded: row))
                }
            }
        }
        let last = (bits - 1) / 8 * 8
        // Each slice writes its own words, and places that the counts have made its own.
        nonisolated(unsafe) var words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        defer { words.deallocate() }
        Slices.each(count, threads: threads) { _, rows in
            for row in rows {
                words[row] = key(row) << 32 | UInt64(truncatingIfNeeded: row)
            }
        }
        do {
            var moved = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
            defer { moved.deallocate() }
            for digit in stride(from: 0, through: last, by: 8) {
                if digit == 32 { takeUpperHalves(words, count, threads, key) }
                if digit == last { break }
                move(words, to: moved, count, shift: UInt64(32 + digit % 32), threads)
                swap(&words, &moved)
            }
        }
        // The last step leaves the keys behind, and fills the array in full.
        return [UInt32](unsafeUninitializedCapacity: count) { rows, filled in
            filled = count
            guard let start = rows.baseAddress else { return }
            move(words, to: start, count, shift: UInt64(32 + last % 32), threads)
        }
    }

    /// Puts the upper half of each row's key where the lower half was.
    private static func takeUpperHalves(
        _ words: UnsafeMutablePointer<UInt64>,
        _ count: Int,
        _ threads: Int,
        _ key: @Sendable (Int) -> UInt64
    ) {
        let upperHalf: UInt64 = .max << 32
        // Each slice has words of its own.
        nonisolated(unsafe) let words = words
        Slices.each(count, threads: threads) { _, places in
            for place in places {
                let row = UInt32(truncatingIfNeeded: words[place])
                words[place] = key(Int(row)) & upperHalf | UInt64(row)
            }
        }
    }

    /// One step: moves the words, or as much of them as `Moved` holds, in order of one digit.
    private static func move<Moved: FixedWidthInteger & SendableMetatype>(
        _ words: UnsafeMutablePointer<UInt64>,
        to moved: UnsafeMutablePointer<Moved>,
        _ count: Int,
        shift: UInt64,
        _ threads: Int
    ) {
        // Each slice reads its own words, and each place is written once.
        nonisolated(unsafe) let words = words
        nonisolated(unsafe) let moved = moved
        RadixStep.deal(count, digits: 256, threads: threads) {
            Int(truncatingIfNeeded: words[$0] &>> shift & 0xFF)
        } move: { place, target in
            (moved + target).initialize(to: Moved(truncatingIfNeeded: words[place]))
        }
    }
}
