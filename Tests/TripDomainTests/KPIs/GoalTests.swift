import Testing

@testable import TripDomain

@Suite struct GoalTests {
    private static func goal(_ month: String, _ hundredths: Int64) throws -> Goal {
        Goal(from: try #require(Month(text: month)), inHousePercentHundredths: hundredths)
    }

    @Test(
        arguments: [
            (5500, 5600, .above), (5501, 5501, .above), (5499, 5500, .notDecided),
            (5000, 5499, .below), (5499, 5499, .below), (5000, 6000, .notDecided),
            (nil, 5000, .notDecided), (5600, nil, .notDecided), (nil, nil, .notDecided),
        ] as [(Int64?, Int64?, Goal.Verdict)]
    )
    func aVerdictRespectsTheInterval(low: Int64?, high: Int64?, verdict: Goal.Verdict) throws {
        #expect(try Self.goal("2025-10", 5500).verdict(low: low, high: high) == verdict)
    }

    @Test func aGoalIsInForceUntilTheNextOneBegins() throws {
        let goals = [try Self.goal("2025-10", 5500), try Self.goal("2026-10", 6000)]
        let asked = try ["2025-09", "2025-10", "2026-09", "2026-10", "2030-01"].map {
            goals.inForce(in: try #require(Month(text: $0)))?.inHousePercentHundredths
        }
        #expect(asked == [nil, 5500, 5500, 6000, 6000])
    }

    @Test(
        arguments: [
            (["2025-10", "2026-09"], 5500), (["2025-09", "2025-10"], nil),
            (["2026-09", "2026-10"], nil), (["2026-10"], 6000), ([], nil),
        ] as [([String], Int64?)]
    )
    func anAnswerHasAGoalWhereItIsTheSameThroughout(months: [String], expected: Int64?) throws {
        let goals = [try Self.goal("2025-10", 5500), try Self.goal("2026-10", 6000)]
        let asked = try months.map { try #require(Month(text: $0)) }
        #expect(goals.inForce(throughout: asked)?.inHousePercentHundredths == expected)
    }
}
