import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

struct RuleReachTests {
    private func reach(_ definitions: [RuleDefinition]) throws -> [RuleReach] {
        try RuleSet(
            definitions: definitions,
            scope: ExpressionSamples.scope,
            pickupDate: "pickup_date"
        ).reach()
    }

    private func rules(_ conditions: [String]) -> [RuleDefinition] {
        conditions.enumerated().map {
            RuleDefinition(id: "r\($0)", tripClass: .inHouse, condition: $1)
        }
    }

    @Test(arguments: [
        "owner = 'VA' AND owner = 'VENDOR'", "owner > 'b' AND owner < 'a'",
        "paid_cents > 5 AND paid_cents < 6", "paid_cents BETWEEN 9 AND 3",
        "owner IS NULL AND owner <> 'VA'", "has_qm = 2", "site.matched = 0 AND site.matched = 1",
        "site.match_count < 0", "owner IN ('a', 'b') AND NOT owner <> 'c'", "owner = NULL",
        "paid_cents = 1.5", "NOT (owner = 'VA' OR owner <> 'VA' OR owner IS NULL)", "0",
        "(owner = 'a' AND owner = 'b') OR (crew = 'a' AND crew = 'b')",
        "upper(owner) = 'X' AND paid_cents IN (1, 2) AND paid_cents > 2",
        "coalesce(owner, 'VA') = 'VA' AND owner = 'VENDOR'", "rate < 0.5 AND rate > 1",
        "coalesce(crew, 'x') = 'y' AND crew IS NULL", "paid_cents > 9223372036854775807",
    ])
    func conditionsThatNoTripMeetsAreFound(condition: String) throws {
        #expect(try reach(rules([condition])) == [.neverHolds])
    }

    @Test(arguments: [
        (["owner = 'VA'", "owner = 'VA' AND crew = 'VA'"], [1]),
        (["owner IN ('a', 'b')", "owner = 'b'"], [1]),
        (["has_qm = 0", "has_qm = 1 OR has_qm IS NULL", "owner LIKE 'V%'"], [1, 2]),
        (["paid_cents < 5", "paid_cents >= 5", "paid_cents IS NOT NULL"], [1, 2]),
        (["owner <> 'VA'", "owner = 'VA'", "owner IS NULL", "crew = 'x'"], [1, 2, 3]),
        (["crew = 'x' OR owner = 'VA'", "owner = 'VA' AND paid_cents > 1"], [1]),
        (
            ["pickup_date >= '2025-01-01'", "pickup_date BETWEEN '2025-02-01' AND '2025-03-01'"],
            [1]
        ),
        (["coalesce(owner, 'VA') = 'VA'", "owner IS NULL"], [1]),
        (["1", "owner = 'VA'"], [1]),
    ])
    func rulesThatEarlierRulesShadowAreFound(
        conditions: [String],
        shadowingRules: [Int]
    ) throws {
        let verdicts = try reach(rules(conditions))
        #expect(verdicts.last == .alwaysShadowed(ruleNumbers: shadowingRules))
    }

    @Test func theDatesOfRulesAreAnalyzed() throws {
        var first = RuleDefinition(id: "a", tripClass: .inHouse, condition: "owner = 'VA'")
        first.validFrom = CivilDate(dayNumber: 20_000)
        var second = RuleDefinition(id: "b", tripClass: .inHouse, condition: "owner = 'VA'")
        second.validFrom = CivilDate(dayNumber: 20_100)
        #expect(try reach([first, second]).last == .alwaysShadowed(ruleNumbers: [1]))
        second.validFrom = CivilDate(dayNumber: 19_999)
        guard case .canDecide(let witness) = try reach([first, second])[1] else {
            Issue.record("the second rule decides the day before the first begins")
            return
        }
        #expect(witness["pickup_date"] == .text("2024-10-03"))
    }

    @Test func conditionsBeyondTheAnalysisGetNoVerdict() throws {
        #expect(try reach(rules(["owner LIKE 'V%'"])) == [.notDecided])
        #expect(try reach(rules(["upper(owner) = 'va'"])) == [.notDecided])
        #expect(try reach(rules(["owner LIKE 'V%'", "owner = 'VA'"]))[1] == .notDecided)
    }

    @Test func anExampleWithTheExpectedResultShowsThatARuleCanDecide() throws {
        var rule = RuleDefinition(id: "a", tripClass: .inHouse, condition: "owner LIKE 'V%'")
        rule.decides = [["owner": "VA"]]
        #expect(try reach([rule]) == [.canDecide(witness: ["owner": .text("VA")])])
    }

