import TestSupport
import Testing
import TripDomain

@testable import TripPipeline

@Suite struct GoalReaderTests {
    private static func read(_ goal: String) throws -> PipelineDefinition {
        let text = MinimalPipeline.text + "\nkpis:\n  goal: \(goal)\n"
        return try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))]
        )
    }

    @Test(
        arguments: [
            ("0", 0), ("55", 5500), ("52.5", 5250), ("52.25", 5225), ("100", 10_000),
            ("100.00", 10_000), ("007", 700),
        ] as [(String, Int64)]
    )
    func aPercentageIsReadExactly(text: String, hundredths: Int64) throws {
        let goals = try Self.read("[{from: 2025-10, in_house_pct: \(text)}]").kpis.goals
        #expect(
            goals == [
                Goal(from: Month(year: 2025, month: 10), inHousePercentHundredths: hundredths)
            ]
        )
    }

    @Test func severalGoalsFollowEachOther() throws {
        let goals = try Self.read(
            "[{from: 2025-10, in_house_pct: 55}, {in_house_pct: 60, from: 2026-10}]"
        ).kpis.goals
        #expect(goals.map(\.from.text) == ["2025-10", "2026-10"])
        #expect(goals.map(\.inHousePercentHundredths) == [5500, 6000])
    }

    @Test func withoutAGoalThereIsNone() throws {
        #expect(
            try PipelineReader.read(
                files: [
                    PipelineFile(path: "pipeline.yaml", content: Array(MinimalPipeline.text.utf8))
                ]
            ).kpis.goals.isEmpty
        )
    }

    @Test(arguments: [
        ("55", "`goal` must be a list"), ("[]", "`goal` has no entry"),
        ("[55]", "a goal must be a map"), ("[{in_house_pct: 55}]", "`from` is missing"),
        ("[{from: 2025-10}]", "`in_house_pct` is missing"),
        ("[{from: 2025-13, in_house_pct: 55}]", "`from` is '2025-13'; expected a month"),
        ("[{from: 1899-12, in_house_pct: 55}]", "expected a month"),
        ("[{from: 2025-10-01, in_house_pct: 55}]", "expected a month"),
        ("[{from: 2025-10, in_house_pct: 100.01}]", "expected a percentage from 0 to 100"),
        ("[{from: 2025-10, in_house_pct: -1}]", "expected a percentage from 0 to 100"),
        ("[{from: 2025-10, in_house_pct: 55.125}]", "at most two decimals"),
        ("[{from: 2025-10, in_house_pct: 55 %}]", "`in_house_pct` is '55 %'"),
        ("[{from: 2025-10, in_house_pct: 55.}]", "expected a percentage"),
        ("[{from: 2025-10, in_house_pct: 55, to: 2026-09}]", "unknown key `to`"),
        (
            "[{from: 2025-10, in_house_pct: 55}, {from: 2025-10, in_house_pct: 60}]",
            "expected each month once, in order"
        ),
    ])
    func aFaultNamesItsPlaceAndWhatIsExpected(goal: String, words: String) {
        let error = #expect(throws: PipelineFaults.self) { try Self.read(goal) }
        let fault = error?.faults.first
        #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "none")")
        #expect(fault?.file == "pipeline.yaml" && fault?.line == 24)
    }

    /// A goal is an edit that waits for its review, and none of the rules.
    @Test func aGoalIsAPartOfItsOwn() throws {
        let (one, two) = (
            try Self.read("[{from: 2025-10, in_house_pct: 55}]"),
            try Self.read("[{from: 2025-10, in_house_pct: 56}]")
        )
        #expect(DecisionText.differences(one, two) == ["goal"])
        #expect(DecisionText.rules(of: one) == DecisionText.rules(of: two))
    }
}
