import TestSupport
import Testing
import TripDomain

@testable import TripRuns

/// A file that ends within a line is named where the others of its source do not.
@Suite struct CutFilesTests {
    private static let pipeline = RunPipeline.text() + RunPipeline.lenient

    /// A file of two trips; one that is cut has lost its last characters.
    private func write(_ folder: RunFolder, _ number: Int, cut: Int = 0) throws {
        let text = RunPipeline.header + RunPipeline.line(number) + RunPipeline.line(100 + number)
        try folder.write("in/trips_\(number).csv", String(text.dropLast(cut)))
    }

    private func finding(_ report: RunReport) -> String? {
        report.checks.first { $0.id == "built-in-cut" }?.detail
    }

    private func folder() throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", Self.pipeline)
        return folder
    }

    @Test(arguments: [1, 2, 8])
    func aFileUnlikeThoseBeforeItIsNamed(cut: Int) throws {
        let folder = try folder()
        for number in 1...3 { try write(folder, number) }
        #expect(try finding(folder.run()) == nil)
        try write(folder, 4, cut: cut)
        let report = try folder.run()
        #expect(report.status == .publishedWithWarnings)
        #expect(
            finding(report)
                == "cut_files is 1; trips_4.csv ends within line 3, without a line break, unlike 3 of "
                + "3 other files of its source: its last value may be cut; compare it with the "
                + "sender's file, or get it again"
        )
        // It is judged when it is new, and when all are read anew.
        try write(folder, 5)
        #expect(try finding(folder.run()) == nil)
        #expect(try finding(folder.run { $0.isFull = true }) != nil)
        // Sent again whole.
        try write(folder, 4)
        #expect(try finding(folder.run()) == nil)
        #expect(try finding(folder.run { $0.isFull = true }) == nil)
    }

    @Test func filesOfOneNightAreComparedWithEachOther() throws {
        let folder = try folder()
        for number in 1...4 { try write(folder, number, cut: number == 2 ? 1 : 0) }
        #expect(try finding(folder.run())?.contains("trips_2.csv ends within line 3") == true)
    }

    @Test func aSecondFileIsCounted() throws {
        let folder = try folder()
        try write(folder, 1)
        try folder.run()
        try write(folder, 2, cut: 1)
        try write(folder, 3, cut: 2)
        let found = try finding(folder.run())
        #expect(found?.hasPrefix("cut_files is 2; trips_2.csv") == true, "\(found ?? "")")
        #expect(found?.contains(", and so does 1 more file, unlike 1 of 1 other file") == true)
    }

    @Test(arguments: [(4, 4), (3, 4), (1, 4), (0, 4), (9, 10), (8, 10)])
    func aSourceThatMayEndSoRaisesNoAlarm(ended: Int, count: Int) throws {
        let folder = try folder()
        for number in 1...count { try write(folder, number, cut: number > ended ? 1 : 0) }
        try folder.run()
        try write(folder, count + 1, cut: 1)
        // All of a few, nine of ten of many: that is their habit.
        #expect((try finding(folder.run()) != nil) == (ended == 4 || ended == 9))
    }

    @Test func aFirstFileAndOneWithoutRecordsAreNoSign() throws {
        let folder = try folder()
        try write(folder, 1, cut: 1)
        #expect(try finding(folder.run()) == nil)
        try folder.write("in/trips_2.csv", String(RunPipeline.header.dropLast()))
        try write(folder, 3)
        let report = try folder.run { $0.acceptedFiles = ["trips_2.csv"] }
        #expect(report.outcome == .published)
        #expect(finding(report) == nil)
    }

    @Test func theSourceDecidesAndNotTheMart() throws {
        let folder = try RunFolder()
        let two = Self.pipeline.replacing(
            "sources:\n",
            with: "sources:\n  others: {files: \"others/*.csv\"}\n"
        ).replacing("**/*.csv*", with: "*.csv")
        try folder.write("pipeline/pipeline.yaml", two)
        for number in 1...3 { try write(folder, number) }
        let text = RunPipeline.header + RunPipeline.line(50)
        try folder.write("in/others/a.csv", String(text.dropLast()))
        #expect(try finding(folder.run()) == nil)
        try write(folder, 4, cut: 1)
        #expect(try finding(folder.run())?.contains("3 of 3 other files") == true)
    }
}
