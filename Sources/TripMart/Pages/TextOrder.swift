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
/// gathered into a key of 64 bits, and the rows are sorted by that. What the keys do not tell apart
/// is compared in full where it is little, and sorted again in the same way where it is much.
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
    /// - Complexity: O(*n*) for texts that differ within 64 gathered bits; 36 bytes per row.
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
        while let range = pending.popLast() {
            let found = sort(range)
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
    private mutating func sort(_ range: Range<Int>) -> Outcome {
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
        let before = Array(rows[range])
        let keys = [UInt64](unsafeUninitializedCapacity: range.count) { keys, filled in
            // Filled in full by the slices before the array is used.
            nonisolated(unsafe) let start = keys.baseAddress
            Slices.each(range.count, threads: threads) { _, places in
                guard let start else { return }
                for place in places {
                    (start + place).initialize(to: window.key(before[place], source))
                }
            }
            filled = range.count
        }
        let order = RadixOrder.rows(range.count, bits: window.bits, threads: threads) { keys[$0] }
        let outcomes = rows.withUnsafeMutableBufferPointer { rows in
            // Each slice writes the places of the groups that begin in it, and no others.
            nonisolated(unsafe) let rows = rows
            return Slices.map(range.count, threads: threads) { places in
                Self.settle(places, order, keys, before, rows, range.lowerBound, source)
            }
        }
        return outcomes.reduce(into: Outcome()) { whole, part in
            whole.large += part.large
            whole.equalPlace = min(whole.equalPlace, part.equalPlace)
        }
    }

    /// Puts rows in the order of their keys and sorts small groups of equal keys.
    private static func settle(
        _ places: Range<Int>,
        _ order: [UInt32],
        _ keys: [UInt64],
        _ before: [UInt32],
        _ rows: UnsafeMutableBufferPointer<UInt32>,
        _ start: Int,
        _ source: Source
    ) -> Outcome {
        var outcome = Outcome()
        var place = places.lowerBound
        func key(_ place: Int) -> UInt64 { keys[Int(order[place])] }
        // A group belongs to the slice it begins in.
        while place > 0, place < places.upperBound, key(place) == key(place - 1) { place += 1 }
        var next = place < places.upperBound ? key(place) : 0
        while place < places.upperBound {
            let first = place
            let groupKey = next
            repeat {
                rows[start &+ place] = before[Int(order[place])]
                place &+= 1
                if place < order.count { next = key(place) }
            } while place < order.count && next == groupKey
            guard place - first > 1 else { continue }
            let group = start + first..<start + place
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
