import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRuns

/// By which day the pick-ups of a divided run are judged, against a run on one machine.
@Suite struct KnownContentsTests {
    /// Ten days after the first night.
    private static let later = 10 * CivilTime.daySeconds

    private func folder() throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text() + RunPipeline.lenient)
        return folder
    }

    /// Both kinds of a night, each in a mart of its own.
    private func night(
        _ folder: RunFolder,
        after seconds: Int64 = 0,
        contents: [String: String] = [:]
    ) throws -> (native: RunReport, divided: RunReport) {
        let native = try folder.run { $0.now += seconds }
        return (native, try divided(folder, after: seconds, contents: contents))
    }

    private func divided(
        _ folder: RunFolder,
        after seconds: Int64,
        contents: [String: String] = [:]
    ) throws -> RunReport {
        let options = folder.options {
            $0.martPath = folder.path + "/other"
            $0.now += seconds
        }
        let run = try DividedRun(options, partCount: 2, contents: contents)
        try CubeImportTests.write(run, to: folder.path + "/job")
        return try CubeImportTests.imported(folder.path + "/job", options)
    }

    private func days(_ folder: RunFolder, _ mart: String) throws -> [CivilDate?] {
        try ServedMart.open(MartFolder(path: folder.path + "/" + mart)).files().map(\.takenIn)
    }

    private func hash(_ text: String) -> String { ContentHash.of(Array(text.utf8)) }

    @Test func aCorrectedExportOfTheSameSizeIsJudgedByItsOwnDay() throws {
        let folder = try folder()
        func text(_ month: Int) -> String {
            RunPipeline.header + RunPipeline.line(1, month: 10) + RunPipeline.line(2, month: month)
        }
        try folder.write("in/trips_1.csv", text(10))
        let first = try night(folder)
        #expect(first.native.trips == 2 && first.divided.trips == 2)
        try folder.write("in/trips_1.csv", text(11))
        let error = #expect(throws: RunError.self) { try divided(folder, after: Self.later) }
        #expect(error?.code == .noUsableInput)
        #expect(
            error?.what
                == "trips_1.csv was judged by 2026-11-01, and its content was taken in on 2026-11-11."
        )
        #expect(error?.remedies.first?.contains(hash(text(11))) == true)
        let second = try night(
            folder,
            after: Self.later,
            contents: ["trips_1.csv": hash(text(11))]
        )
        #expect(second.native.trips == 2 && second.divided.trips == 2)
        #expect(try days(folder, "other") == days(folder, "mart").suffix(1))
    }

    @Test func anExportThatIsCompressedLaterIsJudgedByItsFirstDay() throws {
        let folder = try folder()
        let text =
            RunPipeline.header + RunPipeline.line(1, month: 10) + RunPipeline.line(2, month: 11)
        try folder.write("in/trips_1.csv", text)
        let first = try night(folder)
        #expect(first.native.trips == 1 && first.divided.trips == 1)
        try folder.remove("in/trips_1.csv")
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(Array(text.utf8)))
        let error = #expect(throws: RunError.self) { try divided(folder, after: Self.later) }
        #expect(error?.code == .noUsableInput)
        let second = try divided(
            folder,
            after: Self.later,
            contents: ["trips_1.csv.gz": hash(text)]
        )
        #expect(second.trips == 1 && second.newFileCount == 0)
        #expect(try days(folder, "other") == days(folder, "mart"))
    }

    /// Where no pick-up is near either day, the content's day is taken without another reading.
    @Test func aDayThatDecidesNothingIsCorrected() throws {
        let folder = try folder()
        let text = RunPipeline.header + RunPipeline.line(1)
        try folder.write("in/trips_1.csv", text)
        _ = try night(folder)
        try folder.remove("in/trips_1.csv")
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(Array(text.utf8)))
        let second = try night(folder, after: Self.later)
        #expect(second.divided.trips == 1 && second.divided.newFileCount == 0)
        #expect(try days(folder, "other") == days(folder, "mart"))
    }

    @Test func aListThatIsWrongAboutAContentIsFoundOut() throws {
        let folder = try folder()
        let text =
            RunPipeline.header + RunPipeline.line(1, month: 10) + RunPipeline.line(2, month: 11)
        try folder.write("in/trips_1.csv", text)
        _ = try night(folder)
        let other = String(repeating: "a", count: 64)
        #expect(throws: RunError.self) {
            try divided(folder, after: Self.later, contents: ["trips_1.csv": other])
        }
    }
}
