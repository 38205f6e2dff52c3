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
    static func write(_ run: DividedRun, to folder: String) throws {
        try? FileManager.default.removeItem(atPath: folder + "/results")
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
            try write(part.sums.cells.flatMap(\.text), "results/" + ShardResults.cellsName(index))
        }
    }

    static func imported(
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
        try Self.write(run, to: night.path + "/job")
        do {
            _ = try NightlyRun(options: native, progress: Progress()).perform()
        } catch let failure as Failure {
            // What one machine withholds is not imported either.
            let refused = #expect(throws: Failure.self) {
                try Self.imported(night.path + "/job", options)
            }
            #expect(refused?.status == failure.status && refused?.summary == failure.summary)
            return
        }
        let report = try Self.imported(night.path + "/job", options)
        #expect(report.outcome == .published && report.tripsAt == Self.uri)
        #expect(try Self.numbers(other) == Self.numbers(one))
        let served = try ServedMart.open(MartFolder(path: other))
        let lain = try #require(served.location)
        #expect(lain.uri == Self.uri && lain.trips == report.trips)
        // What is served already is not published again.
        #expect(try Self.imported(night.path + "/job", options).outcome == .nothingDue)
        #expect(try MartFolder(path: other).servedNumber() == 1)
        // Trips at another place are another import, and the plan is outdated by then.
        let moved = Self.code {
            _ = try Self.imported(night.path + "/job", options, at: "s3://other")
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
        try Self.write(run, to: folder.path + "/job")
        _ = try NightlyRun(options: options("one"), progress: Progress()).perform()
        _ = try Self.imported(folder.path + "/job", options("other"))
        #expect(
            try Self.numbers(folder.path + "/other") == Self.numbers(folder.path + "/one")
        )
    }

    /// What is looked at is the file as a whole: no trip of it shows these.
    @Test(arguments: ["built-in-cut", "built-in-contents"])
    func whatTheChecksSayOfWholeFilesIsImported(check: String) throws {
        let folder = try RunFolder()
        let text = RunPipeline.header + RunPipeline.line(1) + RunPipeline.line(2)
        var pipeline = RunPipeline.text() + RunPipeline.lenient
        if check == "built-in-contents" {
            let place = "trip_id: {source_position: true}"
            pipeline = pipeline.replacing("trip_id: Trip Number", with: place)
            #expect(pipeline.contains(place))
        }
        try folder.write("pipeline/pipeline.yaml", pipeline)
        for number in 1...3 {
            // The second one has lost its last characters.
            let isCut = check == "built-in-cut" && number == 2
            try folder.write("in/trips_\(number).csv", String(text.dropLast(isCut ? 2 : 0)))
        }
        func options(_ mart: String) -> RunOptions {
            folder.options { $0.martPath = folder.path + "/" + mart }
        }
        try Self.write(DividedRun(options("other"), partCount: 2), to: folder.path + "/job")
        let native = try NightlyRun(options: options("one"), progress: Progress()).perform()
        let report = try Self.imported(folder.path + "/job", options("other"))
        #expect(report.checks.contains { $0.id == check })
        #expect(report.status == native.status)
        #expect(
            try Self.numbers(folder.path + "/other") == Self.numbers(folder.path + "/one")
        )
    }

    /// A folder with a divided run of a few trips.
    private static func divided() throws -> (RunFolder, RunOptions) {
        let history = try RandomHistory(seed: 3)
        let options = history.night.options { $0.martPath = history.night.path + "/other" }
        try write(DividedRun(options, partCount: 2), to: history.night.path + "/job")
        return (history.night, options)
    }

    @Test func whatIsMissingOrThereTwiceIsFound() throws {
        let (night, options) = try Self.divided()
        let work = night.path + "/job"
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
        // A part that was lost, and one that is there twice, under its number or another.
        #expect(
            try refused {
                try remove(ShardResults.partReportName(1))
                try remove(ShardResults.cellsName(1))
            } == .noUsableInput
        )
        for number in [2, .max] {
            #expect(
                try refused {
                    try copy(ShardResults.partReportName(1), ShardResults.partReportName(number))
                    try copy(ShardResults.cellsName(1), ShardResults.cellsName(number))
                } == .noUsableInput
            )
        }
        #expect(
            try refused {
                try remove(ShardResults.partReportName(1))
                try remove(ShardResults.cellsName(1))
                try copy(ShardResults.partReportName(0), ShardResults.partReportName(1))
                try copy(ShardResults.cellsName(0), ShardResults.cellsName(1))
            } == .noUsableInput
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
        let work = history.night.path + "/job"
        let plan = try DividedRun(options, partCount: 1)
        try Self.write(plan, to: work)
        let one = try ImportedResults(plan: work + "/plan.json", folder: work + "/results").hash
        try FileManager.default.removeItem(atPath: work)
        try Self.write(DividedRun(options, partCount: 5, seed: 9), to: work)
        let other = try ImportedResults(plan: work + "/plan.json", folder: work + "/results").hash
        #expect(one == other)
    }

    /// Two marts with one key file and generations of one number.
    @Test func aPlanOfAnotherMartIsRefused() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text() + RunPipeline.lenient)
        func options(_ mart: String) -> RunOptions {
            folder.options {
                $0.martPath = folder.path + "/" + mart
                $0.keyPath = folder.path + "/key"
            }
        }
        func divided(_ mart: String) throws -> DividedRun {
            let run = try DividedRun(options(mart), partCount: 1)
            try Self.write(run, to: folder.path + "/job")
            return run
        }
        for (number, mart) in ["one", "other"].enumerated() {
            try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1 + number))
            _ = try divided(mart)
            _ = try Self.imported(folder.path + "/job", options(mart))
        }
        let plan = try divided("one").setting.plan
        #expect(plan.served?.generation == 1)
        let refused = Self.code { _ = try Self.imported(folder.path + "/job", options("other")) }
        #expect(refused == .planMismatch)
        #expect(try Self.imported(folder.path + "/job", options("one")).generation == 2)
    }

    @Test func aDryRunWritesNothing() throws {
        let (night, options) = try Self.divided()
        var dry = options
        dry.isDryRun = true
        let report = try Self.imported(night.path + "/job", dry)
        #expect(report.outcome == .dryRun && report.trips > 0)
        #expect(!FileManager.default.fileExists(atPath: options.martPath + "/generations"))
    }

    @Test func whatNeedsExportsOrTripsSaysWhereTheyLie() throws {
        let (night, options) = try Self.divided()
        _ = try Self.imported(night.path + "/job", options)
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
        for _ in 0..<3 { _ = try history.step() }
        for generation in 1...2 {
            if generation == 2 {
                try history.night.write("in/trips_98.csv", RandomHistory.file(of: 60..<70))
            }
            let work = history.night.path + "/job\(generation)"
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
