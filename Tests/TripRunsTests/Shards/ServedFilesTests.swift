import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// What a divided run does about files in force that shrink or are gone.
@Suite struct ServedFilesTests {
    private func folder(replaces: String = "same_path", _ more: String = "") throws -> RunFolder {
        let folder = try RunFolder()
        let text = RunPipeline.text(replaces: replaces)
            .replacing("replaces:", with: more + "replaces:")
        try folder.write("pipeline/pipeline.yaml", text + RunPipeline.lenient)
        return folder
    }

    private func lines(_ ids: ClosedRange<Int>) -> String {
        RunPipeline.header + ids.map { RunPipeline.line($0) }.joined()
    }

    /// A night on a cluster, in a mart of its own.
    @discardableResult
    private func divided(_ folder: RunFolder, accepting paths: String...) throws -> RunReport {
        let options = folder.options {
            $0.martPath = folder.path + "/other"
            $0.acceptedFiles = paths
        }
        try CubeImportTests.write(DividedRun(options, partCount: 2), to: folder.path + "/job")
        return try CubeImportTests.imported(folder.path + "/job", options)
    }

    @Test func aFileThatShrinksIsWithheldInTheWordsOfARun() throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", lines(1...40))
        try folder.write("in/trips_2.csv", lines(41...50))
        try folder.run()
        try divided(folder)
        try folder.write("in/trips_1.csv", lines(1...10))
        let native = #expect(throws: Failure.self) { try folder.run { $0.isFull = true } }
        let other = #expect(throws: Failure.self) { try divided(folder) }
        #expect(other?.status == .withheld && other?.status == native?.status)
        #expect(other?.summary == native?.summary && other?.what == native?.what)
        #expect(other?.remedies.contains { $0.contains("--skip") } == false)
        let report = try divided(folder, accepting: "trips_1.csv")
        #expect(report.status == .publishedWithWarnings && report.trips == 20)
        // It is not smaller than itself.
        #expect(try divided(folder).status == .published)
        #expect(throws: RunError.self) { try divided(folder, accepting: "trips_1.csv") }
    }

    @Test func aFileThatIsGoneIsNamedAndWithheld() throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", lines(1...40))
        try folder.write("in/trips_2.csv", lines(41...50))
        try divided(folder)
        try folder.remove("in/trips_1.csv")
        let failure = #expect(throws: Failure.self) { try divided(folder) }
        #expect(failure?.status == .withheld && failure?.summary == "1 required file gone")
        #expect(
            failure?.what.first
                == "trips_1.csv: its 40 valid items and $400.00 are in force, and no file that is "
                + "taken in has or replaces them."
        )
        #expect(failure?.remedies.contains { $0.contains("--accept-smaller trips_1.csv") } == true)
        let report = try divided(folder, accepting: "trips_1.csv")
        #expect(report.status == .publishedWithWarnings && report.trips == 10)
        #expect(report.acceptedSmaller.map(\.path) == ["trips_1.csv"])
        #expect(try divided(folder).status == .published)
        #expect(throws: RunError.self) { try divided(folder, accepting: "trips_1.csv") }
    }

    /// A run on one machine leaves out a damaged file and keeps the content before it.
    @Test func aRefusedFileLeavesNoGapBehind() throws {
        let folder = try folder(replaces: "same_path", "on_refused_file: skip, ")
        try folder.write("in/trips_1.csv", lines(1...40))
        try folder.write("in/trips_2.csv", lines(41...50))
        try divided(folder)
        try folder.write("in/trips_1.csv", "no, such, header\n1,2,3\n")
        let failure = #expect(throws: Failure.self) { try divided(folder) }
        #expect(failure?.status == .noUsableInput)
        try folder.remove("in/trips_1.csv")
        try folder.write("in/trips_1.csv", lines(1...40))
        try folder.write("in/trips_3.csv", "no, such, header\n1,2,3\n")
        #expect(try divided(folder).status == .publishedWithWarnings)
    }

    @Test func aContentThatIsCompressedRenamedOrReplacedIsNotGone() throws {
        let folder = try folder(replaces: "period")
        try folder.write("in/trips_11.csv", lines(1...40))
        try folder.write("in/trips_21.csv", lines(41...50))
        try divided(folder)
        try folder.remove("in/trips_11.csv")
        try folder.write("in/trips_11.csv.gz", GzipText.compressed(Array(lines(1...40).utf8)))
        try folder.write("in/trips_21.csv", lines(41...51))
        #expect(try divided(folder).trips == 51)
        try folder.remove("in/trips_11.csv.gz")
        try folder.write("in/sub/trips_11.csv", lines(1...40))
        #expect(try divided(folder).trips == 51)
        // A later file of the period takes its place.
        try folder.remove("in/sub/trips_11.csv")
        try folder.write("in/trips_12.csv", lines(1...39))
        #expect(try divided(folder).trips == 50)
        try folder.remove("in/trips_12.csv")
        #expect(throws: Failure.self) { try divided(folder) }
    }

    /// An earlier file of the period is no replacement of the later one that is lost.
    @Test func anEarlierFileOfThePeriodReplacesNothing() throws {
        let folder = try folder(replaces: "period")
        try folder.write("in/trips_11.csv", lines(1...39))
        try folder.write("in/trips_12.csv", lines(1...40))
        try divided(folder)
        try folder.remove("in/trips_12.csv")
        let failure = #expect(throws: Failure.self) { try divided(folder) }
        #expect(failure?.what.first?.hasPrefix("trips_12.csv: its 40 valid items") == true)
        #expect(try divided(folder, accepting: "trips_12.csv").trips == 39)
    }

    /// Under an earlier name, another file would decide the versions.
    @Test func aContentThatMovesBehindAnotherIsGone() throws {
        let folder = try folder()
        try folder.write("in/trips_2.csv", lines(1...40))
        try folder.write("in/trips_3.csv", lines(11...50))
        try divided(folder)
        try folder.remove("in/trips_3.csv")
        try folder.write("in/trips_1.csv", lines(11...50))
        let failure = #expect(throws: Failure.self) { try divided(folder) }
        #expect(failure?.what.first?.hasPrefix("trips_3.csv: its 40 valid items") == true)
        try folder.remove("in/trips_1.csv")
        try folder.write("in/trips_4.csv", lines(11...50))
        #expect(try divided(folder).trips == 50)
    }

    /// What is withheld is named where nothing would be left, too.
    @Test func theOnlyFileThatShrinksIsNamed() throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", lines(1...40))
        try divided(folder)
        try folder.write("in/trips_1.csv", lines(1...4))
        let failure = #expect(throws: Failure.self) { try divided(folder) }
        #expect(failure?.status == .withheld)
        #expect(failure?.what.first?.hasPrefix("trips_1.csv: ") == true)
        #expect(failure?.remedies.contains { $0.contains("--accept-smaller trips_1.csv") } == true)
    }

    @Test func whereNothingIsReplacedEveryContentMustBeThere() throws {
        let folder = try folder(replaces: "nothing")
        try folder.write("in/trips_1.csv", lines(1...40))
        try divided(folder)
        try folder.write("in/trips_1.csv", lines(1...41))
        let failure = #expect(throws: Failure.self) { try divided(folder) }
        #expect(failure?.summary == "1 required file gone")
    }
}
