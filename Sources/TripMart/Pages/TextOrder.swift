import TripDomain

/// A column of texts by row.
protocol TextSource: Sendable {
    /// The number of rows, below 2³².
    var count: Int { get }

    /// The bytes of one row's text, nil for NULL; called from several threads.
    func text(_ row: Int) -> UnsafeRawBufferPointer?
}

/// The order of rows by their texts, as in SQLite's BINARY collation: NULL first, then by bytes,
/// the shorter first; rows of equal texts stay in order.
///
/// Texts are mostly ids of one form, which have a common prefix and differ in a few bits of each
/// byte. So the common prefix is skipped, and the bits that differ in the next sixteen bytes are
/// gathered into a key of 64 bits. The rows are distributed to buckets by the upper bits of their
/// keys, and each bucket is sorted by the others. Small groups of equal keys are sorted by
/// comparison; large ones are sorted again in the same way.
struct TextOrder<Source: TextSource> {
    /// Groups below this size are sorted by comparison; the value is not critical.
    private static var smallSize: Int { 512 }

    /// The rows in order.
    private(set) var rows: [UInt32] = []
    /// The first two rows in order whose texts are equal.
    ///
    /// Nil where all differ, as a unique index requires; NULL equals nothing.
    private(set) var firstEqual: (first: Int, second: Int)?

    private let source: Source
    private let threads: Int

    /// Sorts the rows.
    ///
    /// - Parameters:
    ///   - source: The texts.
    ///   - threads: The number of threads; the order does not depend on it.
    /// - Complexity: O(*n*) for texts that differ within 64 gathered bits; 16 bytes per row.
    init(_ source: Source, threads: Int) {
        self.source = source
        self.threads = threads
        let all = UInt32(source.count)
        let nulls = (0..<all).filter { source.text(Int($0)) == nil }
        rows = nulls
        rows.reserveCapacity(source.count)
        if nulls.isEmpty {
            rows.append(contentsOf: 0..<all)
        } else {
            rows.append(contentsOf: (0..<all).lazy.filter { source.text(Int($0)) != nil })
        }
        var equalIndex = Int.max
        var pending = [nulls.count..<rows.count]
        // Where no row was moved to the front, each position holds the row of its own number.
        var isUntouched = nulls.isEmpty
        while let range = pending.popLast() {
            let found = sort(range, isUntouched: isUntouched)
            isUntouched = false
            pending += found.large
            equalIndex = min(equalIndex, found.equalIndex)
        }
        if equalIndex < rows.count {
            firstEqual = (Int(rows[equalIndex]), Int(rows[equalIndex + 1]))
        }
    }

    /// The work that remains after sorting a range.
    private struct Outcome: Sendable {
        /// Large groups of rows whose keys are equal.
        var large: [Range<Int>] = []
        /// The first position whose text equals the next one.
        var equalIndex = Int.max
    }

    /// Sorts a range of positions, except large groups of equal keys.
    private mutating func sort(_ range: Range<Int>, isUntouched: Bool) -> Outcome {
        let source = source
        let threads = threads
        guard range.count >= Self.smallSize else {
            return rows.withUnsafeMutableBufferPointer { Self.compare(range, $0, source) }
        }
        let window = TextWindow(rows[range], source, threads: threads)
        if window.allEqual { return Outcome(equalIndex: range.lowerBound) }
        // The texts differ only in zero bytes at their ends.
        if window.bits == 0 {
            return rows.withUnsafeMutableBufferPointer { Self.compare(range, $0, source) }
        }
        // Empty where the rows are the positions themselves, which saves memory for many rows.
        let before = isUntouched ? [] : Array(rows[range])
        let keyed = KeyedRows(range.count, before, threads: threads) { window.key($0, source) }
        let buckets = Buckets(range.count, window.bits, threads: threads)
        let outcomes = rows.withUnsafeMutableBufferPointer { all in
            // Each row is moved to one position, and each bucket is sorted within its own
            // positions.
            nonisolated(unsafe) let rows = UnsafeMutableBufferPointer(rebasing: all[range])
            let bounds = RadixStep.distribute(
                range.count,
                digits: buckets.count,
                threads: threads
            ) {
                Int(truncatingIfNeeded: keyed.keys[$0] &>> buckets.shift)
            } move: { position, target in
                rows[target] = UInt32(truncatingIfNeeded: position)
            }
            return Parallel.map(buckets.count, threads: threads) { bucket in
                let positions = bounds[bucket]..<bounds[bucket + 1]
                return Self.sortBucket(positions, buckets, keyed, rows, source)
            }
        }
        return outcomes.reduce(into: Outcome()) { whole, part in
            whole.large += part.large.map { $0.shifted(by: range.lowerBound) }
            if part.equalIndex < Int.max {
                whole.equalIndex = min(whole.equalIndex, part.equalIndex + range.lowerBound)
            }
        }
    }

