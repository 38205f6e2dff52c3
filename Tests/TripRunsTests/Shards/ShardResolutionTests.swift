import Foundation
import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart
import TripSynthetic

@testable import TripRuns

/// A divided run against a run on one machine.
@Suite struct ShardResolutionTests {
    /// The account of a run.
    private struct Account: Equatable {
        let cells: [KPICell]
        let basisCells: [BasisCell]
        let declared: DeclaredCells
        let regions: [String]
        let tripTypes: [String]
        let lastPickup: Int64?
        let ledgers: [String: Ledger]
        let rejects: [String]
        let setAside: [String]
        let accepted: [String]
        let refused: [String]
    }

    @Test(arguments: seeds(1...20))
    func aDividedRunGivesTheNumbersOfOneMachine(seed: Int) throws {
        var history = try RandomHistory(seed: UInt64(seed))
        for _ in 0..<8 { _ = try history.step() }
        try history.night.write("in/trips_99.csv.gz", [0x1F, 0x8B, 0x08, 0x00])
        let options = history.night.options {
            $0.martPath = history.night.path + "/other"
            $0.isFull = true
        }
        let whole = try native(options)
        for parts in [1, 2, 5] {
            #expect(try divided(options, parts: parts) == whole, "\(parts) parts")
        }
    }

    @Test(arguments: seeds(1...20))
    func plantedFaultsAreDividedLikeAllElse(seed: Int) throws {
        let folder = try RunFolder()
        var synthetic = SyntheticOptions(tripCount: 1500, monthCount: 3, seed: UInt64(seed))
        synthetic.layout = [.native, .mixed, .legacy][seed % 3]
        synthetic.packing = .alternating
        synthetic.hasFaults = true
        _ = try SyntheticExport(synthetic).write(to: folder.path + "/in", threadCount: 2)
        let options = folder.options {
            $0.pipelinePath = Repository.path("pipelines/ambulance")
            $0.referencePath = folder.path + "/in/reference"
            $0.isFull = true
        }
        let whole = try native(options)
        #expect(whole.accepted.count > 1000)
        #expect(try divided(options, parts: 3) == whole)
    }

    @Test func neitherThreadsNorPartsNorOrderChangeAReport() throws {
        var history = try RandomHistory(seed: 7)
        for _ in 0..<4 { _ = try history.step() }
        let options = history.night.options { $0.martPath = history.night.path + "/other" }
        let one = try DividedRun(options, partCount: 3, threads: 1, seed: 1)
        let other = try DividedRun(options, partCount: 3, threads: 4, seed: 2)
        #expect(one.parts == other.parts)
        #expect(one.mapped.map(\.report) == other.mapped.map(\.report))
        #expect(one.files.decision == other.files.decision)
        #expect(!one.parts.flatMap(\.accounts).isEmpty)
    }

    @Test func uniqueIDsNeedNoShuffle() throws {
        let folder = try RunFolder()
        let text = MinimalPipeline.text.replacing(
            "pipeline: mine\n",
            with: "pipeline: mine\ntrip_ids: unique\n"
        )
        try folder.write("pipeline/pipeline.yaml", text + RunPipeline.lenient)
        for file in 1...3 {
            let lines = (0..<5).map { RunPipeline.line(10 * file + $0, day: 1 + $0) }
            try folder.write("in/t\(file).csv", RunPipeline.header + lines.joined())
        }
        let options = folder.options { $0.isFull = true }
        let run = try DividedRun(options, partCount: 2)
        #expect(!run.setting.plan.comparesVersions)
        #expect(run.parts.isEmpty)
        #expect(run.mapped.allSatisfy { $0.versions.isEmpty && $0.trips.count == 5 })
        let whole = try native(options)
        #expect(try run.cube().basisCells == whole.basisCells)
        #expect(run.ledgers() == whole.ledgers)
    }

    @Test func aVersionThatArrivesTwiceIsRefused() throws {
        var history = try RandomHistory(seed: 3)
        _ = try history.step()
        let options = history.night.options { $0.martPath = history.night.path + "/other" }
        let run = try DividedRun(options, partCount: 1)
        var rows = VersionRows(
            run.setting,
            areInForce: run.files.decision.areInForce,
            try ShardPart(index: 0, count: 1)
        )
        let trips = run.mapped.flatMap(\.versions).filter { $0[4] == .null }
        let columns = DividedRun.columns(run.setting.versions.all, trips)
        #expect(rows.add(columns) == nil)
        #expect(rows.sort() == nil)
        #expect(rows.add(columns) == nil)
        #expect(rows.sort()?.contains("twice") == true)
    }

