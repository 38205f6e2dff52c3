import Foundation
import TestSupport
import Testing
import TripText

@testable import TripRuns

/// Numbers and words in reports that no task writes: each is refused by its place, and none ends the
/// program.
@Suite struct ReportedNumbersTests {
    private let night: RunFolder
    private let options: RunOptions
    private let work: String

    init() throws {
        let history = try RandomHistory(seed: 3)
        night = history.night
        options = history.night.options { $0.martPath = history.night.path + "/other" }
        work = history.night.path + "/job"
        try CubeImportTests.write(DividedRun(options, partCount: 1), to: work)
    }

    /// What an import says of a results folder in which one text stands for another.
    private func refusal(_ name: String, _ from: String, _ to: String) throws -> String {
        let url = URL(fileURLWithPath: work + "/results/" + name)
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        let range = try #require(text.range(of: from, options: .regularExpression), "\(from)")
        try Data(text.replacingCharacters(in: range, with: to).utf8).write(to: url)
        let error = #expect(throws: RunError.self) { try CubeImportTests.imported(work, options) }
        #expect(error?.code == .noUsableInput)
        return try #require(error).what
    }

    @Test(arguments: [
        ("\"records\": [0-9]+", "\"records\": -5", "records: is negative"),
        ("\"lines\": [0-9]+", "\"lines\": -1", "lines: is negative"),
        ("\"records\": [0-9]+", "\"records\": 9223372036854775807", "no true sum"),
        ("\"cents\": [0-9]+", "\"cents\": -9223372036854775808", "no true sum"),
        ("\"archive_hash\": \"[0-9a-f]+", "\"archive_hash\": \"zz", "archive_hash: is no SHA-256"),
        ("\"archive_size\": [0-9]+", "\"archive_size\": 1", "expected"),
    ])
    func aReportOfAFileIsReadStrictly(from: String, to: String, finding: String) throws {
        let found = try refusal(ShardResults.reportName(0), from, to)
        #expect(found.contains(finding), "\(found)")
    }

    private static let pair =
        "{\"earlier\": {\"file\": 77, \"record\": 1, \"line\": 1}, "
        + "\"later\": {\"file\": 77, \"record\": 1, \"line\": 1}}"

    @Test(arguments: [
        ("\"ids\": [0-9]+", "\"ids\": 9223372036854775807", "ids: is 9223372036854775807"),
        ("\"cents\": [0-9]+", "\"cents\": 9223372036854775807", "cents: is 9223372036854775807"),
        ("\"rows\": [0-9]+", "\"rows\": -1", "rows: is negative"),
        (
            "\"first_repetition\": (null|\\{.*?\\}\\})", "\"first_repetition\": " + pair,
            "the file 77"
        ),
        ("\"first_within\": (null|\\{.*?\\}\\})", "\"first_within\": " + pair, "the file 77"),
        ("\"accounts\": \\[\\{\"file\": 0", "\"accounts\": [{\"file\": 77", "the file 77"),
        ("\"regions\": \\[\"", "\"regions\": [\"\\u0000", "holds the character NUL"),
        ("\"trips\": [0-9]+", "\"trips\": -1", "trips: is negative"),
    ])
    func aReportOfAPartIsReadStrictly(from: String, to: String, finding: String) throws {
        let found = try refusal(ShardResults.partReportName(0), from, to)
        #expect(found.contains(finding), "\(found)")
    }

    /// Each of them is allowed, and their sum is not.
    @Test func numbersThatCannotBeAddedUpAreRefused() throws {
        let text = String(
            decoding: try Data(
                contentsOf: URL(
                    fileURLWithPath: work + "/results/" + ShardResults.partReportName(0)
                )
            ),
            as: UTF8.self
        )
        var part = try PartitionReport(Array(text.utf8))
        let most = Int64.max / 1_000
        part.sharedIDs = (0..<1_001).map { _ in
            PartitionReport.FilePair(earlier: 0, later: 0, count: most)
        }
        let error = #expect(throws: RunError.self) {
            try ReportedNumbers.require([], [], [part], "results")
        }
        #expect(error?.what.contains("cannot be added up") == true)
        part.sharedIDs.removeLast(10)
        try ReportedNumbers.require([], [], [part], "results")
    }

    @Test func sizesOfAListThatCannotBeAddedUpAreRefused() throws {
        let line = "{\"path\": \"a\", \"size\": 9223372036854775807}\n"
        let lines = line + line.replacing("\"a\"", with: "\"b\"")
        let error = #expect(throws: RunError.self) {
            try FileList(Array(lines.utf8), name: "list")
        }
        #expect(error?.what.contains("list, line 2, size: is 9223372036854775807") == true)
    }
}
