import TripDomain

/// The keys of trips for which a look-up found no row.
public struct OrphanKeys: Sendable {
    /// Trips with one key.
    public struct Entry: Sendable, Hashable {
        /// The key, one text per column.
        public let key: [String]
        /// Trips for which the file has no row of that key.
        public var unknown: Int64 = 0
        /// Trips for which it has rows of that key, but none that is valid on their day.
        public var notThatDay: Int64 = 0

        /// All trips of the key.
        public var trips: Int64 { unknown + notThatDay }
    }

    /// Trips that have a value for every column of the key.
    public private(set) var keyed: Int64 = 0
    private var counts: [[[UInt8]]: (unknown: Int64, notThatDay: Int64)] = [:]

    /// No trips.
    public init() {}

    /// Adds the trips of a batch.
    ///
    /// - Parameters:
    ///   - lookup: The look-up.
    ///   - keys: The trips' keys.
    ///   - rows: The row that was found for each; 0 where there is none.
    /// - Complexity: O(*n*) in the trips, plus one step per distinct key without a row.
    mutating func add(_ lookup: LookupIndex, keys: [TextColumn], rows: [UInt32]) {
        let hasKey = lookup.hasKey(keys)
        var found: [[UInt32]: (unknown: Int64, notThatDay: Int64)] = [:]
        for row in rows.indices {
            let codes = keys.map { $0.codes[row] }
            guard !codes.contains(0) else { continue }
            keyed += 1
            guard rows[row] == 0 else { continue }
            if hasKey[row] {
                found[codes, default: (0, 0)].notThatDay += 1
            } else {
                found[codes, default: (0, 0)].unknown += 1
            }
        }
        for (codes, count) in found {
            let key = zip(keys, codes).map { Array($0.pool.slice($1)) }
            add(key, count)
        }
    }

    /// Adds the trips of other batches.
    public mutating func add(_ other: OrphanKeys) {
        keyed += other.keyed
        for (key, count) in other.counts { add(key, count) }
    }

    private mutating func add(_ key: [[UInt8]], _ count: (unknown: Int64, notThatDay: Int64)) {
        counts[key, default: (0, 0)].unknown += count.unknown
        counts[key, default: (0, 0)].notThatDay += count.notThatDay
    }

    /// The keys, those of most trips first.
    public var entries: [Entry] {
        counts.sorted { left, right in
            let trips = (
                left.value.unknown + left.value.notThatDay,
                right.value.unknown + right.value.notThatDay
            )
            guard trips.0 == trips.1 else { return trips.0 > trips.1 }
            return left.key.lexicographicallyPrecedes(right.key) {
                $0.lexicographicallyPrecedes($1)
            }
        }.map { key, count in
            Entry(
                key: key.map { String(decoding: $0, as: UTF8.self) },
                unknown: count.unknown,
                notThatDay: count.notThatDay
            )
        }
    }
}

extension LookupIndex {
    /// Whether the table has rows of the key of each trip, whatever their days.
    func hasKey(_ keys: [TextColumn]) -> [Bool] {
        let keyed = KeyedSpans(keys: keys, table: spans)
        let isKnown = keyed.ranges.map { !$0.isEmpty }
        return keyed.numbers.map { isKnown[Int($0)] }
    }
}