    /// A rule that the analysis reports as unreachable never decides, among random rules and trips.
    @Test func aRuleReportedUnreachableNeverDecides() throws {
        var dice = ExpressionDice(seed: 7)
        var unable = 0
        var able = 0
        for _ in 0..<400 {
            let definitions = (0..<4).map { index -> RuleDefinition in
                var rule = RuleDefinition(
                    id: "r\(index)",
                    tripClass: .inHouse,
                    condition: condition(&dice, 3)
                )
                if dice.oneIn(4) {
                    rule.validFrom = CivilDate(dayNumber: Int32(20_000 + dice.roll(4)))
                }
                if dice.oneIn(4) {
                    rule.validTo = CivilDate(dayNumber: Int32(20_000 + dice.roll(4)))
                }
                return rule
            }
            let rules = try RuleSet(
                definitions: definitions,
                scope: ExpressionSamples.scope,
                pickupDate: "pickup_date"
            )
            let verdicts = rules.reach()
            let decided = Set(rules.classify(trips(&dice, 300)).ruleNumbers)
            for (index, verdict) in verdicts.enumerated() {
                switch verdict {
                case .canDecide: able += 1
                case .notDecided: break
                case .neverHolds, .alwaysShadowed:
                    unable += 1
                    #expect(
                        !decided.contains(UInt16(index + 1)),
                        "\(definitions.map(\.condition)) rule \(index + 1): \(verdict)"
                    )
                }
            }
        }
        #expect(unable > 100)
        #expect(able > 300)
    }

    private func condition(_ dice: inout ExpressionDice, _ depth: Int) -> String {
        if depth > 0, !dice.oneIn(3) {
            switch dice.roll(5) {
            case 0: return "NOT (\(condition(&dice, depth - 1)))"
            case 1, 2:
                return "(\(condition(&dice, depth - 1)) AND \(condition(&dice, depth - 1)))"
            default: return "(\(condition(&dice, depth - 1)) OR \(condition(&dice, depth - 1)))"
            }
        }
        let sign = dice.pick(["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"])
        let word = dice.pick(["'a'", "'b'", "'c'", "NULL", "''"])
        let number = dice.pick(["0", "1", "2", "1.5", "-1", "NULL", "9223372036854775807"])
        switch dice.roll(9) {
        case 0, 1: return "owner \(sign) \(word)"
        case 2: return "coalesce(crew, 'b') \(sign) \(word)"
        case 3: return "paid_cents \(sign) \(number)"
        case 4: return "owner IN ('a', \(word))"
        case 5: return "paid_cents NOT BETWEEN \(number) AND \(dice.roll(3))"
        case 6:
            return
                "pickup_date \(sign) '\(CivilDate(dayNumber: Int32(20_000 + dice.roll(4))).text)'"
        case 7:
            return dice.pick(["has_qm", "site.matched = 1", "crew IS NULL", "site.region = '08'"])
        default: return dice.pick(["owner LIKE 'a%'", "owner < crew", "0 \(sign) paid_cents"])
        }
    }

    private func trips(_ dice: inout ExpressionDice, _ count: Int) -> Frame {
        let words: [String?] = ["a", "b", "c", "", "aa", nil]
        let numbers: [Int64?] = [0, 1, 2, 3, -1, .max, .min, nil]
        return ExpressionSamples.frame(
            owner: (0..<count).map { _ in dice.pick(words) },
            crew: (0..<count).map { _ in dice.pick(words) },
            paidCents: (0..<count).map { _ in dice.pick(numbers) },
            pickupDay: (0..<count).map { _ in Int64(20_000 + dice.roll(5)) },
            siteRows: (0..<count).map { _ in UInt32(dice.roll(3)) }
        )
    }

    /// A stored trip and the same trip given by its values alone get the same rule.
    @Test func flatTripsAreClassifiedAsStoredOnes() throws {
        var dice = ExpressionDice(seed: 8)
        for _ in 0..<60 {
            let rules = try RuleSet(
                definitions: rules((0..<3).map { _ in condition(&dice, 3) }),
                scope: ExpressionSamples.scope,
                pickupDate: "pickup_date"
            )
            let frame = trips(&dice, 40)
            let flat = (0..<40).map { FlatTrips.trip(frame, $0, rules.scope) }
            let decided = rules.classifyFlat(FlatTrips.frame(flat, rules.flatScope))
            #expect(decided.ruleNumbers == rules.classify(frame).ruleNumbers)
        }
    }
}
