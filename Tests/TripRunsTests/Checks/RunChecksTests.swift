import Testing
import TripDomain
import TripMart

@testable import TripPipeline
@testable import TripRuns

@Suite struct RunChecksTests {
    private func folder(second: String) throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", "trip_ids: unique\n" + RunPipeline.text())
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header + (1...3).map { RunPipeline.line($0) }.joined()
        )
        try folder.write("in/trips_2.csv", RunPipeline.header + second)
        return folder
    }

    @Test func idsThatOccurOncePassTheCheckOfTheirDeclaration() throws {
        let folder = try folder(second: RunPipeline.line(4))
        let check = try #require(try folder.run().checks.first { $0.id == "trip_ids" })
        #expect(check.outcome == .pass)
        #expect(check.detail == "4 trip ids, each once")
    }

    @Test(arguments: ["10.00", "11.00"])
    func aRepeatedTripIDWithholdsPublication(cost: String) throws {
        let second = RunPipeline.line(4) + RunPipeline.line(2, cost: cost)
        let folder = try folder(second: second + RunPipeline.line(3))
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

    @Test func aDryRunDoesNotCheckDeclaredUniqueTripIDs() throws {
        let folder = try folder(second: RunPipeline.line(2))
        let report = try folder.run { $0.isDryRun = true }
        #expect(report.trips == 4)
        #expect(report.takesTripIDsAsUnique)
        #expect(!report.checks.contains { $0.id == "trip_ids" })
    }

    @Test func theTripIDDeclarationTakesEffectAtOnce() throws {
        let folder = try folder(second: RunPipeline.line(4))
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        #expect(try folder.run().checks.isEmpty)
        try folder.write("pipeline/pipeline.yaml", "trip_ids: unique\n" + RunPipeline.text())
        try folder.write("in/trips_3.csv", RunPipeline.header + RunPipeline.line(1))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.summary == "the check trip_ids failed")
        // None of it is a held edit.
        try folder.write("in/trips_3.csv", RunPipeline.header + RunPipeline.line(5))
        let report = try folder.run()
        #expect(report.held.isEmpty)
        #expect(report.checks.map(\.id) == ["trip_ids"])
    }

    @Test func aFileThatReplacesNothingMayRepeatItsTrips() throws {
        let folder = try folder(second: RunPipeline.line(4))
        let text = "trip_ids: unique\n" + RunPipeline.text(replaces: "nothing")
        try folder.write("pipeline/pipeline.yaml", text)
        try folder.run()
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(4, cost: "1"))
        let failure = #expect(throws: Failure.self) { try folder.run { $0.isDryRun = true } }
        #expect(failure?.summary == "the check trip_ids failed")
    }

    @Test func regionsAreComparedInFilesInForce() throws {
        let folder = try RunFolder()
        let text = RunPipeline.text().replacing(
            "  owner: Vehicle Owner",
            with: "  owner: Vehicle Owner\n  export_visn: Export VISN"
        )
        let check = "\nchecks:\n  - {id: regions, warn_if: \"region_disagree_pct > 99\"}\n"
        try folder.write("pipeline/pipeline.yaml", text + check)
        /// Writes an export of trips of region 08, each with the region that the export names.
        func write(_ name: String, _ regions: [String], from first: Int) throws {
            let header = RunPipeline.header.replacing("\n", with: ",Export VISN\n")
            let lines = regions.enumerated().map { index, region in
                RunPipeline.line(first + index).replacing("\n", with: ",\(region)\n")
            }
            try folder.write("in/" + name, header + lines.joined())
        }
        func percent(_ adjust: (inout RunOptions) -> Void = { _ in }) throws -> String? {
            try folder.run(adjust).checks.first?.detail
        }
        try write("trips_1.csv", ["8", "08", "9", ""], from: 1)
        #expect(try percent()?.contains("33.33") == true)
        // Replaced content is no longer compared, in a full run or in any other.
        try write("trips_1.csv", ["9", "9", "8", "8"], from: 1)
        try write("trips_2.csv", ["8"], from: 5)
        for isDryRun in [true, false] {
            #expect(try percent { $0.isDryRun = isDryRun }?.contains("40.00") == true)
        }
        try write("trips_3.csv", ["7"], from: 6)
        #expect(try percent()?.contains("100.00") == true)
        #expect(try percent { $0.isFull = true }?.contains("50.00") == true)
    }

    @Test func theIDOfTheTripIDCheckIsReserved() throws {
        let folder = try folder(second: RunPipeline.line(4))
        let own = RunPipeline.text() + "\nchecks:\n  - {id: trip_ids, warn_if: \"trips < 1\"}\n"
        try folder.write("pipeline/pipeline.yaml", own)
        #expect(try folder.run { $0.isDryRun = true }.checks.map(\.outcome) == [.pass])
        try folder.write("pipeline/pipeline.yaml", "trip_ids: unique\n" + own)
        let error = #expect(throws: PipelineFaults.self) { try folder.run() }
        #expect(error?.faults.first?.message.contains("is reserved for the check") == true)
    }
}
