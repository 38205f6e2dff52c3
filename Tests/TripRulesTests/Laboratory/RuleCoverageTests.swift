import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// Counts of rules that hold together, and what each rule changes.
struct RuleCoverageTests {
    private static let conditions: [(String, TripClass, String)] = [
        ("owner = 'VA' AND crew = 'VENDOR'", .contracted, "contract"),
        ("owner = 'VA'", .inHouse, "va_fleet"),
        ("crew = 'VENDOR'", .contracted, "contract"),
        ("crew IS NOT NULL", .contracted, "noncontract_vendor"),
    ]

    private func ruleSet(_ conditions: [(String, TripClass, String)]) throws -> RuleSet {
        try RuleSet(
            definitions: conditions.enumerated().map {
                RuleDefinition(
                    id: "r\($0 + 1)",
                    tripClass: $1.1,
                    basis: $1.2,
                    condition: $1.0
                )
            },
            scope: ExpressionSamples.scope,
            pickupDate: "pickup_date"
        )
    }

    private func entries(_ conditions: [(String, TripClass, String)]) -> [RuleEntry] {
        conditions.enumerated().map { index, rule in
            RuleEntry(
                number: index + 1,
                id: "r\(index + 1)",
                tripClass: rule.1,
                basis: rule.2,
                because: "",
                condition: rule.0,
                validFrom: nil,
                validTo: nil
            )
        }
    }

    /// VA with VENDOR, VA alone, VENDOR alone, another crew, nothing; the last trip does not count.
    private func coverage() throws -> RuleCoverage {
        let frame = ExpressionSamples.frame(
            owner: ["VA", "VA", "X", nil, nil, "VA"],
            crew: ["VENDOR", nil, "VENDOR", "Y", nil, "VENDOR"],
            pickupDay: [20_500, 20_500, 20_500, 20_500, 20_500, 20_500],
            siteRows: [1, 1, 1, 1, 1, 1]
        )
        var coverage = RuleCoverage(rules: entries(Self.conditions))
        coverage.add(
            try ruleSet(Self.conditions).holding(frame),
            counted: [true, true, true, true, true, false],
            cost: IntegerColumn(values: [1, 20, 300, 4000, 50_000, 600_000], nulls: []),
            firstNumber: 11
        )
        return coverage
    }

    @Test func eachTripIsDecidedOnce() throws {
        let coverage = try coverage()
        #expect((0...4).map { coverage.decided(by: $0).costs.trips } == [1, 1, 1, 1, 1])
        #expect(
            (0...4).map { coverage.decided(by: $0).costs.costCents } == [50_000, 1, 20, 300, 4000]
        )
        #expect(coverage.decided(by: 1, isCounted: false).costs.trips == 1)
        #expect(coverage.all(isCounted: true).costs.trips == 5)
        #expect((1...4).map { coverage.holding($0).costs.trips } == [1, 2, 2, 3])
        #expect(coverage.decided(by: 4).sample == 14)
    }

    @Test func aRuleChangesTheTripsThatWouldHaveAnotherClassWithoutIt() throws {
        let coverage = try coverage()
        // Without the third rule, the fourth gives the same class; without the second and the
        // fourth, no rule holds.
        #expect((1...4).map { coverage.changed(without: $0).costs.trips } == [1, 1, 0, 1])
        #expect(coverage.changed(without: 1).costs.costCents == 1)
    }

    @Test func rulesThatGiveDifferentClassesAreReported() throws {
        let coverage = try coverage()
        #expect(coverage.overlaps.map { [$0.deciding, $0.other] } == [[1, 2]])
        #expect(coverage.orderedNeighbours.map { [$0.deciding, $0.other] } == [[1, 2], [3, 4]])
        #expect(coverage.orderedNeighbours.map { coverage.differInClass($0) } == [true, false])
        #expect(
            coverage.shadowingRules(of: 4).map { [$0.deciding, Int($0.sums.costs.trips)] } == [
                [1, 2], [3, 1],
            ]
        )
    }

    @Test func batchesAddUp() throws {
        var twice = try coverage()
        twice.add(try coverage())
        #expect(twice.all(isCounted: true).costs.trips == 10)
        #expect(twice.decided(by: 4).sample == 14)
        #expect(twice.changed(without: 1).costs.costCents == 2)
    }

    /// There may be more rules than a machine word has bits.
    @Test func thereMayBeManyRules() throws {
        let many = (0..<150).map { ("paid_cents > \($0)", TripClass.inHouse, "b\($0)") }
        let frame = ExpressionSamples.frame(
            owner: ["VA"],
            crew: [nil],
            pickupDay: [20_500],
            siteRows: [1]
        )
        let holding = try ruleSet(many + [("owner = 'VA'", .contracted, "last")]).holding(frame)
        #expect(holding[0].last == 151)
    }
}
