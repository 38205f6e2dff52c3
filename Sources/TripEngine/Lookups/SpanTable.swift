internal import Glibc
internal import TripDomain

/// The spans of every key of a reference table, found by the key's bytes.
///
///     slots   | 0 | 2 | 0 | 1 | …     the number of a key, or 0 where the slot is free
///     ranges  where the spans of each key lie in `spans`, by number; entry 0 is empty
struct SpanTable: Sendable {
    /// All spans: those of a key together, by first day.
    let spans: [LookupIndex.Span]
    private let ranges: [Range<Int>]
    private let keys: TextPool
    private let slots: [UInt32]

    /// Indexes spans.
    ///
    /// - Parameter spansOfKey: The spans of each key, by first day.
    init(_ spansOfKey: [[UInt8]: [LookupIndex.Span]]) {
        var spans: [LookupIndex.Span] = []
        var ranges = [0..<0]
        var keys = TextPool()
        var size = 16
        while size < spansOfKey.count * 2 { size *= 2 }
        var slots = [UInt32](repeating: 0, count: size)
        for (key, list) in spansOfKey {
            ranges.append(spans.count..<spans.count + list.count)
            spans += list
            keys.append(key[...])
            var slot = key.withUnsafeBufferPointer { Self.slot(of: $0, size) }
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(ranges.count - 1)
        }
        self.spans = spans
        self.ranges = ranges
        self.keys = keys
        self.slots = slots
    }

    /// Every key with its spans.
    var entries: [(key: [UInt8], spans: [LookupIndex.Span])] {
        ranges.indices.dropFirst().map { number in
            (Array(keys.slice(UInt32(number))), Array(spans[ranges[number]]))
        }
    }

    /// Where the spans of a key lie; empty for an unknown one.
    ///
    /// - Complexity: O(*n*) in the key's bytes.
    func range(of key: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var slot = Self.slot(of: key, slots.count)
        while slots[slot] != 0 {
            let entry = keys.range(slots[slot])
            let isEqual = keys.bytes.withUnsafeBytes { bytes in
                guard entry.count == key.count, let base = bytes.baseAddress,
                    let start = key.baseAddress
                else { return false }
                return memcmp(base + entry.lowerBound, start, key.count) == 0
            }
            if isEqual { return ranges[Int(slots[slot])] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return 0..<0
    }

    private static func slot(of key: UnsafeBufferPointer<UInt8>, _ size: Int) -> Int {
        Int(truncatingIfNeeded: textHash(key)) & (size - 1)
    }
}

/// The keys of a batch's trips, each distinct one looked up once.
struct KeyedSpans {
    /// The number of each trip's key; 0 where a part of it is NULL.
    private(set) var numbers: [UInt32]
    /// Where the spans of each key lie, by number.
    private(set) var ranges: [Range<Int>]

    /// Looks up the keys of a batch.
    ///
    /// - Parameters:
    ///   - keys: The batch's key columns.
    ///   - table: The reference table's spans.
    init(keys: [TextColumn], table: SpanTable) {
        numbers = keys.first?.codes ?? []
        ranges = []
        guard keys.count > 1 else {
            ranges = Self.ranges(of: keys, table)
            return
        }
        // Parts are numbered pair by pair: the pair of the first two, that pair with the third, ….
        var codes: [[UInt32]] = (0..<UInt32(keys[0].pool.count)).map { [$0] }
        for key in keys.dropFirst() {
            var pairs = PairNumbers()
            for row in numbers.indices {
                let (left, right) = (numbers[row], key.codes[row])
                numbers[row] = left == 0 || right == 0 ? 0 : pairs.number(left, right)
            }
            codes = [[]] + pairs.pairs.map { codes[Int($0.left)] + [$0.right] }
        }
        var bytes: [UInt8] = []
        ranges = [0..<0]
        for parts in codes.dropFirst() {
            bytes = LookupIndex.key(zip(keys, parts).map { $0.pool.slice($1) })
            ranges.append(bytes.withUnsafeBufferPointer { table.range(of: $0) })
        }
    }

    /// The ranges of a single key column, by code.
    private static func ranges(of keys: [TextColumn], _ table: SpanTable) -> [Range<Int>] {
        guard let pool = keys.first?.pool else { return [] }
        return pool.bytes.withUnsafeBufferPointer { bytes in
            [0..<0]
                + (1..<max(1, UInt32(pool.count))).map { code in
                    table.range(of: UnsafeBufferPointer(rebasing: bytes[pool.range(code)]))
                }
        }
    }
}

/// Numbers distinct pairs, in order of first appearance, from 1.
private struct PairNumbers {
    private(set) var pairs: [(left: UInt32, right: UInt32)] = []
    private var slots = [UInt32](repeating: 0, count: 256)

    mutating func number(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var slot = place(left, right)
        while slots[slot] != 0 {
            let pair = pairs[Int(slots[slot]) - 1]
            if pair.left == left, pair.right == right { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        pairs.append((left, right))
        slots[slot] = UInt32(pairs.count)
        if pairs.count * 2 > slots.count { grow() }
        return UInt32(pairs.count)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 4)
        for (index, pair) in pairs.enumerated() {
            var slot = place(pair.left, pair.right)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index + 1)
        }
    }

    private func place(_ left: UInt32, _ right: UInt32) -> Int {
        let mixed = (UInt64(left) << 32 | UInt64(right)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32) & (slots.count - 1)
    }
}
