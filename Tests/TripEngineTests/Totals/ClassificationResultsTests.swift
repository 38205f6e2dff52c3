import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Two classification results of a trip are equal exactly where all their words are.
@Suite struct ClassificationResultsTests {
    /// One decision, in words.
    private struct Words: Hashable {
        let rule: Int
        let region: String?
        let tripType: String?
        let isCounted: Bool
    }

    private static let shape = TripShape(
        columns: [
            ShapeColumn(name: "trip_id", kind: .text, isDerived: false),
            ShapeColumn(name: "pickup_at", kind: .timestamp, isDerived: false),
            ShapeColumn(name: "pickup_at_utc", kind: .timestamp, isDerived: false),
            ShapeColumn(name: "region", kind: .text, isDerived: false),
            ShapeColumn(name: "trip_type", kind: .text, isDerived: false),
        ],
        costName: ""
    )

    /// The same rules in two orders, one with another basis.
    private static func rules(_ names: [String]) -> [RuleEntry] {
        names.enumerated().map { index, name in
            RuleEntry(
                number: index + 1,
                id: String(name.prefix(1)),
                tripClass: name.hasPrefix("a") ? .inHouse : .contracted,
                basis: name,
                because: "",
                condition: "",
                validFrom: nil,
                validTo: nil
            )
        }
    }

    private static func batch(_ words: [Words], _ dice: inout SeededDice) -> TripBatch {
        /// A pool in an order of its own, in which a word may occur twice.
        func column(_ texts: [String?]) -> Column {
            var pool = TextPool()
            let codes = texts.map { text -> UInt32 in
                guard let text else { return 0 }
                if dice.below(3) > 0,
                    let code = (1..<max(1, UInt32(pool.count))).first(where: {
                        pool.slice($0).elementsEqual(text.utf8)
                    })
                {
                    return code
                }
                return pool.append(text)
            }
            return .text(TextColumn(codes: codes, pool: pool))
        }
        let zeros = [UInt32](repeating: 0, count: words.count)
        var batch = TripBatch(
            fileIndex: 0,
            columns: [
                column([]), .integer(IntegerColumn(values: [])),
                .integer(IntegerColumn(values: [])), column(words.map(\.region)),
                column(words.map(\.tripType)),
            ],
            recordNumbers: zeros,
            lineNumbers: zeros
        )
        batch.ruleNumbers = words.map { UInt16($0.rule) }
        batch.counted = words.map(\.isCounted)
        return batch
    }

    @Test(arguments: 1...5)
    func equalMeansTheSameWords(seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        let shape = try #require(Self.shape)
        let sets = [["a1", "b1", "c1"], ["b1", "a1", "c2", "c1"]]
        let regions: [String?] = [nil, "08", "8", "e\u{301}", "\u{e9}"]
        var results = ClassificationResults()
        var found: [(name: String, result: ClassificationResults.ClassificationResult)] = []
        for _ in 0..<6 {
            let set = sets[dice.below(sets.count)]
            let words = (0..<40).map { _ in
                Words(
                    rule: dice.below(set.count + 1),
                    region: regions[dice.below(regions.count)],
                    tripType: ["BLS", "SCT"][dice.below(2)],
                    isCounted: dice.below(2) == 0
                )
            }
            let batch = Self.batch(words, &dice)
            let numbers = results.results(of: batch, shape, Self.rules(set))
            for (word, number) in zip(words, numbers) {
                let rule = word.rule == 0 ? "" : set[word.rule - 1]
                let region = (word.region ?? "").unicodeScalars.map { String($0.value) }
                let name = "\(rule) \(region) \(word.tripType ?? "") \(word.isCounted)"
                found.append((name, number))
            }
        }
        for left in found {
            for right in found {
                #expect((left.name == right.name) == (left.result == right.result))
            }
        }
    }
}
