import TestSupport
import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// Compares lookups of whole batches with a search of all rows that have a trip's key.
@Suite struct LookupIndexTests {
    private struct MadeTable {
        /// The key parts of each row; nil where one is blank.
        private(set) var keys: [[String?]] = []
        /// The days on which each row is valid; unbounded where nil.
        private(set) var days: [(from: Int32?, to: Int32?)] = []
        /// The rows of each key, in their order.
        private var rows: [[String?]: [Int]] = [:]

        mutating func append(_ key: [String?], from: Int32?, to: Int32?) {
            rows[key, default: []].append(keys.count)
            keys.append(key)
            days.append((from, to))
        }

        func text(keyCount: Int) -> String {
            var text = (0..<keyCount).map { "k\($0)" }.joined(separator: ",") + ",from,to\n"
            for (key, day) in zip(keys, days) {
                let parts = key.map { $0 ?? "" } + [day.from, day.to].map(Self.date)
                text += parts.joined(separator: ",") + "\n"
            }
            return text
        }

        private static func date(_ day: Int32?) -> String {
            day.map { CivilDate(dayNumber: $0).text } ?? ""
        }

        /// The rows that are valid for a key on a day.
        func rows(_ key: [String?], on day: Int64?, isDated: Bool) -> [Int] {
            guard !key.contains(nil), !isDated || day != nil else { return [] }
            return rows[key, default: []].filter { row in
                guard isDated, let day else { return true }
                return Int64(days[row].from ?? .min) <= day && day <= Int64(days[row].to ?? .max)
            }
        }
    }

    private static let parts = ["a", "b", "ab", "bc", "c", "", "aaaaaaaaaaaaaaaaaaaaaaaaaaa"]

    private static func part(_ dice: inout SeededDice) -> String? {
        let part = dice.pick(parts) + (dice.below(3) == 0 ? "\(dice.below(90))" : "")
        return part.isEmpty ? nil : part
    }

    private static func column(_ texts: [String?]) -> TextColumn {
        var pool = TextPool()
        var codes: [String: UInt32] = [:]
        let column = texts.map { text -> UInt32 in
            guard let text else { return 0 }
            if let code = codes[text] { return code }
            codes[text] = pool.append(text)
            return codes[text] ?? 0
        }
        return TextColumn(codes: column, pool: pool)
    }

    /// Rows whose days may overlap, or those of them that do not.
    private static func table(
        keyCount: Int,
        isDated: Bool,
        overlaps: Bool,
        _ dice: inout SeededDice
    ) -> MadeTable {
        var table = MadeTable()
        for _ in 0..<600 {
            let key = (0..<keyCount).map { _ in part(&dice) }
            let from = dice.below(4) == 0 ? nil : Int32(20_000 + dice.below(300))
            let to = dice.below(4) == 0 ? nil : (from ?? 20_100) + Int32(dice.below(100))
            let isTaken = table.keys.indices.contains { row in
                table.keys[row] == key
                    && (!isDated
                        || (table.days[row].from ?? .min) <= (to ?? .max)
                            && (from ?? .min) <= (table.days[row].to ?? .max))
            }
            guard overlaps || !isTaken || key.contains(nil) else { continue }
            table.append(key, from: from, to: to)
        }
        return table
    }

    @Test(arguments: [1, 2, 3], [(true, true), (true, false), (false, true), (false, false)])
    func matchesEqualThoseOfAPlainSearch(
        keyCount: Int,
        kind: (isDated: Bool, overlaps: Bool)
    ) throws {
        let isDated = kind.isDated
        var dice = SeededDice(seed: UInt64(keyCount * 2 + (isDated ? 1 : 0)))
        let table = Self.table(
            keyCount: keyCount,
            isDated: isDated,
            overlaps: kind.overlaps,
            &dice
        )
        var definition = LookupDefinition(
            name: "site",
            file: "r.csv",
            keys: (0..<keyCount).map { ("f\($0)", "k\($0)") }
        )
        definition.validOn = isDated ? "pickup_date" : nil
        definition.cardinality = kind.overlaps ? .any : .one
        let index = try LookupIndex(
            definition: definition,
            table: try ReferenceLoader.load(
                definition,
                bytes: Array(table.text(keyCount: keyCount).utf8)
            )
        )
        let all = Self.trips(3000, keyCount, days: 19_990..<20_410, &dice)
        try Self.expectWalk(index, table, all, isDated: isDated, overlaps: kind.overlaps)
        // Trips of a few days, as they are stored: most keys find one row for all of them.
        for first in stride(from: Int64(19_995), to: 20_400, by: 90) {
            let trips = Self.trips(150, keyCount, days: first..<first + 3, &dice).filter {
                $0.day != nil
            }
            try Self.expectWalk(index, table, trips, isDated: isDated, overlaps: kind.overlaps)
        }
    }

    private struct Trip {
        let key: [String?]
        let day: Int64?
    }

    private static func trips(
        _ count: Int,
        _ keyCount: Int,
        days: Range<Int64>,
        _ dice: inout SeededDice
    ) -> [Trip] {
        (0..<count).map { _ in
            Trip(
                key: (0..<keyCount).map { _ in part(&dice) },
                day: dice.below(20) == 0 ? nil : Int64.random(in: days, using: &dice)
            )
        }
    }

    /// Compares the matches of the index with a plain search for each trip.
    private static func expectWalk(
        _ index: LookupIndex,
        _ table: MadeTable,
        _ trips: [Trip],
        isDated: Bool,
        overlaps: Bool
    ) throws {
        let hasUnknownDays = trips.contains { $0.day == nil }
        let keyCount = trips[0].key.count
        let keys = (0..<keyCount).map { part in column(trips.map { $0.key[part] }) }
        let matches = index.match(
            keys: keys,
            days: IntegerColumn(
                values: trips.map { $0.day ?? 0 },
                nulls: hasUnknownDays ? trips.map { $0.day == nil } : []
            )
        )
        var expectedKeyed: Int64 = 0
        var expectedUnmatched: Int64 = 0
        for (row, trip) in trips.enumerated() {
            let expected = table.rows(trip.key, on: trip.day, isDated: isDated)
            try #require(overlaps ? matches.counts[row] == expected.count : expected.count <= 1)
            // Of several, the one with the earliest first day; rows of a table count from 1.
            let first = expected.min { left, right in
                let (from, other) = (table.days[left].from ?? .min, table.days[right].from ?? .min)
                return !isDated || from == other ? left < right : from < other
            }
            try #require(Int(matches.rows[row]) == (first ?? -1) + 1)
            guard !trip.key.contains(nil) else { continue }
            expectedKeyed += 1
            if expected.isEmpty { expectedUnmatched += 1 }
        }
        #expect(matches.keyed == expectedKeyed)
        #expect(matches.unmatched == expectedUnmatched)
        #expect(expectedUnmatched > 0 && expectedUnmatched < expectedKeyed)
        guard isDated else { return }
        // Without any day, no row is valid.
        let dayless = index.match(keys: keys, days: nil)
        #expect(dayless.rows.allSatisfy { $0 == 0 } && dayless.unmatched == expectedKeyed)
    }
}
