import Testing
import TripDomain
import TripMart

@testable import TripRuns

@Suite struct NightChecksTests {
    private func folder(second: String) throws -> NightFolder {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", "trip_ids: unique\n" + NightPipeline.text())
        try folder.write(
            "in/trips_1.csv",
            NightPipeline.header + (1...3).map { NightPipeline.line($0) }.joined()
        )
        try folder.write("in/trips_2.csv", NightPipeline.header + second)
        return folder
    }

    @Test func idsThatOccurOncePassTheCheckOfTheirDeclaration() throws {
        let folder = try folder(second: NightPipeline.line(4))
        let check = try #require(try folder.run().checks.first { $0.id == "trip_ids" })
        #expect(check.outcome == .pass)
        #expect(check.detail == "4 trip ids, each once")
    }

    @Test(arguments: ["10.00", "11.00"])
    func anIDThatOccursAgainKeepsTheNightFromBeingPublished(cost: String) throws {
        let second = NightPipeline.line(4) + NightPipeline.line(2, cost: cost)
        let folder = try folder(second: second + NightPipeline.line(3))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .withheld)
        #expect(failure?.summary == "the check trip_ids failed")
        let what = try #require(failure?.what.first)
        #expect(
            what.contains(
                "2 records repeat a trip id, and the pipeline says `trip_ids: unique`; first "
                    + "trips_2.csv record 2 (line 3), after trips_1.csv record 2 (line 3)"
            ),
            "\(what)"
        )
        #expect(!what.contains("T-2"))
        #expect(try MartFolder(path: folder.path + "/mart").servedNumber() == nil)
    }

    @Test func aDryRunTakesTheDeclarationAtItsWord() throws {
        let folder = try folder(second: NightPipeline.line(2))
        let report = try folder.run { $0.isDryRun = true }
        #expect(report.trips == 4)
        #expect(report.takesTripIDsAsUnique)
        #expect(!report.checks.contains { $0.id == "trip_ids" })
    }

    @Test func theDeclarationTakesEffectAtOnce() throws {
        let folder = try folder(second: NightPipeline.line(4))
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        #expect(try folder.run().checks.isEmpty)
        try folder.write("pipeline/pipeline.yaml", "trip_ids: unique\n" + NightPipeline.text())
        try folder.write("in/trips_3.csv", NightPipeline.header + NightPipeline.line(1))
        #expect(throws: Failure.self) { try folder.run() }
        // Nothing of it is an edit that is held.
        try folder.write("in/trips_3.csv", NightPipeline.header + NightPipeline.line(5))
        let report = try folder.run()
        #expect(report.held.isEmpty)
        #expect(report.checks.map(\.id) == ["trip_ids"])
    }

    @Test func theChecksIDIsTaken() throws {
        let folder = try folder(second: NightPipeline.line(4))
        try folder.write(
            "pipeline/pipeline.yaml",
            NightPipeline.text() + "\nchecks:\n  - {id: trip_ids, error_if: \"trips < 1\"}\n"
        )
        let fault = #expect(throws: PipelineFault.self) { try folder.run() }
        #expect(fault?.message.contains("is taken by the check") == true)
    }
}
