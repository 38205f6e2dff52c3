/// A column of texts by row.
protocol TextSource: Sendable {
    /// The number of rows, below 2³².
    var count: Int { get }

    /// The bytes of one row's text, nil for NULL; called from several threads.
    func text(_ row: Int) -> UnsafeRawBufferPointer?
}

/// The order of rows by their texts as SQLite's BINARY collation has it: NULL first, then by bytes,
/// the shorter first; rows of equal texts stay in their order.
///
/// Texts are mostly ids of one form, which begin alike and differ in few bits of each byte. So the
/// bytes all have in common are skipped, the bits that differ in the sixteen bytes behind them are
/// gathered into a key of 64 bits. The rows are dealt into piles by the upper bits of their keys,
/// and each pile is sorted by the others. What the keys do not tell apart is compared in full where
/// it is little, and sorted again in the same way where it is much.
struct TextOrder<Source: TextSource> {
    /// Groups below this size are sorted by comparing; not critical.
    private static var smallSize: Int { 512 }

    /// The rows in order.
    private(set) var rows: [UInt32] = []
    /// The first two rows in order whose texts are equal.
    ///
    /// Nil where all differ, as a unique index wants it; NULL equals nothing.
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
        var equalPlace = Int.max
        var pending = [nulls.count..<rows.count]
        // Where no row was moved to the front, each place holds the row of its own number.
        var isUntouched = nulls.isEmpty
        while let range = pending.popLast() {
            let found = sort(range, isUntouched: isUntouched)
            isUntouched = false
            pending += found.large
            equalPlace = min(equalPlace, found.equalPlace)
        }
        if equalPlace < rows.count {
            firstEqual = (Int(rows[equalPlace]), Int(rows[equalPlace + 1]))
        }
    }

    /// What sorting a range has left to do.
    private struct Outcome: Sendable {
        /// Large groups of rows whose keys are equal.
        var large: [Range<Int>] = []
        /// The first place whose text equals the next one.
        var equalPlace = Int.max
    }

    /// Sorts a range of places, but for large groups of equal keys.
    private mutating func sort(_ range: Range<Int>, isUntouched: Bool) -> Outcome {
        let source = source
        let threads = threads
        guard range.count >= Self.smallSize else {
            return rows.withUnsafeMutableBufferPointer { Self.compare(range, $0, source) }
        }
        let window = TextWindow(rows[range], source, threads: threads)
        if window.allEqual { return Outcome(equalPlace: range.lowerBound) }
        // Zero bytes at the ends of texts are all that is left to tell them apart.
        if window.bits == 0 {
            return rows.withUnsafeMutableBufferPointer { Self.compare(range, $0, source) }
        }
        // None where they are the places themselves, which for many rows is memory worth sparing.
        let before = isUntouched ? [] : Array(rows[range])
        let keyed = KeyedRows(range.count, before, threads: threads) { window.key($0, source) }
        let piles = Piles(range.count, window.bits, threads: threads)
        let outcomes = rows.withUnsafeMutableBufferPointer { all in
            // Each row is dealt to one place, and each pile is sorted within its own places.
            nonisolated(unsafe) let rows = UnsafeMutableBufferPointer(rebasing: all[range])
            let bounds = RadixStep.deal(range.count, digits: piles.count, threads: threads) {
                Int(truncatingIfNeeded: keyed.keys[$0] &>> piles.shift)
            } move: { place, target in
                rows[target] = UInt32(truncatingIfNeeded: place)
            }
            return Parallel.map(piles.count, grain: 1, threads: threads) { pile in
                let places = bounds[pile]..<bounds[pile + 1]
                return Self.settle(places, piles, keyed, rows, source)
            }
        }
        return outcomes.reduce(into: Outcome()) { whole, part in
            whole.large += part.large.map { $0.shifted(by: range.lowerBound) }
            if part.equalPlace < Int.max {
                whole.equalPlace = min(whole.equalPlace, part.equalPlace + range.lowerBound)
            }
        }
    }

    /// How keys are dealt by their upper bits, so that each pile is sorted in the nearest cache.
    private struct Piles: Sendable {
        /// The number of piles.
        let count: Int
        /// The bits of a key below those that choose its pile.
        let shift: UInt64
        /// More rows than this in one pile, and it is sorted as all were, on all threads.
        ///
        /// Every thread settles a pile at a time, with three times the memory a row takes before: all of
        /// them together a sixteenth of the rows at most.
        let mostRows: Int

        init(_ rowCount: Int, _ keyBits: Int, threads: Int) {
            let bits = Int.bitWidth - (rowCount / 1024).leadingZeroBitCount
            let digitBits = min(keyBits, max(1, min(12, bits)))
            count = 1 << digitBits
            shift = UInt64(keyBits - digitBits)
            mostRows = max(4096, rowCount / (16 * threads))
        }
    }

    /// Rows with what they are sorted by, by the place each had when they were given their keys.
    private struct KeyedRows: Sendable {
        let keys: [UInt64]
        /// The rows; empty where each is the number of its place.
        private let before: [UInt32]

        init(_ count: Int, _ before: [UInt32], threads: Int, key: @Sendable (UInt32) -> UInt64) {
            self.before = before
            keys = [UInt64](unsafeUninitializedCapacity: count) { keys, filled in
                // Filled in full by the slices before the array is used.
                nonisolated(unsafe) let start = keys.baseAddress
                Slices.each(count, threads: threads) { _, places in
                    guard let start else { return }
                    for place in places {
                        let row = before.isEmpty ? UInt32(place) : before[place]
                        (start + place).initialize(to: key(row))
                    }
                }
                filled = count
            }
        }

        func row(_ place: UInt32) -> UInt32 { before.isEmpty ? place : before[Int(place)] }
    }

    /// Puts the rows of a pile in the order of their keys and sorts small groups of equal keys.
    ///
    /// - Parameters:
    ///   - places: The pile's places.
    ///   - piles: How the keys were dealt.
    ///   - keyed: The rows and their keys.
    ///   - rows: At the pile's places, where its rows were; the rows themselves when this returns.
    ///   - source: The texts.
    /// - Returns: What is left to do.
    private static func settle(
        _ places: Range<Int>,
        _ piles: Piles,
        _ keyed: KeyedRows,
        _ rows: UnsafeMutableBufferPointer<UInt32>,
        _ source: Source
    ) -> Outcome {
        var outcome = Outcome()
        guard places.count <= piles.mostRows else {
            // Fewer bits differ among them than among all.
            for place in places { rows[place] = keyed.row(rows[place]) }
            outcome.large.append(places)
            return outcome
        }
        let dealt = rows[places].map { (key: keyed.keys[Int($0)], row: keyed.row($0)) }
        let mask: UInt64 = 1 << piles.shift - 1
        let order = RadixOrder.rows(dealt.count, bits: Int(piles.shift), threads: 1) {
            dealt[$0].key & mask
        }
        var place = 0
        while place < order.count {
            let first = place
            let key = dealt[Int(order[first])].key
            repeat {
                rows[places.lowerBound + place] = dealt[Int(order[place])].row
                place += 1
            } while place < order.count && dealt[Int(order[place])].key == key
            guard place - first > 1 else { continue }
            let group = (first..<place).shifted(by: places.lowerBound)
            if group.count >= smallSize {
                outcome.large.append(group)
            } else {
                outcome.equalPlace = min(
                    outcome.equalPlace,
                    compare(group, rows, source).equalPlace
                )
            }
        }
        return outcome
    }

    /// Sorts a range of places by comparing the texts.
    private static func compare(
        _ range: Range<Int>,
        _ rows: UnsafeMutableBufferPointer<UInt32>,
        _ source: Source
    ) -> Outcome {
        var texts = UnsafeMutableBufferPointer(rebasing: rows[range])
        texts.sort { TextWindow.isBefore(source, $0, $1) }
        for place in range.dropLast()
        where TextWindow.compare(source, rows[place], rows[place + 1]) == 0 {
            return Outcome(equalPlace: place)
        }
        return Outcome()
    }
}

extension Range<Int> {
    /// The range that begins so much later.
    fileprivate func shifted(by offset: Int) -> Range<Int> {
        lowerBound + offset..<upperBound + offset
    }
}
