import TestSupport
import Testing
import TripDomain

@testable import TripRuns

/// What is checked before the numbers of a cluster are published, against a run on one machine.
@Suite struct ImportedTotalsTests {
    /// The checks of both runs over one folder.
    private func checks(
        _ pipeline: String,
        _ files: [String: String]
    ) throws -> (native: [CheckResult], divided: [CheckResult]) {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", pipeline)
        for (name, text) in files { try folder.write("in/" + name, text) }
        let native = try folder.run { $0.isFull = true }
        return (native.checks, try divided(folder).checks)
    }

    private func divided(_ folder: RunFolder) throws -> RunReport {
        let options = folder.options { $0.martPath = folder.path + "/other" }
        try CubeImportTests.write(DividedRun(options, partCount: 2), to: folder.path + "/job")
        return try CubeImportTests.imported(folder.path + "/job", options)
    }

    private func lines(_ ids: ClosedRange<Int>) -> String {
        RunPipeline.header + ids.map { RunPipeline.line($0) }.joined()
    }

    @Test func aFileThatEndsWithinALineIsNamed() throws {
        let found = try checks(
            RunPipeline.text() + RunPipeline.lenient,
            [
                "trips_1.csv": lines(1...3), "trips_2.csv": lines(4...6),
                "trips_3.csv": String(lines(7...9).dropLast(2)),
            ]
        )
        #expect(found.divided.contains { $0.id == "built-in-cut" && $0.outcome == .warn })
        #expect(found.divided == found.native)
    }

    @Test func oneContentUnderTwoNamesIsNamedWhereIDsArePlaces() throws {
        let log = "At,Region,Type\n2026-05-01T10:00,R1,BLS\n2026-05-02T10:00,R1,BLS\n"
        let found = try checks(
            """
            pipeline: calls
            sources:
              calls: {files: "**/*.csv"}
            fields:
              trip_id: {source_position: true}
              pickup_at: At
              region: Region
              trip_type: Type
            rules:
              - {id: own, class: in_house, basis: own, when: "region = 'R1'", because: All are.}

            """,
            ["north/calls.csv": log, "south/calls.csv": log]
        )
        #expect(found.divided.contains { $0.id == "built-in-contents" && $0.outcome == .warn })
        #expect(found.divided == found.native)
    }

    @Test func oneContentUnderTwoNamesIsWithheldWhereIDsAreUnique() throws {
        let folder = try RunFolder()
        let text = RunPipeline.text()
            .replacing("pipeline: mine\n", with: "pipeline: mine\ntrip_ids: unique\n")
        try folder.write("pipeline/pipeline.yaml", text + RunPipeline.lenient)
        try folder.write("in/trips_1.csv", lines(1...3))
        try folder.write("in/trips_2.csv", lines(1...3))
        let native = #expect(throws: Failure.self) { try folder.run { $0.isFull = true } }
        let failure = #expect(throws: Failure.self) { try divided(folder) }
        #expect(failure?.status == .withheld && failure?.status == native?.status)
        #expect(failure?.summary == native?.summary)
        let what = "trips_2.csv has the content of trips_1.csv, so that its 3 trips come twice"
        #expect(failure?.what.first?.contains(what) == true, "\(failure?.what ?? [])")
        // Two files without a trip are alike, and nothing of them counts.
        try folder.write("in/trips_2.csv", lines(4...6))
        try folder.write("in/trips_3.csv", RunPipeline.header + "odd\n")
        try folder.write("in/trips_4.csv", RunPipeline.header + "odd\n")
        #expect(try divided(folder).trips == 6)
    }
}
