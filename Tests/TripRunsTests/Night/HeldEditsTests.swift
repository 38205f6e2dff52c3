import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// What a night does with an edit of its pipeline.
@Suite struct HeldEditsTests {
    /// An edit may spoil any share; it is measured over all trips, since it touches all.
    @Test func anEditIsCheckedOverAllTrips() throws {
        let folder = try NightFolder()
        let checks =
            "\nchecks:\n  - {id: decided, error_if: undetermined_pct > 5}\n"
            + "  - {id: volume, error_if: records < 1}\n"
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text() + checks)
        try folder.write("in/trips_1.csv", NightPipeline.header + NightPipeline.line(1))
        #expect(try folder.run().checks.map(\.outcome) == [.pass, .pass])
        try folder.write(
            "pipeline/pipeline.yaml",
            NightPipeline.text().replacing("owner = 'VA'", with: "owner = 'NOBODY'") + checks
        )
        let failure = #expect(throws: Failure.self) { try folder.run { $0.appliesChanges = true } }
        #expect(failure?.status == .withheld)
        #expect(failure?.summary == "the check decided failed")
        // Nor do a few good new trips hide what the edit does to the others.
        try folder.write(
            "in/trips_2.csv",
            NightPipeline.header + NightPipeline.line(2).replacing(",VA", with: ",NOBODY")
        )
        let second = #expect(throws: Failure.self) { try folder.run { $0.appliesChanges = true } }
        #expect(second?.what.first?.contains("over all trips") == true)
    }

    /// Nothing could be taken in, so there is nothing a check could measure.
    @Test(arguments: ["skip", "withhold"])
    func aFirstNightOfRefusedFilesAloneIsCheckedAsWell(policy: String) throws {
        let folder = try NightFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            NightPipeline.text().replacing(
                "replaces: same_path",
                with: "replaces: same_path, on_refused_file: \(policy)"
            ) + "\nchecks:\n  - {id: decided, error_if: undetermined_pct > 5}\n"
        )
        try folder.write("in/trips_1.csv", "no,header,of,ours\n")
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .noUsableInput)
    }

    @Test func anEditThatLiftsItsOwnHoldIsHeld() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        try folder.write("in/trips_1.csv", NightPipeline.header + NightPipeline.line(1))
        try folder.run()
        try folder.write(
            "pipeline/pipeline.yaml",
            NightPipeline.text().replacing("owner = 'VA'", with: "owner = 'Nobody'")
                + "\nchanges: {rules: apply, reference: apply}\n"
        )
        try folder.write("in/trips_2.csv", NightPipeline.header + NightPipeline.line(2))
        let report = try folder.run()
        #expect(!report.held.isEmpty)
        #expect(report.latestMonth?.sums.inHouseTrips == 2)
    }

    /// Who adds the layout of a new export and does not publish it is told what is missing.
    @Test func anExportOfAHeldLayoutNamesTheHold() throws {
        let folder = try NightFolder()
        let text = NightPipeline.text()
        try folder.write("pipeline/pipeline.yaml", text)
        try folder.write("in/trips_1.csv", NightPipeline.header + NightPipeline.line(1))
        try folder.run()
        let column = "Service Level"
        try folder.write("pipeline/pipeline.yaml", text.replacing(column, with: "Level"))
        try folder.write(
            "in/trips_2.csv",
            NightPipeline.header.replacing(column, with: "Level") + NightPipeline.line(2)
        )
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.remedies.first?.contains("--apply-changes") == true)
    }
}
