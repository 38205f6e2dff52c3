public import TripDomain

/// A reference table made ready to find, per trip, the row that holds for its keys on its day.
public struct LookupIndex: Sendable {
    /// One row's validity: both days inclusive, in days since 1970-01-01.
    struct Span: Sendable {
        let from: Int32
        let to: Int32
        let row: UInt32

        /// Whether the row holds on a day; nil stands for ever.
        @inline(__always)
        func holds(on day: Int64?) -> Bool {
            guard let day else { return true }
            return Int64(from) <= day && day <= Int64(to)
        }
    }

    /// What a lookup found for each trip of a batch.
    public struct Matches: Sendable {
        /// The row of the table; 0 where none held.
        public var rows: [UInt32]
        /// How many rows held; empty for a lookup of which at most one can.
        public var counts: [Int64]
        /// Trips whose keys are all there.
        public var keyed: Int64 = 0
        /// Those among them for which no row held.
        public var unmatched: Int64 = 0
    }

    /// The lookup.
    public let definition: LookupDefinition
    /// Its table.
    public let table: ReferenceTable
    /// The spans of each key, by first day.
    let spans: SpanTable

    /// Indexes a table.
    ///
    /// - Throws: ``EngineError`` with code `badReference` where a key column is missing, a day
    ///   cannot be read, or two rows of one key hold on one day though at most one may.
    public init(definition: LookupDefinition, table: ReferenceTable) throws(EngineError) {
        self.definition = definition
        self.table = table
        let keyIndexes = try definition.keys.map { key throws(EngineError) in
            try table.textColumnIndex(key.column, for: "match")
        }
        try table.checkDays(of: definition)
        let fromDays = try table.days(in: definition.fromColumn, of: definition, missing: .min)
        let toDays = try table.days(in: definition.toColumn, of: definition, missing: .max)
        let columns = keyIndexes.map { table.columns[$0].texts }
        let keys = NumberedKeys(columns)
        // A blank key equals nothing, as NULL does in SQL; row 0 is that of no match.
        let spans = (0..<table.rowCount + 1).map { row in
            Span(from: fromDays[row], to: toDays[row], row: UInt32(row))
        }
        for span in spans.dropFirst() where keys.numbers[Int(span.row)] != 0 {
            guard span.from <= span.to else {
                throw table.fault(
                    inRow: Int(span.row),
                    "its last day lies before its first day; expected from ≤ to"
                )
            }
        }
        self.spans = SpanTable(keys, spans)
        if definition.cardinality == .one { try Self.requireOne(self.spans, table) }
    }

    /// Refuses two rows of one key that hold on one day; of several such pairs the first row in the file that is one
    /// too many is named.
    private static func requireOne(
        _ spans: SpanTable,
        _ table: ReferenceTable
    ) throws(EngineError) {
        var found: (row: UInt32, other: UInt32)?
        for range in spans.ranges where range.count > 1 {
            let own = spans.spans[range]
            for (first, second) in zip(own, own.dropFirst()) where second.from <= first.to {
                let pair = (row: max(first.row, second.row), other: min(first.row, second.row))
                if found.map({ pair < $0 }) ?? true { found = pair }
            }
        }
        guard let found else { return }
        throw table.fault(
            inRow: Int(found.row),
            "the same key already holds on these days in line "
                + "\(table.lineNumbers[Int(found.other)]); end one row before the other begins, or "
                + "declare `cardinality: any`"
        )
    }

    /// Finds the rows for a batch.
    ///
    /// - Parameters:
    ///   - keys: The batch's key columns, in the order of the lookup's keys.
    ///   - days: The batch's dates; nil where rows hold for ever.
    /// - Returns: One entry per trip.
    /// - Complexity: O(*n*) in the trips, plus one search per distinct key.
    public func match(keys: [TextColumn], days: IntegerColumn?) -> Matches {
        let count = keys.first?.codes.count ?? 0
        var result = Matches(rows: [UInt32](repeating: 0, count: count), counts: [])
        let keyed = KeyedSpans(keys: keys, table: spans)
        let countsMatches = definition.cardinality == .any
        if countsMatches { result.counts = [Int64](repeating: 0, count: count) }
        let days = definition.validOn == nil ? nil : days ?? IntegerColumn(values: [], nulls: [])
        var (keyedCount, unmatched) = (Int64(0), Int64(0))
        result.rows.withUnsafeMutableBufferPointer { rows in
            result.counts.withUnsafeMutableBufferPointer { counts in
                find(keyed, days, rows, countsMatches ? counts : nil)
            }
            keyed.numbers.withUnsafeBufferPointer { numbers in
                for row in rows.indices {
                    let isKeyed = numbers[row] != 0
                    keyedCount += isKeyed ? 1 : 0
                    unmatched += isKeyed && rows[row] == 0 ? 1 : 0
                }
            }
        }
        (result.keyed, result.unmatched) = (keyedCount, unmatched)
        return result
    }

