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
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.summary == "the check trip_ids failed")
        // Nothing of it is an edit that is held.
        try folder.write("in/trips_3.csv", NightPipeline.header + NightPipeline.line(5))
        let report = try folder.run()
        #expect(report.held.isEmpty)
        #expect(report.checks.map(\.id) == ["trip_ids"])
    }

    @Test func aFileThatReplacesNothingMayRepeatItsTrips() throws {
        let folder = try folder(second: NightPipeline.line(4))
        let text = "trip_ids: unique\n" + NightPipeline.text(replaces: "nothing")
        try folder.write("pipeline/pipeline.yaml", text)
        try folder.run()
        try folder.write("in/trips_2.csv", NightPipeline.header + NightPipeline.line(4, cost: "1"))
        let failure = #expect(throws: Failure.self) { try folder.run { $0.isDryRun = true } }
        #expect(failure?.summary == "the check trip_ids failed")
    }

    @Test func regionsAreComparedInTheFilesThatStand() throws {
        let folder = try NightFolder()
        let text = NightPipeline.text().replacing(
            "  owner: Vehicle Owner",
            with: "  owner: Vehicle Owner\n  export_visn: Export VISN"
        )
        let check = "\nchecks:\n  - {id: regions, warn_if: \"region_disagree_pct > 99\"}\n"
        try folder.write("pipeline/pipeline.yaml", text + check)
        /// An export of trips of region 08, with what each names as its region.
        func write(_ name: String, _ regions: [String], from first: Int) throws {
            let header = NightPipeline.header.replacing("\n", with: ",Export VISN\n")
            let lines = regions.enumerated().map { index, region in
                NightPipeline.line(first + index).replacing("\n", with: ",\(region)\n")
            }
            try folder.write("in/" + name, header + lines.joined())
        }
        func percent(_ adjust: (inout RunOptions) -> Void = { _ in }) throws -> String? {
            try folder.run(adjust).checks.first?.detail
        }
        try write("trips_1.csv", ["8", "08", "9", ""], from: 1)
        #expect(try percent()?.contains("33.33") == true)
        // Of the content that was replaced nothing is compared any more, full run or not.
        try write("trips_1.csv", ["9", "9", "8", "8"], from: 1)
        try write("trips_2.csv", ["8"], from: 5)
        for isDryRun in [true, false] {
            #expect(try percent { $0.isDryRun = isDryRun }?.contains("40.00") == true)
        }
        try write("trips_3.csv", ["7"], from: 6)
        #expect(try percent()?.contains("100.00") == true)
        #expect(try percent { $0.isFull = true }?.contains("50.00") == true)
    }

    @Test func theChecksIDIsTakenWhereItIsBrought() throws {
        let folder = try folder(second: NightPipeline.line(4))
        let own = NightPipeline.text() + "\nchecks:\n  - {id: trip_ids, warn_if: \"trips < 1\"}\n"
        try folder.write("pipeline/pipeline.yaml", own)
        #expect(try folder.run { $0.isDryRun = true }.checks.map(\.outcome) == [.pass])
        try folder.write("pipeline/pipeline.yaml", "trip_ids: unique\n" + own)
        let fault = #expect(throws: PipelineFault.self) { try folder.run() }
        #expect(fault?.message.contains("is taken by the check") == true)
    }
}
