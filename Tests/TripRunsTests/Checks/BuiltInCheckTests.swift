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
                    "built-in-rejects: items is 100, reject_pct is 72.00 %, earlier_generations is 0; "
                        + "most records rejected "
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
        let report = try folder(good(7) + lines(3)).run()
        #expect(report.checks.map(\.id) == ["built-in-undetermined"])
        #expect(try folder(good(8) + lines(2)).run().checks.isEmpty)
    }

    @Test func aGenerationThatCountsNothingIsWithheld() throws {
        let folder = try folder(good(4), checks: "\nkpis: {count_when: \"owner = 'none'\"}\n")
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.summary == "the check built-in-counted failed")
        #expect(failure?.what.first?.contains("total_trips is 0") == true)
    }

    /// Cells of every region and type would take memory and hours, and say nothing.
    @Test func aColumnOfIDsIsNoRegion() throws {
        func lines(_ count: Int) -> [String] {
            (1...count).map { RunPipeline.line($0).replacing(",08,", with: ",R\($0),") }
        }
        let failure = #expect(throws: Failure.self) { try folder(lines(2001)).run() }
        #expect(failure?.summary == "the check built-in-dimensions failed")
        #expect(failure?.what.first?.contains("regions is 2,001") == true)
        let own = "\nchecks:\n  - {id: mine, error_if: \"regions > 2\"}\n"
        #expect(throws: Failure.self) { try folder(lines(3), checks: own).run() }
    }

    @Test func aFirstNightOfOneMonthIsAWarning() throws {
        let oneMonth = (1...120).map { RunPipeline.line($0) }
        let folder = try folder(oneMonth)
        let report = try folder.run()
        #expect(report.checks.map(\.id) == ["built-in-months"])
        let found = report.checks.first?.detail
        #expect(found?.hasSuffix("; all trips fall in one month") == true, "\(found ?? "")")
        #expect(report.status == .publishedWithWarnings)
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(200))
        #expect(try folder.run().status == .published)
    }

    @Test func aFileOfRejectsAmongOthersIsNamed() throws {
        let folder = try folder(good(60))
        try folder.write("in/trips_2.csv", RunPipeline.header + bad(3).joined())
        let report = try folder.run()
        #expect(report.status == .publishedWithWarnings)
        #expect(report.rejectedFiles.map(\.path) == ["trips_2.csv"])
        #expect(report.checks.isEmpty)
    }

    /// A file of other data among large ones would hide in the share of all.
    @Test(arguments: [(11, 20, true), (10, 20, false), (10, 19, false), (19, 19, true)])
    func aFileOfMostlyRejectsAmongOthersIsNamed(rejects: Int, items: Int, isNamed: Bool) throws {
        let folder = try folder(good(400))
        let lines = bad(rejects) + (rejects..<items).map { RunPipeline.line(1000 + $0) }
        try folder.write("in/trips_2.csv", RunPipeline.header + lines.joined())
        let report = try folder.run()
        #expect(report.rejectedFiles.map(\.path) == (isNamed ? ["trips_2.csv"] : []))
        #expect(report.status == (isNamed ? .publishedWithWarnings : .published))
    }

    @Test func aPipelineMayCheckForFilesOfRejects() throws {
        let own = "\nchecks:\n  - {id: files, warn_if: \"rejected_files > 0\"}\n"
        let folder = try folder(good(60), checks: own)
        try folder.write("in/trips_2.csv", RunPipeline.header + bad(3).joined())
        let details = try folder.run().checks.map(\.detail)
        #expect(details == ["rejected_files is 1; rejected for the greater part: trips_2.csv"])
    }

    @Test func theirIDsAreReserved() throws {
        let own = "\nchecks:\n  - {id: built-in-rejects, warn_if: \"trips < 1\"}\n"
        let faults = #expect(throws: PipelineFaults.self) { try folder(good(2), checks: own).run() }
        #expect(faults?.faults.map { $0.message.contains("built-in") } == [true])
    }
}
