import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// The keys of one field.
@Suite struct FieldReaderTests {
    @Test func aTimeStampHasARangeOfDays() throws {
        let range = "range: [\"2019-01-01\", 2030-12-31]"
        for (pickup, count) in [
            ("2018-12-31T23:59:59", 0), ("2019-01-01T00:00", 1), ("2030-12-31T23:59:59", 1),
            ("2031-01-01 00:00", 0), ("2030-12-31T23:59-05:00", 1), ("2199-05-03T10:00", 0),
        ] {
            var trial = FieldConsistencyTests.trial(["pickup_at": "{from: at, \(range)}"])
            trial.export = trial.export.replacing("2026-05-03T10:00", with: pickup)
            guard case .trips(let trips) = try trial.outcome() else {
                Issue.record("the range is refused")
                return
            }
            #expect(trips == count, "\(pickup)")
        }
    }

    @Test(arguments: [
        ("pickup_at", "{from: at, range: [0, 5000]}", "two days", "[2019-01-01, 2030-12-31]"),
        ("day", "{from: d, type: date, range: [0, 1]}", "type date", "[2019-01-01, 2030-12-31]"),
        ("cost", "{from: c, range: [5]}", "type money", "[0, 5000]"),
        ("note", "{from: s, range: [0, 9]}", "this field is text", "`pattern`"),
        ("load", "{from: s, type: decimal, range: [0.5, 9]}", "whole numbers", "[0, 5000]"),
        ("cost", "{from: c, pattern: '[0-9]+'}", "`pattern` is for texts", "`range`"),
        ("day", "{from: d, type: date, upper: true}", "`upper` is for texts", "`formats`"),
        ("seen_at", "{from: d, formats: [M/d/yyyy]}", "reads a day alone", "`type: date`"),
        (
            "seen_at", "{from: d, formats: ['yyyy-mm-dd HH:MM']}", "minutes (m) that do not follow",
            "`yyyy-MM-dd HH:mm`"
        ),
    ])
    func anUnfitKeyShowsTheExpectedForm(
        name: String,
        field: String,
        words: String,
        example: String
    ) throws {
        let fault = try #require(try FieldConsistencyTests.trial([name: field]).fault)
        #expect(fault.message.contains(words) && fault.suggestion.contains(example), "\(fault)")
    }

    @Test func formatsThatReadOneTextDifferentlyAreNamed() throws {
        let text = try #require(
            FieldConsistencyTests.trial([
                "pickup_at": "{from: at, formats: [iso8601, M/d/yyyy H:mm, d/M/yyyy H:mm]}",
                "day": "{from: d, type: date, formats: [iso8601, yyyyMMdd]}",
            ]).files["pipeline.yaml"]
        )
        let pipeline = try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))]
        )
        #expect(pipeline.warnings.map(\.line) == [5])
        #expect(
            pipeline.warnings.first?.message.contains(
                "'04/03/2026 09:08' is 2026-04-03 09:08:00 by 'M/d/yyyy H:mm' and 2026-03-04 "
                    + "09:08:00 by 'd/M/yyyy H:mm'"
            ) == true
        )
    }

    @Test(arguments: [
        ("blank_parts: true", "", false), ("blank_parts: true", ", if_none: skip", true),
        ("blank_parts: true", ", if_none: reject", true),
        ("blank_parts: true", ", if_none: one", true), ("blank_parts: false", "", true),
    ])
    func whatARecordWithoutAUnitIsMustBeSaidUnderBlankParts(
        id: String,
        list: String,
        isRead: Bool
    ) throws {
        let text = try #require(
            FieldConsistencyTests.trial([
                "trip_id": "{from: [id, v], join: \"-\", \(id)}",
                "unit": "{from: v, split: \";\"\(list)}",
            ]).files["pipeline.yaml"]
        )
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", text)
        let faults = PipelineReader.examine(path: folder.path + "/pipeline").faults
        #expect(faults.isEmpty == isRead)
        // What was published before this was asked is still read.
        let stored = PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))
        #expect(throws: Never.self) { try PipelineReader.read(files: [stored]) }
        guard !isRead else { return }
        let error = #expect(throws: PipelineFaults.self) {
            try PipelineReader.read(path: folder.path + "/pipeline")
        }
        let fault = try #require(error?.faults.first)
        #expect(fault.line == 9 && fault.message.contains("a record without a unit"), "\(fault)")
        #expect(fault.suggestion.contains("`if_none: skip`"))
    }
}
