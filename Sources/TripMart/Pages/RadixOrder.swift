/// Sorts the numbers of rows by integer keys, on several threads; rows of equal keys stay in order.
///
/// A radix sort from the lowest digit up, eight bits at a time, over words that hold a half of the
/// key and the row:
///
///     | 32 bits of the key | 32 bits: row |
///
/// Keys of more than 32 bits take a second round for the upper half. Each slice of the words counts
/// its digits first; so each knows where its words go, and the order does not depend on the cut.
enum RadixOrder {
    /// Rows sorted by key.
    ///
    /// - Parameters:
    ///   - count: The number of rows, below 2³².
    ///   - bits: How many bits of the keys are in use; the others are zero.
    ///   - threads: The number of threads.
    ///   - key: The key of a row; called once or twice for each row.
    /// - Returns: The rows in the order of their keys.
    /// - Complexity: O(*n*) for each eight bits; 16 bytes of memory per row beside the result.
    static func rows(
        _ count: Int,
        bits: Int,
        threads: Int,
        key: @Sendable (Int) -> UInt64
    ) -> [UInt32] {
        precondition(count <= Int(UInt32.max), "a row number has 32 bits")
        let upperHalf: UInt64 = .max << 32
        // Each slice writes its own words, and places that the counts have made its own.
        nonisolated(unsafe) var words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        nonisolated(unsafe) var moved = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        defer {
            words.deallocate()
            moved.deallocate()
        }
        Slices.each(count, threads: threads) { _, rows in
            for row in rows {
                words[row] = key(row) << 32 | UInt64(truncatingIfNeeded: row)
            }
        }
        for digit in stride(from: 0, to: bits, by: 8) {
            if digit == 32 {
                Slices.each(count, threads: threads) { _, places in
                    for place in places {
                        let row = UInt32(truncatingIfNeeded: words[place])
                        words[place] = key(Int(row)) & upperHalf | UInt64(row)
                    }
                }
            }
            move(words, to: moved, count, shift: UInt64(32 + digit % 32), threads)
            swap(&words, &moved)
        }
        // Filled in full by the slices before the array is used.
        return [UInt32](unsafeUninitializedCapacity: count) { rows, filled in
            nonisolated(unsafe) let start = rows.baseAddress
            Slices.each(count, threads: threads) { _, places in
                guard let start else { return }
                for place in places {
                    (start + place).initialize(to: UInt32(truncatingIfNeeded: words[place]))
                }
            }
            filled = count
        }
    }

    /// One step: moves the words in order of one digit.
    private static func move(
        _ words: UnsafeMutablePointer<UInt64>,
        to moved: UnsafeMutablePointer<UInt64>,
        _ count: Int,
        shift: UInt64,
        _ threads: Int
    ) {
        let digits = 256
        var table = [Int](repeating: 0, count: threads * digits)
        table.withUnsafeMutableBufferPointer { table in
            // Each slice counts in a row of its own, and moves each word to a place of its own.
            nonisolated(unsafe) let table = table
            nonisolated(unsafe) let words = words
            nonisolated(unsafe) let moved = moved
            Slices.each(count, threads: threads) { slice, places in
                for place in places {
                    let digit = Int(truncatingIfNeeded: words[place] &>> shift & 0xFF)
                    table[slice &* digits &+ digit] &+= 1
                }
            }
            var start = 0
            for digit in 0..<digits {
                for slice in 0..<threads {
                    let size = table[slice * digits + digit]
                    table[slice * digits + digit] = start
                    start += size
                }
            }
            Slices.each(count, threads: threads) { slice, places in
                for place in places {
                    let word = words[place]
                    let digit = Int(truncatingIfNeeded: word &>> shift & 0xFF)
                    let target = table[slice &* digits &+ digit]
                    moved[target] = word
                    table[slice &* digits &+ digit] = target &+ 1
                }
            }
        }
    }
}
