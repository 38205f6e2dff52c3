import Testing
import TripDomain

@testable import TripMart

@Suite struct StoredGoalsTests {
    private static let goals = [
        Goal(from: Month(year: 2025, month: 10), inHousePercentHundredths: 5500),
        Goal(from: Month(year: 2026, month: 10), inHousePercentHundredths: 6025),
    ]

    /// Publishes a generation with goals.
    private static func published(_ goals: [Goal]) throws -> BuiltMart {
        let mart = try BuiltMart()
        var contents = ReferenceGeneration(seed: 1, count: 50).contents(number: 1)
        contents.summary.goals = goals
        try Publication(mart.folder).publish(try mart.writer.write(contents))
        return mart
    }

    @Test func goalsAreReadAsTheyWereWritten() throws {
        let mart = try Self.published(Self.goals)
        #expect(try ServedMart.open(mart.folder).goals() == Self.goals)
        #expect(try PublishedCube.open(mart.folder, generation: 1).goals() == Self.goals)
        #expect(try ServedGeneration(mart.folder, number: 1).goals == Self.goals)
    }

    /// A pipeline without a goal has the rows of before.
    @Test func withoutAGoalThereIsNoRow() throws {
        let mart = try Self.published([])
        #expect(try ServedMart.open(mart.folder).goals().isEmpty)
        let keys = try BuiltMart.rows(mart.folder.generationPath(1), "SELECT key FROM meta")
        #expect(!keys.contains { $0[0]?.hasPrefix("goal") == true })
    }

    @Test(arguments: ["value = '10001'", "value = 'x'", "key = 'goal_from_2025-13'"])
    func aGoalThatNoRunWritesIsDamage(change: String) throws {
        let mart = try Self.published([Self.goals[0]])
        try BuiltMart.tamper(
            mart.folder.generationPath(1),
            "UPDATE meta SET \(change) WHERE key = 'goal_from_2025-10'"
        )
        expectFailure(.damaged) { _ = try ServedMart.open(mart.folder).goals() }
    }
}
