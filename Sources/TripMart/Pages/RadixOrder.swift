import TripDomain

/// Sorts the numbers of rows by integer keys, on several threads; rows of equal keys stay in order.
///
/// A radix sort from the lowest digit up, eight bits at a time, over words that hold one half of
/// the key and the row:
///
///     | 32 bits of the key | 32 bits: row |
///
/// Keys of more than 32 bits take a second round for the upper half; keys of a few bits are a
/// single digit and need no words.
enum RadixOrder {
    /// The maximum number of bits of a key that is sorted as one digit: 4096 buckets are counted in
    /// 32 KiB.
    private static let directBits = 12

    /// Rows sorted by key.
    ///
    /// - Parameters:
    ///   - count: The number of rows, below 2³².
    ///   - bits: The number of bits of the keys in use; the others must be zero, or memory is
    ///     overwritten.
    ///   - threads: The number of threads.
    ///   - key: The key of a row; called once or twice for each row.
    /// - Returns: The rows in the order of their keys.
    /// - Complexity: O(*n*) for each eight bits; 16 bytes of memory per row with the result, or 4
    ///   where the keys are one digit.
    static func rows(
        _ count: Int,
        bits: Int,
        threads: Int,
        key: @Sendable (Int) -> UInt64
    ) -> [UInt32] {
        precondition(count <= Int(UInt32.max), "a row number has 32 bits")
        guard count > 0 else { return [] }
        guard bits > directBits else {
            // Each row has one position, so that every position is written exactly once.
            return [UInt32](unsafeUninitializedCapacity: count) { rows, filled in
                filled = count
                nonisolated(unsafe) let rows = rows
                RadixStep.distribute(count, digits: 1 << bits, threads: threads) {
                    Int(truncatingIfNeeded: key($0))
                } move: { row, target in
                    rows.initializeElement(at: target, to: UInt32(truncatingIfNeeded: row))
                }
            }
        }
        let last = (bits - 1) / 8 * 8
        // Each slice writes its own words, and only the positions that the counts assign to it.
        nonisolated(unsafe) var words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        defer { words.deallocate() }
        Parallel.forEachSlice(of: count, threads: threads) { _, rows in
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
        // The last step drops the keys and fills the whole array.
        return [UInt32](unsafeUninitializedCapacity: count) { rows, filled in
            filled = count
            guard let start = rows.baseAddress else { return }
            move(words, to: start, count, shift: UInt64(32 + last % 32), threads)
        }
    }

    /// Replaces the lower half of each row's key by the upper half.
    private static func takeUpperHalves(
        _ words: UnsafeMutablePointer<UInt64>,
        _ count: Int,
        _ threads: Int,
        _ key: @Sendable (Int) -> UInt64
    ) {
        let upperHalf: UInt64 = .max << 32
        // Each slice changes its own words only.
        nonisolated(unsafe) let words = words
        Parallel.forEachSlice(of: count, threads: threads) { _, positions in
            for position in positions {
                let row = UInt32(truncatingIfNeeded: words[position])
                words[position] = key(Int(row)) & upperHalf | UInt64(row)
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
        // Each slice reads its own words, and each position is written once.
        nonisolated(unsafe) let words = words
        nonisolated(unsafe) let moved = moved
        RadixStep.distribute(count, digits: 256, threads: threads) {
            Int(truncatingIfNeeded: words[$0] &>> shift & 0xFF)
        } move: { position, target in
            (moved + target).initialize(to: Moved(truncatingIfNeeded: words[position]))
        }
    }
}

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
