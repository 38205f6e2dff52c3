public import TripDomain

/// An index of a reference table that finds, per trip, the valid row for its keys on its day.
public struct LookupIndex: Sendable {
    /// One row's validity: both days inclusive, in days since 1970-01-01.
    public struct Span: Sendable {
        /// The first day.
        public let from: Int32
        /// The last day.
        public let to: Int32
        /// The row of the table.
        public let row: UInt32

        /// Whether the row is valid on a day; always true for nil.
        @inline(__always)
        func holds(on day: Int64?) -> Bool {
            guard let day else { return true }
            return Int64(from) <= day && day <= Int64(to)
        }
    }

    /// The lookup.
    public let definition: LookupDefinition
    /// Its table.
    public let table: ReferenceTable
    /// The spans of each key, by first day.
    let spans: SpanTable

    /// Indexes a table.
    ///
    /// - Throws: ``ReferenceFaults`` with each key column that is missing, each row whose days
    ///   cannot be read, and each that is valid on a day on which another row of its key is,
    ///   though at most one may be.
    public init(definition: LookupDefinition, table: ReferenceTable) throws(ReferenceFaults) {
        self.definition = definition
        self.table = table
        var faults: [ReferenceFault] = []
        var keyIndexes: [Int] = []
        for key in definition.keys {
            do throws(ReferenceFault) {
                keyIndexes.append(try table.textColumnIndex(key.column, for: "match"))
            } catch {
                faults.append(error)
            }
        }
        if let fault = table.faultOfDays(of: definition) { faults.append(fault) }
        guard faults.isEmpty else { throw ReferenceFaults(faults) }
        let fromDays = table.days(in: definition.fromColumn, of: definition, missing: .min, &faults)
        let toDays = table.days(in: definition.toColumn, of: definition, missing: .max, &faults)
        let columns = keyIndexes.map { table.columns[$0].texts }
        let keys = NumberedKeys(columns)
        // A blank key equals nothing, like NULL in SQL; row 0 means no match.
        let spans = (0..<table.rowCount + 1).map { row in
            Span(from: fromDays[row], to: toDays[row], row: UInt32(row))
        }
        for span in spans.dropFirst()
        where keys.numbers[Int(span.row)] != 0 && span.from > span.to {
            faults.append(
                table.fault(
                    inRow: Int(span.row),
                    "its last day lies before its first day; expected from ≤ to"
                )
            )
        }
        // Days that are not known would overlap with others by chance.
        guard faults.isEmpty else { throw ReferenceFaults(faults) }
        self.spans = SpanTable(keys, spans)
        guard definition.cardinality == .one else { return }
        faults = Self.overlaps(self.spans, table)
        guard faults.isEmpty else { throw ReferenceFaults(faults) }
    }

    /// The rows that are valid on a day on which another row of their key is.
    private static func overlaps(_ spans: SpanTable, _ table: ReferenceTable) -> [ReferenceFault] {
        spans.ranges.filter { $0.count > 1 }.flatMap { range in
            let own = spans.spans[range]
            var longest = own[own.startIndex]
            return own.dropFirst().compactMap { span -> ReferenceFault? in
                let other = longest
                if span.to > longest.to { longest = span }
                guard span.from <= other.to else { return nil }
                return table.fault(
                    inRow: Int(max(span.row, other.row)),
                    "the same key is already valid on these days in line "
                        + "\(table.lineNumbers[Int(min(span.row, other.row))]); end one row before "
                        + "the other begins, or declare `cardinality: any`"
                )
            }
        }
    }

    /// Finds the rows for a batch.
    ///
    /// - Parameters:
    ///   - keys: The batch's key columns, in the order of the lookup's keys.
    ///   - days: The batch's dates; nil where rows are valid for ever.
    /// - Returns: One entry per trip.
    /// - Complexity: O(*n*) in the trips, plus one search per distinct key.
    public func match(keys: [TextColumn], days: IntegerColumn?) -> MatchedRows {
        let count = keys.first?.codes.count ?? 0
        var result = MatchedRows(rows: [UInt32](repeating: 0, count: count))
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
    /// Most keys have a row that is valid on all days of a batch, or none that is valid on any day:
    /// then it is found once for the key.
    ///
    /// - Parameters:
    ///   - keyed: The trips' keys.
    ///   - days: Their dates, which may be fewer where none is known; nil where rows are valid for
    ///     ever.
    ///   - rows: Receives the first valid row of each trip.
    ///   - counts: Receives the number of valid rows; nil where there is at most one.
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
                    guard !one.isSameOnAllDays, let days, row < days.values.count else { continue }
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
        // Where a day is not known, no row is valid.
        guard let day else { return }
        for span in spans where span.holds(on: day) {
            if rows[row] == 0 { rows[row] = span.row }
            guard let counts else { return }
            counts[row] += 1
        }
    }

    /// The days of a batch.
    private enum DaySpan {
        /// Rows are valid for ever.
        case any
        /// All trips have a day; the first and the last.
        case known(Int64, Int64)
        /// Some trips have no day.
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

    /// The rows of a key on all days of a batch.
    private struct Found {
        var row: UInt32 = 0
        var count: UInt32 = 0
        /// Whether the same rows are valid on all days.
        var isSameOnAllDays = true
    }

    private func found(among spans: ArraySlice<Span>, _ days: DaySpan) -> Found {
        var found = Found()
        for span in spans {
            switch days {
            case .any: break
            case .unknown: return Found(isSameOnAllDays: false)
            case .known(let first, let last):
                if last < Int64(span.from) || Int64(span.to) < first { continue }
                guard Int64(span.from) <= first, last <= Int64(span.to) else {
                    return Found(isSameOnAllDays: false)
                }
            }
            if found.row == 0 { found.row = span.row }
            found.count += 1
        }
        return found
    }

    /// The spans of each key, by first day.
    public var spansByKey: [(key: [UInt8], spans: [Span])] { spans.entries }

    /// The bytes of a composite key; the lengths of its parts distinguish `ab`+`c` from `a`+`bc`.
    static func key(_ parts: [ArraySlice<UInt8>]) -> [UInt8] {
        guard parts.count > 1 else { return Array(parts.first ?? []) }
        return parts.flatMap { part in
            withUnsafeBytes(of: UInt32(part.count).littleEndian) { Array($0) } + part
        }
    }
}
