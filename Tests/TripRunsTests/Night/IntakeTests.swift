import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// Files that wait, and files that stand for one export.
@Suite struct IntakeTests {
    @Test func unfinishedFilesWaitAndAreNamed() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        try folder.write("in/trips_1.csv", NightPipeline.header + NightPipeline.line(1))
        try folder.write("in/trips_2.csv.part", NightPipeline.header + NightPipeline.line(2))
        let report = try folder.run()
        #expect(report.trips == 1)
        #expect(report.waiting.map(\.path) == ["trips_2.csv.part"])
    }

    @Test func twoContentsForOneExportAreRefusedInsteadOfTakingTurns() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        let text = NightPipeline.header + NightPipeline.line(1)
        try folder.write("in/trips_1.csv", text)
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(Array(text.utf8)))
        #expect(try folder.run().trips == 1)
        try folder.write("in/trips_1.csv", text + NightPipeline.line(2))
        #expect(throws: Failure.self) { try folder.run() }
    }

    @Test func ofTwoFilesForOneExportThePublishedOneMayStay() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        let text = NightPipeline.header + NightPipeline.line(1)
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(Array(text.utf8)))
        try folder.run()
        try folder.write("in/trips_1.csv", NightPipeline.header + NightPipeline.line(2))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.what.count == 2)
        let skip = try #require(failure?.remedies.last)
        #expect(skip.contains("--skip trips_1.csv  ") && !skip.contains("trips_1.csv.gz"))
        #expect(try folder.run { $0.skippedFiles = ["trips_1.csv"] }.outcome == .nothingDue)
    }

    @Test func ofTwoNewFilesForOneExportNoneIsProposedToBeLeftOut() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        try folder.write("in/trips_1.csv", NightPipeline.header + NightPipeline.line(1))
        let other = Array((NightPipeline.header + NightPipeline.line(2)).utf8)
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(other))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.remedies.contains { $0.contains("add  --skip") } == false)
        #expect(try folder.run { $0.skippedFiles = ["trips_1.csv.gz"] }.trips == 1)
    }
}