    /// The distribution of keys by their upper bits, so that each bucket is sorted in the nearest
    /// cache.
    private struct Buckets: Sendable {
        /// The number of buckets.
        let count: Int
        /// The number of bits of a key below those that select its bucket.
        let shift: UInt64
        /// The maximum number of rows of a bucket that one thread sorts; a larger one is sorted on
        /// all threads.
        ///
        /// Every thread sorts one bucket at a time and needs three times the memory of its rows:
        /// all threads together use at most the memory of a sixteenth of the rows.
        let mostRows: Int

        init(_ rowCount: Int, _ keyBits: Int, threads: Int) {
            let bits = Int.bitWidth - (rowCount / 1024).leadingZeroBitCount
            let digitBits = min(keyBits, max(1, min(12, bits)))
            count = 1 << digitBits
            shift = UInt64(keyBits - digitBits)
            mostRows = max(4096, rowCount / (16 * threads))
        }
    }

    /// Rows with their keys, by the position of each row when it got its key.
    private struct KeyedRows: Sendable {
        let keys: [UInt64]
        /// The rows; empty where each row equals its position.
        private let before: [UInt32]

        init(_ count: Int, _ before: [UInt32], threads: Int, key: @Sendable (UInt32) -> UInt64) {
            self.before = before
            keys = [UInt64](unsafeUninitializedCapacity: count) { keys, filled in
                // The slices fill it completely before the array is used.
                nonisolated(unsafe) let start = keys.baseAddress
                Parallel.forEachSlice(of: count, threads: threads) { _, positions in
                    guard let start else { return }
                    for position in positions {
                        let row = before.isEmpty ? UInt32(position) : before[position]
                        (start + position).initialize(to: key(row))
                    }
                }
                filled = count
            }
        }

        func row(_ position: UInt32) -> UInt32 { before.isEmpty ? position : before[Int(position)] }
    }

    /// Sorts the rows of a bucket by their keys, and sorts small groups of equal keys.
    ///
    /// - Parameters:
    ///   - positions: The bucket's positions.
    ///   - buckets: The distribution of the keys.
    ///   - keyed: The rows and their keys.
    ///   - rows: At the bucket's positions, the old positions of its rows; on return, the rows.
    ///   - source: The texts.
    /// - Returns: The remaining work.
    private static func sortBucket(
        _ positions: Range<Int>,
        _ buckets: Buckets,
        _ keyed: KeyedRows,
        _ rows: UnsafeMutableBufferPointer<UInt32>,
        _ source: Source
    ) -> Outcome {
        var outcome = Outcome()
        guard positions.count <= buckets.mostRows else {
            // Fewer bits differ within the bucket than among all rows.
            for position in positions { rows[position] = keyed.row(rows[position]) }
            outcome.large.append(positions)
            return outcome
        }
        let distributed = rows[positions].map { (key: keyed.keys[Int($0)], row: keyed.row($0)) }
        let mask: UInt64 = 1 << buckets.shift - 1
        let order = RadixOrder.rows(distributed.count, bits: Int(buckets.shift), threads: 1) {
            distributed[$0].key & mask
        }
        var position = 0
        while position < order.count {
            let first = position
            let key = distributed[Int(order[first])].key
            repeat {
                rows[positions.lowerBound + position] = distributed[Int(order[position])].row
                position += 1
            } while position < order.count && distributed[Int(order[position])].key == key
            guard position - first > 1 else { continue }
            let group = (first..<position).shifted(by: positions.lowerBound)
            if group.count >= smallSize {
                outcome.large.append(group)
            } else {
                outcome.equalIndex = min(
                    outcome.equalIndex,
                    compare(group, rows, source).equalIndex
                )
            }
        }
        return outcome
    }

    /// Sorts a range of positions by comparing the texts.
    private static func compare(
        _ range: Range<Int>,
        _ rows: UnsafeMutableBufferPointer<UInt32>,
        _ source: Source
    ) -> Outcome {
        var texts = UnsafeMutableBufferPointer(rebasing: rows[range])
        texts.sort { TextWindow.isBefore(source, $0, $1) }
        for position in range.dropLast()
        where TextWindow.compare(source, rows[position], rows[position + 1]) == 0 {
            return Outcome(equalIndex: position)
        }
        return Outcome()
    }
}

extension Range<Int> {
    /// The range, moved by an offset.
    fileprivate func shifted(by offset: Int) -> Range<Int> {
        lowerBound + offset..<upperBound + offset
    }
}
