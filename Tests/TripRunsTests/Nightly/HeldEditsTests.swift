import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// What a run does with an edit of its pipeline.
@Suite struct HeldEditsTests {
    /// An edit may spoil any share; it is measured over all trips, since it affects all.
    @Test func anEditIsCheckedOverAllTrips() throws {
        let folder = try RunFolder()
        let checks =
            "\nchecks:\n  - {id: decided, error_if: undetermined_pct > 5}\n"
            + "  - {id: volume, error_if: records < 1}\n"
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text() + checks)
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        #expect(try folder.run().checks.map(\.outcome) == [.pass, .pass])
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing("owner = 'VA'", with: "owner = 'NOBODY'") + checks
        )
        let failure = #expect(throws: Failure.self) { try folder.run { $0.appliesChanges = true } }
        #expect(failure?.status == .withheld)
        #expect(failure?.summary == "the check decided failed")
        // A few good new trips do not hide the effect of the edit on the others.
        try folder.write(
            "in/trips_2.csv",
            RunPipeline.header + RunPipeline.line(2).replacing(",VA", with: ",NOBODY")
        )
        let second = #expect(throws: Failure.self) { try folder.run { $0.appliesChanges = true } }
        #expect(second?.what.first?.contains("over all trips") == true)
    }

    /// No file could be read, so there is nothing a check could measure.
    @Test(arguments: ["skip", "withhold"])
    func aFirstRunWithRefusedFilesAloneIsChecked(policy: String) throws {
        let folder = try RunFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing(
                "replaces: same_path",
                with: "replaces: same_path, on_refused_file: \(policy)"
            ) + "\nchecks:\n  - {id: decided, error_if: undetermined_pct > 5}\n"
        )
        try folder.write("in/trips_1.csv", "no,header,of,ours\n")
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .noUsableInput)
    }

    @Test func anEditThatLiftsItsOwnHoldIsHeld() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing("owner = 'VA'", with: "owner = 'Nobody'")
                + "\nchanges: {rules: apply, reference: apply}\n"
        )
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(2))
        let report = try folder.run()
        #expect(!report.held.isEmpty)
        #expect(report.latestMonth?.sums.inHouseTrips == 2)
    }

    @Test(
        arguments: [
            ("{mean: cost}", nil),
            ("{sum: cost}", "kpis.measures: edited since 1; NOT applied"),
        ] as [(String, String?)]
    )
    func anEditOfAMeasureIsHeld(kind: String, note: String?) throws {
        func pipeline(_ kind: String) -> String {
            RunPipeline.text() + "\nkpis: {measures: {paid: \(kind)}}\n"
        }
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", pipeline("{mean: cost}"))
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        try folder.write("pipeline/pipeline.yaml", pipeline(kind))
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(2))
        #expect(try folder.run().held == [note].compactMap(\.self))
    }

    /// An analyst who adds the layout of a new export without publishing it sees what is missing.
    @Test func anExportOfAHeldLayoutNamesTheHeldEdit() throws {
        let folder = try RunFolder()
        let text = RunPipeline.text()
        try folder.write("pipeline/pipeline.yaml", text)
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        let column = "Service Level"
        try folder.write("pipeline/pipeline.yaml", text.replacing(column, with: "Level"))
        try folder.write(
            "in/trips_2.csv",
            RunPipeline.header.replacing(column, with: "Level") + RunPipeline.line(2)
        )
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.remedies.first?.contains("--apply-changes") == true)
    }
}