    /// A part takes its own trips alone, so that none is decided in two of them.
    @Test func aTripOfAnotherPartIsRefused() throws {
        let history = try RandomHistory(seed: 3)
        // So many that each part has some, whatever the key of their references.
        try history.night.write("in/trips_60.csv", RandomHistory.file(of: 100..<300))
        let options = history.night.options { $0.martPath = history.night.path + "/other" }
        let run = try DividedRun(options, partCount: 3)
        let columns = DividedRun.columns(run.setting.versions.all, run.mapped.flatMap(\.versions))
        for index in 0..<3 {
            var rows = VersionRows(
                run.setting,
                areInForce: run.files.decision.areInForce,
                try ShardPart(index: index, count: 3)
            )
            #expect(rows.add(columns)?.contains("expected part \(index) alone") == true)
        }
        #expect(throws: RunError.self) { try ShardPart(index: 3, count: 3) }
        #expect(throws: RunError.self) { try ShardPart(index: 0, count: 0) }
        #expect(ShardPart.index(of: [1, 2, 3], among: 2) == nil)
        #expect(ShardPart.index(of: [1, 2, 0, 0x80], among: 7) == 0x8000_0201 % 7)
    }

    // MARK: - Both ways

    private func native(_ options: RunOptions) throws -> Account {
        var options = options
        options.isDryRun = true
        let progress = Progress()
        let mart = try RunMart(options)
        defer { mart.release() }
        let setting = try RunConfiguration(options, served: nil)
        let intake = try RunFiles(options, setting: setting, mart: mart, progress: progress)
        let exports = try ClassifiedExports(intake, setting, options, progress: progress)
        let state = try RunTotals(exports, setting, options, progress: progress)
        let paths = exports.files.map(\.entry.path)
        return Account(
            cells: state.cube.cells,
            basisCells: state.cube.basisCells,
            declared: state.cube.declared,
            regions: state.cube.regions,
            tripTypes: state.cube.tripTypes,
            lastPickup: state.cube.lastPickup,
            ledgers: Dictionary(uniqueKeysWithValues: zip(paths, state.runLedger.ledgers)),
            rejects: state.runLedger.rejects.map {
                DividedRun.text(
                    $0,
                    path: paths[$0.fileIndex],
                    isKnown: $0.tripID != nil,
                    isCorrection: $0.isCorrection
                )
            }.sorted(),
            setAside: state.runLedger.versions.map {
                "\(paths[$0.fileIndex]) \($0.recordNumber) \($0.term.rawValue) "
                    + ($0.amountCents.map { "\($0)" } ?? "NULL")
            }.sorted(),
            accepted: try accepted(state, paths, options).sorted(),
            refused: exports.refusals.map { "\($0.path): \($0.reason)" }.sorted()
        )
    }

    /// The accepted trips of a run as ``DividedRun/accepted()`` shows them.
    private func accepted(
        _ state: RunTotals,
        _ paths: [String],
        _ options: RunOptions
    ) throws -> [String] {
        guard let trips = state.trips else { return [] }
        // The divided run has made the key, or makes it now.
        let keys =
            try MartKeys.open(keyFile: options.keyFilePath, for: MartFolder(path: options.martPath))
            ?? MartKeys.create(keyFile: options.keyFilePath)
        let shape = state.shape
        return trips.batches.enumerated().flatMap { index, batch in
            let leftOut = trips.resolution.accepted.leftOut(batch: index)
            return (0..<batch.count).filter { leftOut.isEmpty || !leftOut[$0] }.map { row in
                func text(_ column: Int) -> String {
                    batch.columns[column].texts.string(row: row) ?? "NULL"
                }
                let pickup = batch.columns[shape.pickupIndex].integers.value(row) ?? 0
                let cost = shape.costIndex.flatMap { batch.columns[$0].integers.value(row) }
                let number = Int(batch.ruleNumbers[row])
                let rule = number == 0 ? nil : state.rules[number - 1]
                return "\(paths[batch.fileIndex]) \(batch.recordNumbers[row]) "
                    + "\(keys.ref(ofTrip: text(shape.tripIDIndex)).text) "
                    + "\((rule?.tripClass ?? .undetermined).word) \(rule?.basis ?? "") "
                    + "\(rule?.id ?? "NULL") \(batch.counted[row]) "
                    + "\(CivilTime.date(ofSeconds: pickup).month.text) "
                    + "\(text(shape.regionIndex)) \(text(shape.tripTypeIndex)) "
                    + "\(cost.map { "\($0)" } ?? "NULL") \(batch.lineNumbers[row])"
            }
        }
    }

    private func divided(_ options: RunOptions, parts: Int) throws -> Account {
        let run = try DividedRun(options, partCount: parts, seed: UInt64(parts))
        let cube = try run.cube()
        return Account(
            cells: cube.cells,
            basisCells: cube.basisCells,
            declared: cube.declared,
            regions: cube.regions,
            tripTypes: cube.tripTypes,
            lastPickup: cube.lastPickup,
            ledgers: run.ledgers(),
            rejects: run.rejects().sorted(),
            setAside: run.versions().sorted(),
            accepted: run.accepted().sorted(),
            refused: run.files.decision.refusals.map {
                "\(run.setting.plan.files[$0.file].path): \($0.reason)"
            }.sorted() + run.setting.plan.refusals.map { "\($0.path): \($0.reason)" }
        )
    }
}