    /// Finds the rows for trips whose keys are known.
    ///
    /// Most keys have a row that holds on all days of a batch, or none that holds on any: then it is
    /// found once for the key.
    ///
    /// - Parameters:
    ///   - keyed: The trips' keys.
    ///   - days: Their dates, which may be fewer where none is known; nil where rows hold for ever.
    ///   - rows: Receives the first row that holds for each trip.
    ///   - counts: Receives how many hold; nil where at most one can.
    private func find(
        _ keyed: borrowing KeyedSpans,
        _ days: IntegerColumn?,
        _ rows: UnsafeMutableBufferPointer<UInt32>,
        _ counts: UnsafeMutableBufferPointer<Int64>?
    ) {
        let span = DaySpan(days, count: rows.count)
        let found = keyed.ranges.map { self.found(among: spans.spans[$0], span) }
        keyed.numbers.withUnsafeBufferPointer { numbers in
            found.withUnsafeBufferPointer { found in
                for row in rows.indices {
                    let one = found[Int(numbers[row])]
                    rows[row] = one.row
                    counts?[row] = Int64(one.count)
                    guard !one.isSettled, let days, row < days.values.count else { continue }
                    let spans = spans.spans[keyed.ranges[Int(numbers[row])]]
                    find(among: spans, on: days.value(row), row, rows, counts)
                }
            }
        }
    }

    /// Finds the row for one trip.
    private func find(
        among spans: ArraySlice<Span>,
        on day: Int64?,
        _ row: Int,
        _ rows: UnsafeMutableBufferPointer<UInt32>,
        _ counts: UnsafeMutableBufferPointer<Int64>?
    ) {
        // Where a day is not known, nothing holds.
        guard let day else { return }
        for span in spans where span.holds(on: day) {
            if rows[row] == 0 { rows[row] = span.row }
            guard let counts else { return }
            counts[row] += 1
        }
    }

    /// The days of a batch.
    private enum DaySpan {
        /// Rows hold for ever.
        case any
        /// All trips have a day; the first and the last.
        case known(Int64, Int64)
        /// Some trips have none.
        case unknown

        init(_ days: IntegerColumn?, count: Int) {
            guard let days else {
                self = .any
                return
            }
            guard days.nulls.isEmpty, days.values.count == count else {
                self = .unknown
                return
            }
            let (first, last) = days.values.withUnsafeBufferPointer { values in
                var (first, last) = (Int64.max, Int64.min)
                for value in values { (first, last) = (min(first, value), max(last, value)) }
                return (first, last)
            }
            self = .known(first, last)
        }
    }

    /// What is found for a key on all days of a batch.
    private struct Found {
        var row: UInt32 = 0
        var count: UInt32 = 0
        /// Whether the same rows hold on all days.
        var isSettled = true
    }

    private func found(among spans: ArraySlice<Span>, _ days: DaySpan) -> Found {
        var found = Found()
        for span in spans {
            switch days {
            case .any: break
            case .unknown: return Found(isSettled: false)
            case .known(let first, let last):
                if last < Int64(span.from) || Int64(span.to) < first { continue }
                guard Int64(span.from) <= first, last <= Int64(span.to) else {
                    return Found(isSettled: false)
                }
            }
            if found.row == 0 { found.row = span.row }
            found.count += 1
        }
        return found
    }

    /// The spans of each key, by first day.
    var spansByKey: [(key: [UInt8], spans: [Span])] { spans.entries }

    /// The bytes of a composite key; lengths keep `ab`+`c` apart from `a`+`bc`.
    static func key(_ parts: [ArraySlice<UInt8>]) -> [UInt8] {
        guard parts.count > 1 else { return Array(parts.first ?? []) }
        return parts.flatMap { part in
            withUnsafeBytes(of: UInt32(part.count).littleEndian) { Array($0) } + part
        }
    }
}
