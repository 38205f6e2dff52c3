import Glibc
import TripDomain

/// The differences between the texts of some rows: the length of their common prefix, and the bits
/// that differ in the next sixteen bytes.
struct TextWindow: Sendable {
    /// The number of bits of the keys.
    let bits: Int
    /// Whether all texts are equal.
    let allEqual: Bool

    private let start: Int
    private let upper: BitGather
    private let lower: BitGather
    /// The number of bits of the second word in a key.
    private let lowerBits: Int

    init(_ rows: ArraySlice<UInt32>, _ source: some TextSource, threads: Int) {
        let first = Int(rows[rows.startIndex])
        let base = rows.startIndex
        let extents = Parallel.mapSlices(of: rows.count, threads: threads) { positions in
            let own = rows[base + positions.lowerBound..<base + positions.upperBound]
            return Self.extent(own, first, source)
        }
        let start = extents.map(\.shared).min() ?? 0
        let sizes = extents.map(\.least) + extents.map(\.most)
        allEqual = sizes.allSatisfy { $0 == start }
        let masks = Parallel.mapSlices(of: rows.count, threads: threads) { positions in
            var upper: UInt64 = 0
            var lower: UInt64 = 0
            let text = Self.words(source, first, start)
            for row in rows[base + positions.lowerBound..<base + positions.upperBound] {
                let words = Self.words(source, Int(row), start)
                upper |= words.upper ^ text.upper
                lower |= words.lower ^ text.lower
            }
            return (upper: upper, lower: lower)
        }
        self.start = start
        upper = BitGather(masks.reduce(0) { $0 | $1.upper })
        lower = BitGather(masks.reduce(0) { $0 | $1.lower })
        lowerBits = min(64 - upper.count, lower.count)
        bits = upper.count + lowerBits
    }

    /// The key of one row: rows with different keys have the order of their keys.
    @inline(__always)
    func key(_ row: UInt32, _ source: some TextSource) -> UInt64 {
        let words = Self.words(source, Int(row), start)
        return upper(words.upper) << UInt64(lowerBits)
            | lower(words.lower) >> UInt64(lower.count - lowerBits)
    }

    /// Whether the text of one row comes before that of another, or equals it in an earlier row.
    static func isBefore(_ source: some TextSource, _ left: UInt32, _ right: UInt32) -> Bool {
        let order = compare(source, left, right)
        return order == 0 ? left < right : order < 0
    }

    /// Compares the texts of two rows as SQLite does.
    static func compare(_ source: some TextSource, _ left: UInt32, _ right: UInt32) -> Int {
        guard let one = source.text(Int(left)), let other = source.text(Int(right)) else {
            return 0
        }
        let size = min(one.count, other.count)
        if size > 0, let left = one.baseAddress, let right = other.baseAddress {
            let order = memcmp(left, right, size)
            if order != 0 { return Int(order) }
        }
        return one.count - other.count
    }

    /// The length of the prefix that all texts share with the first, and their smallest and
    /// greatest size.
    private static func extent(
        _ rows: ArraySlice<UInt32>,
        _ first: Int,
        _ source: some TextSource
    ) -> (shared: Int, least: Int, most: Int) {
        guard let text = source.text(first) else { return (0, 0, 0) }
        var shared = text.count
        var least = text.count
        var most = text.count
        for row in rows {
            guard let other = source.text(Int(row)) else { continue }
            least = min(least, other.count)
            most = max(most, other.count)
            shared = min(shared, other.count)
            var size = 0
            while size < shared, text[size] == other[size] { size &+= 1 }
            shared = size
        }
        return (shared, least, most)
    }

    /// Sixteen bytes of a text from an offset on, with zeros after its end.
    @inline(__always)
    private static func words(
        _ source: some TextSource,
        _ row: Int,
        _ start: Int
    ) -> (upper: UInt64, lower: UInt64) {
        guard let text = source.text(row) else { return (0, 0) }
        return (word(text, start), word(text, start &+ 8))
    }

    @inline(__always)
    private static func word(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        let rest = text.count &- offset
        guard rest > 0, let start = text.baseAddress else { return 0 }
        if rest >= 8 {
            return UInt64(bigEndian: (start + offset).loadUnaligned(as: UInt64.self))
        }
        if text.count >= 8 {
            // The last eight bytes of the text, without those before the offset.
            let last = UInt64(
                bigEndian: (start + (text.count &- 8)).loadUnaligned(as: UInt64.self)
            )
            return last &<< UInt64(truncatingIfNeeded: 64 &- 8 &* rest)
        }
        var word: UInt64 = 0
        for index in 0..<rest {
            word |= UInt64(text[offset &+ index]) &<< UInt64(truncatingIfNeeded: 56 &- 8 &* index)
        }
        return word
    }
}

/// Gathers the bits of a word that differ between keys, so that fewer bits have to be sorted.
///
///     mask      0000 1111 0000 0011
///     word      0011 0101 0011 0010      →  01 0110
///
/// Bits that are equal in all keys do not affect their order. Digits, for example, differ in four
/// bits.
struct BitGather: Sendable {
    /// The number of bits gathered.
    let count: Int
    /// The groups of adjacent bits from the top: the shift, the width, and the mask of the bits to
    /// keep.
    private let runs: [(shift: UInt64, width: UInt64, mask: UInt64)]

    init(_ mask: UInt64) {
        count = mask.nonzeroBitCount
        var runs: [(shift: UInt64, width: UInt64, mask: UInt64)] = []
        var rest = mask
        while rest != 0 {
            let shift = rest.trailingZeroBitCount
            let width = (~(rest >> shift)).trailingZeroBitCount
            let kept: UInt64 = width == 64 ? .max : (1 << width) - 1
            runs.append((UInt64(shift), UInt64(width), kept))
            rest &= width + shift >= 64 ? 0 : .max << (width + shift)
        }
        self.runs = runs.reversed()
    }

    /// The bits of one word, in their order.
    @inline(__always)
    func callAsFunction(_ word: UInt64) -> UInt64 {
        var gathered: UInt64 = 0
        for run in runs {
            gathered = gathered << run.width | (word &>> run.shift & run.mask)
        }
        return gathered
    }
}
