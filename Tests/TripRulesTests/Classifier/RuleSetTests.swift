import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

struct RuleSetTests {
    private func set(_ definitions: [RuleDefinition]) throws -> RuleSet {
        try RuleSet(
            definitions: definitions,
            scope: ExpressionSamples.scope,
            pickupDate: "pickup_date"
        )
    }

    private static let day = CivilDate(dayNumber: 20_500)

    private static let crew = RuleDefinition(
        id: "vendor-crew",
        tripClass: .contracted,
        condition: "owner = 'VA' AND crew = 'VENDOR'",
        validFrom: day,
        decides: [["owner": "VA", "crew": "VENDOR", "pickup_date": "2026-02-16"]],
        leaves: [["owner": "VA", "crew": "VENDOR", "pickup_date": "2026-02-15"]]
    )
    private static let own = RuleDefinition(
        id: "va-vehicle",
        tripClass: .inHouse,
        condition: "owner = 'VA'\n  AND crew IS NOT 'LEASED'"
    )
    private static let region = RuleDefinition(
        id: "region",
        tripClass: .contracted,
        condition: "site.region = '08'"
    )

    @Test func theFirstRuleThatHoldsOnTheDayDecides() throws {
        let rules = try set([Self.crew, Self.own, Self.region])
        let frame = ExpressionSamples.frame(
            owner: ["VA", "VA", "VA", "X", "X"],
            crew: ["VENDOR", "VENDOR", nil, nil, nil],
            pickupDay: [20_500, 20_499, 20_500, 20_500, 20_500],
            siteRows: [1, 1, 1, 1, 2]
        )
        #expect(rules.classify(frame).ruleNumbers == [1, 2, 2, 3, 0])
    }

