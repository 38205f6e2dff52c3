import Testing
import TripDomain
import TripMart
import TripRules

@testable import TripPipeline
@testable import TripRuns

/// What is not published, from the first night on, although the pipeline has no check.
@Suite struct BuiltInCheckTests {
    private func folder(_ lines: [String], checks: String = "") throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text() + checks)
        try folder.write("in/trips_1.csv", RunPipeline.header + lines.joined())
        return folder
    }

    private func good(_ count: Int, from first: Int = 1) -> [String] {
        (first..<(first + count)).map { RunPipeline.line($0, month: $0 % 2 + 4) }
    }

    private func bad(_ count: Int) -> [String] {
        (0..<count).map { RunPipeline.line(900 + $0, cost: "much") }
    }

    @Test func everyConditionCanBeEvaluated() throws {
        let names = CheckMeasures.names(lookups: [])
        for check in BuiltInCheck.all {
            for text in [check.errorIf, check.warnIf].compactMap(\.self) {
                let located = LocatedText(text: text, file: "built in", line: 1, column: 1)
                let used = Set(try CheckCondition.compile(located, names: names).namesUsed)
                #expect(!used.isDisjoint(with: check.measures))
            }
        }
        #expect(Set(BuiltInCheck.all.map(\.id)).count == BuiltInCheck.all.count)
    }

    @Test func aNightOfRejectsIsWithheld() throws {
        let folder = try folder(good(28) + bad(72))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .withheld)
        #expect(
            failure?.what
                == [
                    "built-in-rejects: items is 100, reject_pct is 72.00 %, earlier_generations is 0 "
                        + "(error if reject_pct > 50 AND (items >= 20 OR earlier_generations = 0))."
                ]
        )
        #expect(failure?.account?.rejects.first?.count == 72)
        #expect(failure?.remedies.last?.contains("a check of your own") == true)
    }

    @Test func aFewRecordsOfALaterNightAreAWarning() throws {
        let folder = try folder(good(4))
        try folder.run()
        try folder.write(
            "in/trips_2.csv",
            RunPipeline.header + (good(1, from: 9) + bad(2)).joined()
        )
        #expect(try folder.run().checks.map(\.outcome) == [.warn])
        try folder.write("in/trips_3.csv", RunPipeline.header + (good(9) + bad(11)).joined())
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .withheld)
    }

    @Test func manyRejectsAreAWarning() throws {
        let report = try folder(good(80) + bad(20)).run()
        #expect(report.status == .publishedWithWarnings)
        #expect(report.checks.map(\.id) == ["built-in-rejects"])
        #expect(try folder(good(95) + bad(5)).run().status == .published)
    }

    @Test func aCheckOfThePipelineTakesItsPlace() throws {
        let own = "\nchecks:\n  - {id: mine, warn_if: \"reject_pct > 90\"}\n"
        let report = try folder(good(28) + bad(72), checks: own).run()
        #expect(report.status == .published)
        #expect(report.checks.map(\.id) == ["mine"])
    }

    @Test func aShareOfUndeterminedTripsIsLimited() throws {
        func lines(_ count: Int) -> [String] {
            (0..<count).map { RunPipeline.line(500 + $0, month: $0 % 2 + 4, owner: "") }
        }
        let failure = #expect(throws: Failure.self) {
            try folder(good(4) + lines(6)).run()
        }
        #expect(failure?.summary == "the check built-in-undetermined failed")
        let report = try folder(good(8) + lines(2)).run()
        #expect(report.checks.map(\.id) == ["built-in-undetermined"])
    }

    @Test func aGenerationThatCountsNothingIsWithheld() throws {
        let folder = try folder(good(4), checks: "\nkpis: {count_when: \"owner = 'none'\"}\n")
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.summary == "the check built-in-counted failed")
        #expect(failure?.what.first?.contains("total_trips is 0") == true)
    }

    @Test func aFirstNightOfOneMonthIsAWarning() throws {
        let oneMonth = (1...120).map { RunPipeline.line($0) }
        let folder = try folder(oneMonth)
        let report = try folder.run()
        #expect(report.checks.map(\.id) == ["built-in-months"])
        #expect(report.status == .publishedWithWarnings)
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(200))
        #expect(try folder.run().status == .published)
    }

    @Test func aFileOfRejectsAmongOthersIsNamed() throws {
        let folder = try folder(good(60))
        try folder.write("in/trips_2.csv", RunPipeline.header + bad(3).joined())
        let report = try folder.run()
        #expect(report.status == .publishedWithWarnings)
        #expect(
            report.checks.map(\.detail)
                == ["rejected_files is 1; every record was rejected of trips_2.csv"]
        )
    }

    @Test func theirIDsAreReserved() throws {
        let own = "\nchecks:\n  - {id: built-in-rejects, warn_if: \"trips < 1\"}\n"
        let fault = #expect(throws: PipelineFault.self) { try folder(good(2), checks: own).run() }
        #expect(fault?.message.contains("built-in") == true)
    }
}
