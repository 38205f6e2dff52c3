import Foundation
import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart
import TripSynthetic

@testable import TripRuns

/// The import of a divided run against a run on one machine.
@Suite struct CubeImportTests {
    private static let uri = "s3://trips/2026"

    /// Writes what the tasks found, as a driver gathers it.
    private static func write(_ run: DividedRun, to folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/results",
            withIntermediateDirectories: true
        )
        func write(_ bytes: [UInt8], _ name: String) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        try write(run.setting.plan.text, "plan.json")
        try write(run.files.decision.text, "results/files.json")
        for (index, file) in run.mapped.enumerated() {
            try write(file.report.text, "results/" + ShardResults.reportName(index))
            let rejects = file.rejects.map { $0.text + [0x0A] }.joined()
            try write(Array(rejects), "results/" + ShardResults.rejectsName(index))
        }
        for (index, part) in run.parts.enumerated() {
            try write(part.text, "results/" + ShardResults.partReportName(index))
            let cells = part.sums.cells.map { $0.text + [0x0A] }.joined()
            try write(Array(cells), "results/" + ShardResults.cellsName(index))
        }
    }

    private static func imported(
        _ folder: String,
        _ options: RunOptions,
        at uri: String = uri
    ) throws -> RunReport {
        let source = CubeImport.Source(
            planPath: folder + "/plan.json",
            resultsPath: folder + "/results",
            trips: uri
        )
        var options = options
        options.isFull = true
        return try CubeImport(source, options, progress: Progress(), announce: { _ in }).perform()
    }

    /// The code of the error that a body throws.
    private static func code(_ body: () throws -> Void) -> RunError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? RunError)?.code
        }
    }

    /// All that a generation says beside its trips.
    private static func numbers(_ mart: String) throws -> [String] {
        let folder = MartFolder(path: mart)
        let served = try #require(try folder.servedNumber())
        let dump = try SQLiteDump.lines(
            folder.generationPath(served),
            excluding: [
                "generation", "meta", "source", "trip_row", "trip_column", "text_value",
                "month_range", "trip_version", "patient", "trip_location", "trip_location_month",
                "rejected_correction",
            ]
        )
        let kpi = try SQLiteDump.lines(folder.kpiPath(served), excluding: ["generation"])
        let mart = try ServedMart.open(folder)
        let corrections = try mart.rejects(RejectFilter(isCorrection: true), limit: 10_000)
        return dump + kpi + corrections.map { "correction \($0.number)" }
            + ["through \(mart.header.dataThrough?.text ?? "-") \(mart.header.isSynthetic)"]
    }

    @Test(arguments: seeds(1...12))
    func anImportPublishesTheNumbersOfOneMachine(seed: Int) throws {
        var history = try RandomHistory(seed: UInt64(seed))
        for _ in 0..<6 { _ = try history.step() }
        let night = history.night
        let (one, other) = (night.path + "/one", night.path + "/other")
        let native = night.options {
            $0.martPath = one
            $0.isFull = true
        }
        let options = night.options { $0.martPath = other }
        let run = try DividedRun(options, partCount: seed % 3 + 1)
        try Self.write(run, to: night.path + "/work")
        do {
            _ = try NightlyRun(options: native, progress: Progress()).perform()
        } catch let failure as Failure {
            // What one machine withholds is not imported either.
            let refused = #expect(throws: Failure.self) {
                try Self.imported(night.path + "/work", options)
            }
            #expect(refused?.status == failure.status && refused?.summary == failure.summary)
            return
        }
        let report = try Self.imported(night.path + "/work", options)
        #expect(report.outcome == .published && report.tripsAt == Self.uri)
        #expect(try Self.numbers(other) == Self.numbers(one))
        let served = try ServedMart.open(MartFolder(path: other))
        let lain = try #require(served.location)
        #expect(lain.uri == Self.uri && lain.trips == report.trips)
        // What is served already is not published again.
        #expect(try Self.imported(night.path + "/work", options).outcome == .nothingDue)
        #expect(try MartFolder(path: other).servedNumber() == 1)
        // Trips at another place are another import, and the plan is outdated by then.
        let moved = Self.code {
            _ = try Self.imported(night.path + "/work", options, at: "s3://other")
        }
        #expect(moved == .planMismatch)
    }

    @Test func plantedFaultsAreImportedLikeAllElse() throws {
        let folder = try RunFolder()
        var synthetic = SyntheticOptions(tripCount: 4000, monthCount: 3, seed: 5)
        synthetic.hasFaults = true
        _ = try SyntheticExport(synthetic).write(to: folder.path + "/in", threadCount: 2)
        func options(_ mart: String) -> RunOptions {
            folder.options {
                $0.pipelinePath = Repository.path("pipelines/ambulance")
                $0.referencePath = folder.path + "/in/reference"
                $0.martPath = folder.path + "/" + mart
            }
        }
        let run = try DividedRun(options("other"), partCount: 3)
        try Self.write(run, to: folder.path + "/work")
        _ = try NightlyRun(options: options("one"), progress: Progress()).perform()
        _ = try Self.imported(folder.path + "/work", options("other"))
        #expect(
            try Self.numbers(folder.path + "/other") == Self.numbers(folder.path + "/one")
        )
    }

    /// A folder with a divided run of a few trips.
    private static func divided() throws -> (RunFolder, RunOptions) {
        let history = try RandomHistory(seed: 3)
        let options = history.night.options { $0.martPath = history.night.path + "/other" }
        try write(DividedRun(options, partCount: 2), to: history.night.path + "/work")
        return (history.night, options)
    }

    @Test func whatIsMissingOrThereTwiceIsFound() throws {
        let (night, options) = try Self.divided()
        let work = night.path + "/work"
        let results = work + "/results/"
        let manager = FileManager.default
        func refused(_ change: () throws -> Void) throws -> RunError.Code? {
            let folder = work + "/results"
            try manager.copyItem(atPath: folder, toPath: night.path + "/kept")
            try change()
            let code = Self.code { _ = try Self.imported(work, options) }
            try manager.removeItem(atPath: folder)
            try manager.moveItem(atPath: night.path + "/kept", toPath: folder)
            return code
        }
        func remove(_ name: String) throws { try manager.removeItem(atPath: results + name) }
        func copy(_ from: String, _ to: String) throws {
            try manager.copyItem(atPath: results + from, toPath: results + to)
        }
        for name in [
            "files.json", ShardResults.reportName(0), ShardResults.partReportName(0),
            ShardResults.cellsName(1),
        ] {
            #expect(try refused { try remove(name) } == .noUsableInput, "\(name)")
        }
        // A part that was lost, and one that was resolved twice, do not account for all trips.
        #expect(
            try refused {
                try remove(ShardResults.partReportName(1))
                try remove(ShardResults.cellsName(1))
            } == .imbalance
        )
        #expect(
            try refused {
                try copy(ShardResults.partReportName(1), ShardResults.partReportName(2))
                try copy(ShardResults.cellsName(1), ShardResults.cellsName(2))
            } == .imbalance
        )
        #expect(
            try refused {
                try copy(ShardResults.reportName(0), ShardResults.reportName(99_999))
            } == .noUsableInput
        )
        #expect(try MartFolder(path: options.martPath).servedNumber() == nil)
        _ = try Self.imported(work, options)
    }

    @Test func otherResultsOfTheSameNumbersOfPartsAreTheSame() throws {
        let history = try RandomHistory(seed: 4)
        let options = history.night.options { $0.martPath = history.night.path + "/other" }
        let work = history.night.path + "/work"
        let plan = try DividedRun(options, partCount: 1)
        try Self.write(plan, to: work)
        let one = try ImportedResults(plan: work + "/plan.json", folder: work + "/results").hash
        try FileManager.default.removeItem(atPath: work)
        try Self.write(DividedRun(options, partCount: 5, seed: 9), to: work)
        let other = try ImportedResults(plan: work + "/plan.json", folder: work + "/results").hash
        #expect(one == other)
    }

    @Test func aDryRunWritesNothing() throws {
        let (night, options) = try Self.divided()
        var dry = options
        dry.isDryRun = true
        let report = try Self.imported(night.path + "/work", dry)
        #expect(report.outcome == .dryRun && report.trips > 0)
        #expect(!FileManager.default.fileExists(atPath: options.martPath + "/generations"))
    }

    @Test func whatNeedsExportsOrTripsSaysWhereTheyLie() throws {
        let (night, options) = try Self.divided()
        _ = try Self.imported(night.path + "/work", options)
        let run = Self.code {
            _ = try NightlyRun(options: options, progress: Progress()).perform()
        }
        #expect(run == .knownFileMissing)
        let edit = Self.code {
            _ = try Reclassification(options: options, plan: nil, progress: Progress()).perform()
        }
        #expect(edit == .notFound)
        let verify = Self.code {
            _ = try Verification(
                options: options,
                generation: nil,
                scratch: nil,
                progress: Progress()
            ).perform()
        }
        #expect(verify == .knownFileMissing)
        let queries = MartQueries(martPath: options.martPath, keyPath: options.keyPath)
        #expect(throws: MartError.self) { try queries.trips(TripFilter(), limit: 1) }
        #expect(throws: MartError.self) { try queries.explain("T-1") }
        #expect(try queries.kpi(KPIQuery(), asPublished: nil).table.total.sums.trips > 0)
    }

    @Test func totalsAreComparedWhereOneSideHasNoTrips() throws {
        var history = try RandomHistory(seed: 8)
        let options = history.night.options {
            $0.martPath = history.night.path + "/other"
            $0.appliesChanges = true
        }
        for generation in 1...2 {
            for _ in 0..<3 { _ = try history.step() }
            let work = history.night.path + "/work\(generation)"
            try Self.write(DividedRun(options, partCount: 2), to: work)
            #expect(try Self.imported(work, options).generation == generation)
        }
        func difference(saved: Bool = false) throws -> DifferenceAnswer {
            try Difference(
                options: options,
                query: KPIQuery(by: [.month]),
                scratch: nil,
                isSaved: saved,
                progress: Progress()
            ).answer(nil, nil)
        }
        let answer = try difference()
        #expect(answer.withoutTrips != nil && !answer.table.groups.isEmpty)
        let folder = MartFolder(path: options.martPath)
        for (index, number) in [1, 2].enumerated() {
            let rows = try ServedMart.open(folder, generation: number)
                .kpi(KPIQuery(by: [.month])).rows
            for group in answer.table.groups {
                let sums = rows.first { $0.keys == group.keys }?.sums ?? KPISums()
                #expect((index == 0 ? group.start : group.end) == sums)
                #expect(group.parts.map(\.cause.kind) == [.totals])
            }
        }
        #expect(throws: MartError.self) { try difference(saved: true) }
        // The earlier generation is gone back to, although its exports are in no archive.
        let back = try Rollback(
            options: options,
            to: 1,
            progress: Progress(),
            announce: { _ in }
        ).perform()
        #expect(back.generation == 3 && back.contentOf == 1)
        #expect(try ServedMart.open(folder).location?.uri == Self.uri)
    }

    @Test func placesWithASecretAreRefused() throws {
        for uri in ["", "s3://key:secret@bucket/trips", "a\nb", "/no/such/folder"] {
            let source = CubeImport.Source(planPath: "p", resultsPath: "r", trips: uri)
            #expect(throws: RunError.self, "\(uri)") { try source.check() }
        }
        for uri in ["s3://bucket/a@b", "hdfs://name/trips", "/tmp"] {
            try CubeImport.Source(planPath: "p", resultsPath: "r", trips: uri).check()
        }
    }
}