    @Test func everyFaultOfEveryRuleIsReported() {
        var wrong = Self.own
        wrong.condition = "ownr = 'VA'"
        var alsoWrong = Self.crew
        alsoWrong.condition = "owner = 1"
        #expect {
            try set([wrong, Self.region, alsoWrong])
        } throws: { error in
            (error as? RuleSetFault)?.faults.map(\.ruleNumber) == [1, 3]
        }
    }

    @Test func overflowsCountOnlyWhereARuleIsEvaluated() throws {
        let sum = RuleDefinition(
            id: "sum",
            tripClass: .inHouse,
            condition: "paid_cents * 4 > 0"
        )
        let frame = ExpressionSamples.frame(
            owner: ["VA", "X", "X"],
            paidCents: [.max, .max, 1]
        )
        #expect(try set([Self.own, sum]).classify(frame).overflowCount == 1)
        #expect(try set([sum, Self.own]).classify(frame).overflowCount == 2)
    }

    @Test func examplesRunAgainstTheWholeSet() throws {
        var own = Self.own
        own.decides = [
            ["owner": "VA"], ["owner": "VA", "crew": "VENDOR", "pickup_date": "2026-03-01"],
            ["ownr": "VA"], ["owner": "VA", "paid_cents": "12.5"], ["patient": "1"],
            ["owner": "VA", "crew": nil as String?], ["pickup_date": "2026-02-30"],
        ]
        own.leaves = [["owner": "X"], ["owner": "VA"]]
        let outcomes = try set([Self.crew, own]).checkExamples()
        #expect(outcomes.prefix(2).allSatisfy { $0.result == .asPromised })
        #expect(outcomes[2].result == .asPromised)
        #expect(outcomes[3].result == .decidedBy(ruleNumber: 1))
        #expect(outcomes[4].result == .unreadable("there is no name `ownr`; did you mean `owner`?"))
        #expect(
            outcomes[5].result == .unreadable("`paid_cents` is '12.5'; whole cents are expected")
        )
        #expect(
            outcomes[6].result
                == .unreadable("`patient` identifies a patient and is never readable")
        )
        #expect(outcomes[7].result == .asPromised)
        #expect(
            outcomes[8].result
                == .unreadable(
                    "`pickup_date` is '2026-02-30'; a day is expected, as YYYY-MM-DD"
                )
        )
        #expect(outcomes[9].result == .asPromised)
        #expect(outcomes[10].result == .decidedBy(ruleNumber: 2))
    }

    @Test func anExampleComputesADerivedFieldThatItLeavesOut() throws {
        let scope = ExpressionSamples.scope
        let names = [("is_own", ColumnKind.boolean), ("mark", .text)]
        var rule = Self.own
        rule.condition = "is_own = 1 AND mark = '1VA'"
        rule.decides = [
            ["owner": "VA"], ["owner": "X"], ["is_own": "1", "owner": "VA"],
            // What an example gives is not computed, and what it says nothing of stays NULL.
            ["owner": "VA", "is_own": nil as String?], ["owner": "VA", "is_own": "0"], [:],
            ["is_own": "1"], ["is_own": "1", "mark": "1VA"],
        ]
        let rules = try RuleSet(
            definitions: [rule],
            scope: ExpressionScope(
                columns: scope.columns + names.map { ScopeColumn(name: $0, kind: $1) },
                lookups: scope.lookups
            ),
            pickupDate: "pickup_date",
            derived: [("is_own", "owner = 'VA'"), ("mark", "is_own || coalesce(owner, '-')")]
        )
        #expect(
            rules.checkExamples().map { $0.result == .asPromised }
                == [true, false, true, false, false, false, false, true]
        )
    }

    @Test func examplesMayNameLookupColumns() throws {
        var region = Self.region
        region.decides = [["site.region": "08", "site.matched": "1"]]
        region.leaves = [["site.region": "10"]]
        let outcomes = try set([region]).checkExamples()
        #expect(outcomes.allSatisfy { $0.result == .asPromised })
    }

    @Test func anExplanationShowsConjunctsValuesAndWhatComesNext() throws {
        let rules = try set([Self.crew, Self.own, Self.region])
        let frame = ExpressionSamples.frame(
            owner: ["X", "VA"],
            pickupDay: [20_500, 20_500],
            siteRows: [0, 1]
        )
        let explanation = rules.explain(frame, row: 1)
        #expect(explanation.decidingRule == 2)
        #expect(explanation.nextRule == 3)
        let conjuncts = explanation.rules[1].conjuncts
        #expect(conjuncts.map(\.text) == ["owner = 'VA'", "crew IS NOT 'LEASED'"])
        #expect(conjuncts.map(\.truth) == [.yes, .yes])
        #expect(conjuncts[0].names.map(\.value) == [.text("VA")])
        #expect(explanation.rules[0].conjuncts[1].truth == .unknown)
        let site = explanation.rules[2].conjuncts[0].names[0]
        #expect(site.file == "stations.csv")
        #expect(site.lineNumber == 2)
        #expect(
            explanation.nearestChange
                == RuleExplanation.NearestChange(
                    ruleNumber: 1,
                    conjunctIndex: 1,
                    name: "crew",
                    current: .null,
                    needed: .text("VENDOR"),
                    excluded: nil,
                    decidingRule: 1
                )
        )
    }

    @Test func theNearestChangeMayMakeTheDecidingRuleFalse() throws {
        let rules = try set([Self.own])
        let frame = ExpressionSamples.frame(owner: ["VA"], crew: ["VA"])
        let change = try #require(rules.explain(frame, row: 0).nearestChange)
        #expect(change.ruleNumber == 1)
        #expect(change.decidingRule == 0)
        #expect(change.name == "owner")
        // Any other owner does: no invented one is named.
        #expect(change.excluded == [.text("VA")])
    }

    @Test func columnsNoRuleReadsMayBeEmpty() throws {
        let rules = try set([Self.own])
        var frame = ExpressionSamples.frame(owner: ["X", "VA"])
        frame.columns[2] = .integer(IntegerColumn(values: []))
        #expect(rules.classify(frame).ruleNumbers == [0, 1])
        #expect(rules.explain(frame, row: 1).decidingRule == 1)
    }

    @Test func aTripThatNoRuleDecidesIsExplained() throws {
        let rules = try set([Self.own])
        let explanation = rules.explain(ExpressionSamples.frame(owner: ["X"]), row: 0)
        #expect(explanation.decidingRule == 0)
        #expect(explanation.nearestChange?.needed == .text("VA"))
        #expect(explanation.nearestChange?.decidingRule == 1)
    }
}
