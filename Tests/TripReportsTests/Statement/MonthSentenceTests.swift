import Testing
import TripDomain
import TripMart

@testable import TripReports

/// The sentence of a month, by the cases of the dashboard's sentence.
@Suite struct MonthSentenceTests {
    struct File: Decodable {
        let sentences: [Case]
        let goals: [GoalCase]
    }

    struct Case: Decodable {
        let name: String
        let screen_alone: Bool?
        let month: String?
        let trips: Int64?
        let share: [Int64?]?
        let settles_on: String?
        let comparison: Earlier?
        let goal: DeclaredGoal?
        let settled: Settled?
        let sentence: String
    }

    struct Earlier: Decodable {
        let month: String
        let kind: String
        let share: [Int64?]
    }

    struct DeclaredGoal: Decodable {
        let hundredths: Int64
        let since: String
        let verdict: String
    }

    struct Settled: Decodable {
        let month: String
        let trips: Int64?
        let share: [Int64?]
        let goal: Int64?
    }

    struct GoalCase: Decodable {
        let hundredths: Int64
        let since: String
        let text: String
    }

    private static func file() throws -> File { try SharedCases.read("sentence-cases.json") }

    private static func goal(_ hundredths: Int64, since month: String) throws -> Goal {
        Goal(from: try #require(Month(text: month)), inHousePercentHundredths: hundredths)
    }

    private static func sentence(_ each: Case) throws -> MonthSentence {
        MonthSentence(
            month: try #require(each.month.flatMap { Month(text: $0) }),
            trips: each.trips ?? 1000,
            share: SharedCases.share(each.share),
            settlesOn: each.settles_on.flatMap { CivilDate(text: $0) },
            comparison: try each.comparison.map { earlier in
                MonthSentence.Earlier(
                    month: try #require(Month(text: earlier.month)),
                    kind: try #require(MonthComparison.Kind(rawValue: earlier.kind)),
                    share: SharedCases.share(earlier.share)
                )
            },
            goal: try each.goal.map { try goal($0.hundredths, since: $0.since) },
            settled: try each.settled.map { settled in
                MonthSentence.Settled(
                    month: try #require(Month(text: settled.month)),
                    trips: settled.trips ?? 1000,
                    share: SharedCases.share(settled.share),
                    goal: try settled.goal.map { try goal($0, since: settled.month) }
                )
            }
        )
    }

    @Test func everySentenceIsThatOfTheDashboard() throws {
        let cases = try Self.file().sentences.filter { $0.screen_alone != true }
        try #require(cases.count > 20)
        for each in cases {
            #expect(try Self.sentence(each).text == each.sentence, "\(each.name)")
        }
    }

    /// The dashboard is told the verdict of a month that is settled; a report finds it.
    @Test func everyVerdictIsThatOfTheCase() throws {
        let cases = try Self.file().sentences.filter { $0.goal != nil && $0.share != nil }
        try #require(cases.count > 8)
        for each in cases where each.settles_on == nil {
            let declared = try #require(each.goal)
            let share = SharedCases.share(each.share)
            let goal = try Self.goal(declared.hundredths, since: declared.since)
            let verdict = goal.verdict(low: share.low, high: share.high)
            #expect(verdict.rawValue == declared.verdict, "\(each.name)")
        }
    }

    @Test func everyGoalIsNamedAsOnTheDashboard() throws {
        let cases = try Self.file().goals
        try #require(!cases.isEmpty)
        for each in cases {
            let goal = try Self.goal(each.hundredths, since: each.since)
            #expect(MonthSentence.text(goal) == each.text)
        }
    }
}
