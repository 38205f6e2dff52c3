import TestSupport
import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// Each source has its own clock, started by new files of the source and by nothing else.
@Suite struct SourceClocksTests {
    private static let start: Int64 = 1_793_513_640
    private static let day: Int64 = 86_400

    /// Two sources, one expected every day and one every week.
    private func folder(_ expects: [String] = ["daily", "weekly"]) throws -> RunFolder {
        let folder = try RunFolder()
        try expect(expects, in: folder)
        try folder.write("in/a_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.write("in/b_1.csv", RunPipeline.header + RunPipeline.line(2))
        return folder
    }

    private func expect(_ rhythms: [String], in folder: RunFolder) throws {
        let sources = zip(["a", "b"], rhythms).map { name, rhythm in
            "\(name): {files: \"\(name)_*.csv\"" + (rhythm.isEmpty ? "}" : ", expect: \(rhythm)}")
        }
        try folder.write(
            "pipeline/pipeline.yaml",
            MinimalPipeline.text.replacing(
                "trips: {files: \"*.csv*\"}",
                with: sources.joined(separator: "\n  ")
            )
        )
    }

    private func clocks(_ folder: RunFolder) throws -> [String: SourceClock] {
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        return Dictionary(uniqueKeysWithValues: try served.clocks().map { ($0.source, $0) })
    }

    private func staleAfter(_ folder: RunFolder) throws -> String? {
        try ServedMart.open(MartFolder(path: folder.path + "/mart")).header.staleAfter
    }

    @Test func aNewFileOfOneSourceDoesNotResetAnother() throws {
        let folder = try folder()
        try folder.run()
        try folder.write("in/b_2.csv", RunPipeline.header + RunPipeline.line(3))
        let report = try folder.run { $0.now = Self.start + 3 * Self.day }
        #expect(report.outcome == .published)
        #expect(report.trips == 3)
        #expect(report.overdue.map(\.source) == ["a"])
        #expect(report.status == .missingFile)
    }

    @Test func aWeeklySourceIsNotOverdueAfterADay() throws {
        let folder = try folder()
        try folder.run()
        try folder.write("in/a_2.csv", RunPipeline.header + RunPipeline.line(3))
        let report = try folder.run { $0.now = Self.start + 3 * Self.day }
        #expect(report.overdue.isEmpty)
        #expect(report.status == .published)
    }

    @Test func aFullRebuildKeepsTheClocks() throws {
        let folder = try folder()
        try folder.run()
        let before = try clocks(folder)
        let report = try folder.run {
            $0.now = Self.start + 3 * Self.day
            $0.isFull = true
        }
        #expect(report.outcome == .published)
        #expect(report.overdue.map(\.source) == ["a"])
        #expect(try clocks(folder) == before)
    }

    @Test func theGenerationIsStaleWhenTheFirstSourceIsOverdue() throws {
        let folder = try folder()
        try folder.run()
        #expect(try staleAfter(folder) == clocks(folder)["a"]?.overdueAfter)
        try folder.write("in/a_2.csv", RunPipeline.header + RunPipeline.line(3))
        try folder.run { $0.now = Self.start + 6 * Self.day + 3600 }
        #expect(try staleAfter(folder) == clocks(folder)["b"]?.overdueAfter)
        #expect(try clocks(folder)["b"]?.lastArrivalAt == "2026-11-01 06:14:00")
    }

    @Test func nothingNewAndOverdueIsAFailureThatNamesTheSource() throws {
        let folder = try folder()
        try folder.run()
        let failure = #expect(throws: Failure.self) {
            try folder.run { $0.now = Self.start + 3 * Self.day }
        }
        #expect(failure?.status == .missingFile)
        #expect(
            failure?.what == [
                "a: no new export since 2026-11-01 01:14:00 -05:00, expected daily, was due until "
                    + "2026-11-02 06:00:00 -05:00."
            ]
        )
    }

    @Test func aSourceThatIsExpectedForTheFirstTimeBeginsThen() throws {
        let folder = try folder(["", "weekly"])
        try folder.run()
        #expect(try clocks(folder)["a"]?.overdueAfter == nil)
        try expect(["daily", "weekly"], in: folder)
        try folder.write("in/b_2.csv", RunPipeline.header + RunPipeline.line(3))
        let report = try folder.run { $0.now = Self.start + 5 * Self.day }
        #expect(report.status == .published)
        #expect(try clocks(folder)["a"]?.awaitedSince == "2026-11-06 06:14:00")
        #expect(try clocks(folder)["a"]?.lastArrivalAt == "2026-11-01 06:14:00")
    }

    @Test func aSourceWithoutFilesIsAwaitedFromTheFirstGeneration() throws {
        let folder = try folder()
        try folder.remove("in/a_1.csv")
        try folder.run()
        #expect(try clocks(folder)["a"]?.lastArrivalAt == nil)
        try folder.write("in/b_2.csv", RunPipeline.header + RunPipeline.line(3))
        let report = try folder.run { $0.now = Self.start + 2 * Self.day }
        #expect(report.overdue.map(\.source) == ["a"])
    }
}
