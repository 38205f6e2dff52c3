internal import TripDomain

/// The spans of every key of a reference table, found by the key's bytes.
struct SpanTable: Sendable {
    /// All spans; those of a key are together, by first day.
    let spans: [LookupIndex.Span]
    /// The range in `spans` of each key, by the number of the key; entry 0 is empty.
    let ranges: [Range<Int>]
    private let keys: TextInterner
    /// The number of each key, by its code among the keys.
    private let numbers: [Int]

    /// Indexes the rows of a table.
    ///
    /// - Parameters:
    ///   - numbered: The key of each row.
    ///   - spanOfRow: The days of each row.
    /// - Complexity: O(*n*) in the rows, except for sorting the rows of each key.
    init(_ numbered: NumberedKeys, _ spanOfRow: [LookupIndex.Span]) {
        // A counting sort brings the rows of each key together.
        var counts = [Int](repeating: 0, count: numbered.count)
        for number in numbered.numbers where number != 0 { counts[Int(number)] += 1 }
        var ranges = [0..<0]
        var ends = [Int](repeating: 0, count: counts.count)
        var start = 0
        for number in counts.indices.dropFirst() {
            ranges.append(start..<start + counts[number])
            ends[number] = start
            start += counts[number]
        }
        let none = LookupIndex.Span(from: 0, to: 0, row: 0)
        var spans = [LookupIndex.Span](repeating: none, count: start)
        for (row, number) in numbered.numbers.enumerated() where number != 0 {
            spans[ends[Int(number)]] = spanOfRow[row]
            ends[Int(number)] += 1
        }
        for range in ranges where range.count > 1 {
            spans[range].sort { ($0.from, $0.row) < ($1.from, $1.row) }
        }
        var keys = TextInterner()
        var numbers = [0]
        for number in ranges.indices where !ranges[number].isEmpty {
            let code = numbered.key(UInt32(number)).withUnsafeBufferPointer { keys.code(of: $0) }
            // Of two equal keys the first is found.
            if code == numbers.count { numbers.append(number) }
        }
        self.spans = spans
        self.ranges = ranges
        self.keys = keys
        self.numbers = numbers
    }

    /// Every key with its spans.
    var entries: [(key: [UInt8], spans: [LookupIndex.Span])] {
        keys.codes.map { code in
            (Array(keys.pool.slice(code)), Array(spans[ranges[numbers[Int(code)]]]))
        }
    }

    /// The range in `spans` of a key; empty for an unknown key.
    ///
    /// - Complexity: O(*n*) in the key's bytes.
    func range(of key: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        ranges[numbers[Int(keys.find(key))]]
    }
}

/// The keys of a batch's trips; each distinct key is looked up once.
struct KeyedSpans {
    /// The number of each trip's key; 0 where a part of it is NULL.
    private(set) var numbers: [UInt32]
    /// The range in the table's `spans` of each key, by number.
    private(set) var ranges: [Range<Int>]

    /// Looks up the keys of a batch.
    ///
    /// - Parameters:
    ///   - keys: The batch's key columns.
    ///   - table: The reference table's spans.
    init(keys: [TextColumn], table: SpanTable) {
        let numbered = NumberedKeys(keys)
        numbers = numbered.numbers
        guard numbered.count > 0 else {
            ranges = []
            return
        }
        ranges =
            [0..<0]
            + (1..<UInt32(numbered.count)).map { number in
                numbered.key(number).withUnsafeBufferPointer { table.range(of: $0) }
            }
    }
}

/// The keys of many rows; each distinct key has a number from 1.
struct NumberedKeys {
    /// The number of each row's key; 0 where a part of it is NULL.
    private(set) var numbers: [UInt32]
    private let columns: [TextColumn]
    /// The codes of each key's parts, by number; empty for keys of one column, whose number is
    /// their code.
    private var codes: [[UInt32]] = []

    /// The count of numbers, that of NULL included.
    var count: Int { columns.count > 1 ? codes.count : columns.first?.pool.count ?? 0 }

    /// Numbers the keys of some rows.
    ///
    /// - Parameter columns: The parts of the keys.
    /// - Complexity: O(*n*) in the rows for each part.
    init(_ columns: [TextColumn]) {
        self.columns = columns
        numbers = columns.first?.codes ?? []
        guard columns.count > 1 else { return }
        // Parts are numbered pair by pair: the first two, then that pair with the third, and so on.
        codes = (0..<UInt32(columns[0].pool.count)).map { [$0] }
        for column in columns.dropFirst() {
            var pairs = PairNumbers()
            for row in numbers.indices {
                let (left, right) = (numbers[row], column.codes[row])
                numbers[row] = left == 0 || right == 0 ? 0 : pairs.number(left, right)
            }
            codes = [[]] + pairs.pairs.map { codes[Int($0.left)] + [$0.right] }
        }
    }

    /// The bytes of a key by its number.
    func key(_ number: UInt32) -> ArraySlice<UInt8> {
        guard columns.count > 1 else { return columns[0].pool.slice(number) }
        let parts = zip(columns, codes[Int(number)]).map { $0.pool.slice($1) }
        return LookupIndex.key(parts)[...]
    }
}

/// Numbers distinct pairs, in order of first appearance, from 1.
private struct PairNumbers {
    private(set) var pairs: [(left: UInt32, right: UInt32)] = []
    private var slots = [UInt32](repeating: 0, count: 256)

    mutating func number(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var slot = firstSlot(left, right)
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
            var slot = firstSlot(pair.left, pair.right)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index + 1)
        }
    }

    private func firstSlot(_ left: UInt32, _ right: UInt32) -> Int {
        let mixed = (UInt64(left) << 32 | UInt64(right)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32) & (slots.count - 1)
    }
}
