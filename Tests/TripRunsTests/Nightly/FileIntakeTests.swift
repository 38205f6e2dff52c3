import Glibc
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRuns

/// Files that wait, and files that are the same export.
@Suite struct FileIntakeTests {
    private static func arrival(_ location: String) -> FileIntake.Arrival {
        FileIntake.Arrival(
            sourceIndex: 0,
            path: "trips_1.csv",
            archiveHash: "",
            contentHash: "",
            location: location,
            state: FileState(path: location),
            orderKey: "1",
            period: ""
        )
    }

    @Test func unfinishedFilesWaitAndAreNamed() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.write("in/trips_2.csv.part", RunPipeline.header + RunPipeline.line(2))
        let report = try folder.run()
        #expect(report.trips == 1)
        #expect(report.unread.map(\.path) == ["trips_2.csv.part"])
        #expect(report.status == .published)
    }

    @Test func filesThatVanishOrChangeDuringTheCopyAreRefused() throws {
        let folder = try RunFolder()
        try folder.write("in/trips_1.csv", RunPipeline.header)
        let archive = Archive(MartFolder(path: folder.path + "/mart"))
        var arrival = FileIntake.Arrival(
            sourceIndex: 0,
            path: "trips_1.csv",
            archiveHash: "",
            contentHash: "",
            location: folder.path + "/in/trips_1.csv",
            orderKey: "1",
            period: ""
        )
        let copied = try FileIntake.copied(arrival, number: 0, to: archive)
        #expect(copied.archiveHash == ContentHash.of(Array(RunPipeline.header.utf8)))
        #expect(copied.contentHash == copied.archiveHash)
        // Compared with these bytes, copied with other ones.
        arrival.archiveHash = String(repeating: "0", count: 64)
        let changed = #expect(throws: SourceFault.self) {
            try FileIntake.copied(arrival, number: 1, to: archive)
        }
        #expect(changed?.code == .changedWhileRead)
        try folder.remove("in/trips_1.csv")
        let gone = #expect(throws: SourceFault.self) {
            try FileIntake.copied(arrival, number: 2, to: archive)
        }
        #expect(gone?.code == .cannotOpen)
        // Only completed copies remain.
        let staged = try ProtectedInformationTests.files(below: folder.path + "/mart/archive/.new")
        #expect(staged == [copied.location])
    }

    @Test func aFileThatIsRewrittenMeanwhileWaits() throws {
        let folder = try RunFolder()
        try folder.write("in/trips_1.csv", RunPipeline.header)
        let location = folder.path + "/in/trips_1.csv"
        let archive = Archive(MartFolder(path: folder.path + "/mart"))
        var arrival = Self.arrival(location)
        #expect(try !FileIntake.copied(arrival, number: 0, to: archive).archiveHash.isEmpty)
        // It was settled when the folder was listed, and is written to when it is copied.
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        let changed = #expect(throws: SourceFault.self) {
            try FileIntake.copied(arrival, number: 1, to: archive)
        }
        #expect(changed?.code == .changedWhileRead)
        // Another file of the same size under the same name is not the listed one either.
        arrival.state = FileState(path: location)
        try folder.write("in/other", RunPipeline.header + RunPipeline.line(2))
        #expect(rename(folder.path + "/in/other", location) == 0)
        #expect(throws: SourceFault.self) {
            try FileIntake.copied(arrival, number: 2, to: archive)
        }
    }

    @Test func aFileThatWasJustWrittenIsReadTwice() throws {
        let folder = try RunFolder()
        try folder.write("in/trips_1.csv", RunPipeline.header)
        let location = folder.path + "/in/trips_1.csv"
        func isWhole(hash: String) throws -> Bool {
            let arrival = Self.arrival(location)
            return try FileIntake.isWhole(arrival, hash: hash)
        }
        let hash = ContentHash.of(Array(RunPipeline.header.utf8))
        // Within one tick of the clock the state says nothing: the second reading decides.
        #expect(try isWhole(hash: hash))
        #expect(try !isWhole(hash: String(repeating: "0", count: 64)))
        var times = [
            timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0),
        ]
        #expect(utimes(location, &times) == 0)
        #expect(try isWhole(hash: String(repeating: "0", count: 64)))
    }

    @Test func twoContentsForOneExportAreRefused() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        let text = RunPipeline.header + RunPipeline.line(1)
        try folder.write("in/trips_1.csv", text)
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(Array(text.utf8)))
        #expect(try folder.run().trips == 1)
        try folder.write("in/trips_1.csv", text + RunPipeline.line(2))
        #expect(throws: Failure.self) { try folder.run() }
    }

    @Test func ofTwoFilesForOneExportThePublishedOneMayStay() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        let text = RunPipeline.header + RunPipeline.line(1)
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(Array(text.utf8)))
        try folder.run()
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(2))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.what.count == 2)
        // Both can be read.
        #expect(failure?.summary == "2 required files of the same export")
        #expect(failure?.status == .noUsableInput)
        let skip = try #require(failure?.remedies.last)
        #expect(skip.contains("--skip trips_1.csv  ") && !skip.contains("trips_1.csv.gz"))
        #expect(try folder.run { $0.skippedFiles = ["trips_1.csv"] }.outcome == .nothingDue)
    }

    @Test func noSkipIsProposedForTwoNewFilesOfOneExport() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        let other = Array((RunPipeline.header + RunPipeline.line(2)).utf8)
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(other))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.remedies.contains { $0.contains("add  --skip") } == false)
        #expect(try folder.run { $0.skippedFiles = ["trips_1.csv.gz"] }.trips == 1)
    }
}
