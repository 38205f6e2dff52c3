import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// Records of one file that replace each other, files that repeat others, names that decide.
@Suite struct RepeatedIDsTests {
    private func folder(
        _ source: String = "files: \"*.csv*\"",
        checks: String = ""
    ) throws
        -> RunFolder
    {
        let folder = try RunFolder()
        let text = RunPipeline.text().replacing(
            "files: \"**/*.csv*\", order: \"trips_(\\\\d+)\", replaces: same_path",
            with: source
        )
        try folder.write("pipeline/pipeline.yaml", text + checks)
        return folder
    }

    private func lines(_ ids: ClosedRange<Int>, cost: String = "10.00") -> String {
        RunPipeline.header
            + ids.map { RunPipeline.line($0, month: $0 % 2 + 4, cost: cost) }.joined()
    }

    private func check(_ report: RunReport, _ id: String) -> CheckResult? {
        report.checks.first { $0.id == "built-in-\(id)" }
    }

    @Test func differentRecordsOfOneFileUnderOneIDAreNamed() throws {
        let folder = try folder()
        try folder.write(
            "in/a.csv",
            lines(1...3) + RunPipeline.line(2, cost: "50.00") + RunPipeline.line(3, month: 5)
                + RunPipeline.line(2, cost: "51.00")
        )
        let report = try folder.run()
        #expect(report.status == .publishedWithWarnings)
        let check = try #require(self.check(report, "same-file"))
        #expect(check.outcome == .warn)
        let detail =
            "superseded_same_file is 2; 2 trips have the trip id of one in a different record of "
            + "the same file, and only the last of them counts; first a.csv record 4 "
            + "(line 5), after line 3: compose `trip_id` of more columns; where they are "
            + "corrections, allow so many: {id: once, warn_if: \"superseded_same_file > 100\"}"
        #expect(check.detail.contains(detail), "\(check.detail)")
        #expect(!check.detail.contains("T-2"))
    }

    @Test func equalRecordsOfOneFileAreDuplicates() throws {
        let folder = try folder()
        try folder.write("in/a.csv", lines(1...3) + RunPipeline.line(2, month: 4))
        let report = try folder.run()
        #expect(report.status == .published && report.ledger[.duplicate].items == 1)
    }

    @Test func thePipelineMayWithhold() throws {
        let own = "\nchecks:\n  - {id: once, error_if: \"superseded_same_file_pct > 0\"}\n"
        let folder = try folder(checks: own)
        try folder.write("in/a.csv", lines(1...3) + RunPipeline.line(2, cost: "50.00"))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .withheld)
        #expect(
            failure?.what.first?.contains("first a.csv record 4 (line 5), after line 3") == true
        )
    }

    @Test func aFieldThatOrdersVersionsSaysWhichIsLater() throws {
        let folder = try folder("files: \"*.csv*\", order: {field: owner}")
        try folder.write("in/a.csv", lines(1...3) + RunPipeline.line(2, owner: "Vendor"))
        #expect(try check(folder.run(), "same-file") == nil)
        try folder.write("in/b.csv", lines(4...6) + RunPipeline.line(5, cost: "50.00"))
        #expect(try check(folder.run(), "same-file") != nil)
    }

    @Test func aNewFileThatRepeatsMostOfAnotherIsNamed() throws {
        let folder = try folder()
        try folder.write("in/day1.csv", lines(1...10))
        #expect(try folder.run().status == .published)
        try folder.write("in/day2.csv", lines(4...12))
        let report = try folder.run()
        #expect(report.status == .publishedWithWarnings)
        let detail = try #require(check(report, "snapshots")).detail
        #expect(
            detail.contains("day2.csv repeats 7 of the 10 trip ids of day1.csv")
                && detail.contains("`replaces: period`") && detail.contains("`order`"),
            "\(detail)"
        )
        // It was said; a run that brings another file does not say it again.
        try folder.write("in/day3.csv", lines(30...39))
        #expect(try folder.run().status == .published)
    }

    @Test func fewCorrectionsAreNoSnapshot() throws {
        let folder = try folder()
        try folder.write("in/2026-04.csv", lines(1...20))
        try folder.run()
        try folder.write("in/2026-05.csv", lines(15...19, cost: "11.00"))
        #expect(try folder.run().status == .published)
        let own = try self.folder("files: \"*.csv*\", replaces: nothing")
        try own.write("in/a.csv", lines(1...10))
        try own.write("in/b.csv", lines(1...10, cost: "11.00"))
        #expect(try check(own.run(), "snapshots") == nil)
    }

    @Test(arguments: [("sep.csv", "oct.csv"), ("2.csv", "10.csv"), ("12-2025.csv", "01-2026.csv")])
    func namesThatDecideAgainstTheirNumbersAreNamed(earlier: String, later: String) throws {
        let folder = try folder()
        try folder.write("in/" + earlier, lines(1...20))
        try folder.run()
        try folder.write("in/" + later, lines(19...30, cost: "11.00"))
        let report = try folder.run()
        #expect(report.status == .publishedWithWarnings)
        let detail = try #require(check(report, "order")).detail
        #expect(
            detail.contains("\(earlier) counts as later than \(later)")
                && detail.contains("`order`"),
            "\(detail)"
        )
    }

    @Test func namesThatDecideNothingAreNotNamed() throws {
        let folder = try folder()
        try folder.write("in/sep.csv", lines(1...20))
        try folder.write("in/oct.csv", lines(21...30))
        #expect(try folder.run().status == .published)
    }

    @Test func thePeriodThatANameDecidesIsNamed() throws {
        let source = "files: \"*.csv*\", replaces: period, period: \"(20\\\\d\\\\d)\""
        let folder = try folder(source)
        try folder.write("in/2026_v9.csv", lines(1...20))
        try folder.run()
        try folder.write("in/2026_v10.csv", lines(41...60))
        #expect(try check(folder.run(), "order") != nil)
    }
}
