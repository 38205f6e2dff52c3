import Foundation
import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRuns
@testable import TripSynthetic

/// Trips that are only summed up, compared with trips that are kept.
@Suite struct RunTotalsTests {
    /// The result of a run, without the pipeline's declaration of trip ids.
    private struct Account: Equatable {
        let ledgers: [Ledger]
        let rejects: [String]
        let cells: [KPICell]
        let basisCells: [BasisCell]
        let regions: [String]
        let tripTypes: [String]
        let dataThrough: CivilDate?
        let acceptedCount: Int
        let overflows: Int
        let refused: [String]
        let measures: [String]
    }

    /// Synthetic exports whose trips occur once; one is sent again without its last trips.
    private func folder(trips: Int = 3000, months: Int = 4) throws -> RunFolder {
        let folder = try RunFolder()
        var synthetic = SyntheticOptions(tripCount: trips, monthCount: months, seed: 8)
        synthetic.layout = .mixed
        synthetic.packing = .alternating
        _ = try SyntheticExport(synthetic).write(to: folder.path + "/in", threadCount: 2)
        let files = FileManager.default
        let source = Repository.path("pipelines/ambulance")
        try files.removeItem(atPath: folder.path + "/pipeline")
        try files.copyItem(atPath: source, toPath: folder.path + "/pipeline")
        try folder.run {
            $0.referencePath = folder.path + "/in/reference"
            $0.isFull = true
        }
        let name = try #require(
            try files.contentsOfDirectory(atPath: folder.path + "/in").sorted()
                .last { $0.hasSuffix(".csv") }
        )
        let text = try String(contentsOfFile: folder.path + "/in/" + name, encoding: .utf8)
        let lines = text.split(separator: "\n").dropLast(40)
        // A record that fits no field, and one with a wrong amount.
        let spoiled = [String(lines[3].dropLast(9)), "a,b,c"]
        try folder.write(
            "in/" + name,
            (lines.map(String.init) + spoiled).joined(separator: "\n") + "\n"
        )
        return folder
    }

    private func account(_ folder: RunFolder, keepsTrips: Bool, threads: Int) throws -> Account {
        let start = folder.path + "/pipeline/pipeline.yaml"
        let text = try String(contentsOfFile: start, encoding: .utf8)
            .replacing("\ntrip_ids: unique\n", with: "\n")
        try folder.write(
            "pipeline/pipeline.yaml",
            keepsTrips ? text : text.replacing("\ntime_zone", with: "\ntrip_ids: unique\ntime_zone")
        )
        let options = folder.options {
            $0.referencePath = folder.path + "/in/reference"
            $0.threadCount = threads
            $0.isDryRun = true
        }
        let progress = Progress()
        let mart = try RunMart(options)
        defer { mart.release() }
        let setting = try RunConfiguration(options, served: mart.served)
        let intake = try RunFiles(options, setting: setting, mart: mart, progress: progress)
        let exports = try ClassifiedExports(intake, setting, options, progress: progress)
        let state = try RunTotals(exports, setting, options, progress: progress)
        #expect((state.trips == nil) == !keepsTrips)
        let some = Set(exports.files.indices.dropFirst())
        let measures = [Set(exports.files.indices), some].flatMap { files in
            CheckMeasures(
                state.measured(files: files, areAll: false),
                setting,
                [],
                now: options.now
            ).measures
        }
        return Account(
            ledgers: state.runLedger.ledgers,
            rejects: state.runLedger.rejects.map {
                "\($0.fileIndex) \($0.recordNumber) \($0.reason)"
            },
            cells: state.cube.cells,
            basisCells: state.cube.basisCells,
            regions: state.cube.regions,
            tripTypes: state.cube.tripTypes,
            dataThrough: state.dataThrough,
            acceptedCount: state.acceptedCount,
            overflows: exports.overflows,
            refused: exports.refusals.map(\.path),
            measures: measures.map { "\($0.name) \($0.shown)" }
        )
    }

    @Test(arguments: [1, 2, 8])
    func tripsThatAreNotKeptGiveTheSameSums(threads: Int) throws {
        let folder = try folder()
        let kept = try account(folder, keepsTrips: true, threads: 1)
        let addedUp = try account(folder, keepsTrips: false, threads: threads)
        #expect(addedUp == kept)
        // The file that was sent again has replaced its earlier content.
        #expect(kept.ledgers.contains { $0[.withdrawn].items > 0 })
        #expect(kept.rejects.count == 2)
        #expect(kept.acceptedCount > 2500)
        #expect(kept.measures.contains { $0.hasPrefix("region_disagree_pct 0") })
    }

    @Test func aDamagedFileAddsNothing() throws {
        // So large that its first window is summed up before its end is read.
        let folder = try folder(trips: 60_000, months: 2)
        let before = try account(folder, keepsTrips: false, threads: 1)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in").sorted()
                .first { $0.hasSuffix(".gz") }
        )
        // Its last trailer is wrong.
        let path = folder.path + "/in/" + name
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(bytes.count > 1 << 19)
        bytes[bytes.count - 1] ^= 1
        try folder.write("in/claims_20990101.csv.gz", bytes)
        let after = try account(folder, keepsTrips: false, threads: 1)
        #expect(after.refused == ["claims_20990101.csv.gz"])
        #expect(after.cells == before.cells)
        #expect(after.ledgers == before.ledgers)
        #expect(after.measures == before.measures)
    }
}
