import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// The change that is reported as the nearest.
@Suite struct RuleExplanationTests {
    private func change(
        _ conditions: [String],
        siteRow: UInt32
    ) throws
        -> RuleExplanation.NearestChange?
    {
        let rules = try RuleSet(
            definitions: conditions.enumerated().map { index, condition in
                RuleDefinition(
                    id: "rule-\(index)",
                    tripClass: index % 2 == 0 ? .inHouse : .contracted,
                    condition: condition
                )
            },
            scope: ExpressionSamples.scope,
            pickupDate: "pickup_date"
        )
        let frame = ExpressionSamples.frame(owner: ["VENDOR"], siteRows: [siteRow])
        return rules.explain(frame, row: 0).nearestChange
    }

    @Test func aFieldOfTheTripComesBeforeALookedUpValue() throws {
        let conditions = ["site.region = '99'", "owner = 'VENDOR'"]
        #expect(try change(conditions, siteRow: 1)?.name == "owner")
        #expect(try change(["site.region = '99'", "owner = 'VA'"], siteRow: 1)?.name == "owner")
    }

    @Test func aLookedUpValueIsNamedWhereNoFieldHelps() throws {
        let change = try change(["site.region = '99'"], siteRow: 1)
        #expect(change?.name == "site.region")
        #expect(change?.needed == .text("99"))
    }

    @Test func aLookUpWithoutARowIsNeverChanged() throws {
        #expect(try change(["site.region = '99'", "site.matched = 1"], siteRow: 0) == nil)
        let conditions = ["site.region = '99'", "site.matched = 0 AND owner = 'VENDOR'"]
        #expect(try change(conditions, siteRow: 0)?.name == "owner")
    }
}
