import Foundation
import Testing
import TripDomain
import TripMart
import TripReports

@testable import TripRules
@testable import TripRuns

/// The result of a reclassification, compared with that of a run over all exports.
@Suite struct ReclassificationTests {
    /// Every table of a generation and of `kpi.sqlite`, without its number and without values
    /// sealed with random nonces.
    private static func dump(_ mart: String) throws -> [String] {
        let folder = MartFolder(path: mart)
        let number = try #require(try folder.servedNumber())
        return try [
            folder.generationPath(number), folder.historyPath(number), folder.kpiPath(number),
        ].flatMap { path in
            try SQLiteDump.lines(path, excluding: []).map { "\(path.suffix(10)) \($0)" }
        }
    }

    /// The schema as SQLite keeps it, root pages left out.
    private static func schema(_ mart: String) throws -> [String] {
        let folder = MartFolder(path: mart)
        let number = try #require(try folder.servedNumber())
        return try SQLiteDump.query(
            folder.generationPath(number),
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
        )
    }

    private static func reclassify(
        _ folder: ChangeFolder,
        plan: ApprovedPlan? = nil,
        _ adjust: (inout RunOptions) -> Void = { _ in }
    ) throws -> RunReport {
        let options = folder.night.options(adjust)
        return try Reclassification(
            options: options,
            plan: plan,
            progress: Progress()
        ).perform()
    }

    /// A copy of the mart.
    private static func copy(_ folder: ChangeFolder, _ name: String) throws -> String {
        let copy = folder.night.path + "/" + name
        for suffix in ["", ".key"] {
            try FileManager.default.copyItem(
                atPath: folder.options.martPath + suffix,
                toPath: copy + suffix
            )
        }
        return copy
    }

    /// Runs over all exports with the edited folder, in a copy of the mart as it was.
    private static func readAgain(_ folder: ChangeFolder) throws -> String {
        let copy = try copy(folder, "full")
        try folder.night.run {
            $0.martPath = copy
            $0.appliesChanges = true
        }
        return copy
    }

    @Test(arguments: SampleEdit.allCases.filter { $0 != .nothing })
    func anEditGivesTheSameTablesAsAFullRun(edit: SampleEdit) throws {
        let folder = try ChangeFolder(seed: 21, trips: 400)
        try edit.make(folder)
        let full = try Self.readAgain(folder)
        let report = try Self.reclassify(folder)
        #expect(report.outcome == .published)
        #expect(report.generation == 2)
        let mart = folder.options.martPath
        #expect(try Self.schema(mart) == Self.schema(full))
        let (own, other) = (try Self.dump(mart), try Self.dump(full))
        #expect(Set(own).symmetricDifference(other).sorted().prefix(6) == [])
        #expect(own == other)
        let path = try folder.served.file.path
        #expect(try SQLiteDump.query(path, "PRAGMA integrity_check") == ["ok"])
        #expect(try SQLiteDump.query(path, "PRAGMA foreign_key_check").isEmpty)
        #expect(try Self.patients(1, folder) == Self.patients(2, folder))
        #expect(try report.reclassified == Self.changed(folder))
    }

    /// The number of trips whose decisions differ between the first two generations.
    private static func changed(_ folder: ChangeFolder) throws -> Int64 {
        let decided = try [1, 2].map { number in
            try SQLiteDump.query(
                MartFolder(path: folder.options.martPath).generationPath(number),
                "SELECT rule, class, basis, counted FROM trip ORDER BY trip_number"
            )
        }
        return Int64(zip(decided[0], decided[1]).count { $0 != $1 })
    }

    /// Sealed values are copied, not sealed again.
    private static func patients(_ number: Int, _ folder: ChangeFolder) throws -> [String] {
        try SQLiteDump.query(
            MartFolder(path: folder.options.martPath).generationPath(number),
            "SELECT patient_ref, hex(sealed) FROM patient"
        )
    }

    @Test func otherRecordsAreCopiedUnchanged() throws {
        let folder = try ChangeFolder(seed: 22, hasFaults: true)
        try SampleEdit.regions.make(folder)
        let full = try Self.readAgain(folder)
        _ = try Self.reclassify(folder)
        // The checks of a run also cover records that are no longer in force.
        func others(_ lines: [String]) -> [String] { lines.filter { !$0.contains("check_result") } }
        let mart = folder.options.martPath
        let lines = try others(Self.dump(mart))
        #expect(lines.contains { $0.contains("trip_version:") })
        #expect(lines.contains { $0.contains("reject:") })
        #expect(try lines == others(Self.dump(full)))
    }

    @Test func threadsChangeNothing() throws {
        let folder = try ChangeFolder(seed: 23, trips: 300)
        try SampleEdit.regions.make(folder)
        var dumps: Set<[String]> = []
        for threads in [1, 2, 8] {
            let mart = try Self.copy(folder, "threads-\(threads)")
            _ = try Self.reclassify(folder) {
                $0.martPath = mart
                $0.threadCount = threads
            }
            dumps.insert(try Self.dump(mart))
        }
        #expect(dumps.count == 1)
    }

    /// An edit followed by its reversal gives the original state.
    @Test func anEditAndItsReversalGiveTheOriginal() throws {
        let folder = try ChangeFolder(seed: 24, trips: 300)
        func trips() throws -> [String] {
            let path = try folder.served.file.path
            return try SQLiteDump.lines(
                path,
                excluding: ["generation", "generation_input", "check_result"]
            )
        }
        let before = try trips()
        let stations = try folder.text("reference/stations.csv")
        try SampleEdit.regions.make(folder)
        _ = try Self.reclassify(folder)
        #expect(try trips() != before)
        try folder.night.write("reference/stations.csv", stations)
        _ = try Self.reclassify(folder)
        #expect(try trips() == before)
        #expect(try folder.served.header.number == 3)
        // The next run continues from there.
        #expect(try folder.night.run().outcome == .nothingDue)
        #expect(try folder.night.run { $0.isFull = true }.outcome == .published)
        #expect(try trips() == before)
    }

    @Test func withoutAnEditNothingIsPublished() throws {
        let folder = try ChangeFolder(seed: 25, trips: 100)
        let report = try Self.reclassify(folder)
        #expect(report.outcome == .nothingDue)
        #expect(try folder.served.header.number == 1)
        #expect(RunScreen(report).summary.contains("no edit"))
    }

    @Test func onlyTheApprovedPlanIsPublished() throws {
        let folder = try ChangeFolder(seed: 26, trips: 200)
        try SampleEdit.basis.make(folder)
        let plan = try Planning(options: folder.options, progress: Progress())
            .answerToPublish()
        try SampleEdit.vehicles.make(folder)
        let error = #expect(throws: RunError.self) {
            try Self.reclassify(folder, plan: .shown(plan.id))
        }
        #expect(error.map { Failure($0).status } == .planMismatch)
        #expect(try folder.served.header.number == 1)
        let now = try Planning(options: folder.options, progress: Progress())
            .answerToPublish()
        #expect(try Self.reclassify(folder, plan: .shown(now.id)).generation == 2)
    }

    @Test func aFailedCheckWithholdsAReclassification() throws {
        let folder = try ChangeFolder(seed: 27, trips: 200)
        try SampleEdit.basis.make(folder)
        try folder.replace(
            "pipeline/pipeline.yaml",
            "undetermined_pct > 1.5",
            "undetermined_pct >= 0"
        )
        try folder.replace(
            "pipeline/pipeline.yaml",
            "id: undetermined, warn_if",
            "id: undetermined, error_if"
        )
        let failure = #expect(throws: Failure.self) { try Self.reclassify(folder) }
        #expect(failure?.status == .withheld)
        #expect(try folder.served.header.number == 1)
    }

    @Test func editsThatNeedTheExportsAreRefused() throws {
        let folder = try ChangeFolder(seed: 28, trips: 100)
        try folder.replace("pipeline/pipeline.yaml", "America/New_York", "America/Chicago")
        let error = #expect(throws: RunError.self) { try Self.reclassify(folder) }
        #expect(error?.remedies.contains { $0.contains("--full --apply-changes") } == true)
        #expect(try folder.served.header.number == 1)
    }

    /// Nothing is copied from a served file that is not as it was published.
    @Test func aDamagedGenerationIsRefused() throws {
        let folder = try ChangeFolder(seed: 29, trips: 100)
        try SampleEdit.basis.make(folder)
        try SQLiteDump.execute(
            folder.served.file.path,
            "UPDATE trip_row SET paid_cents = 7 WHERE trip_number = 5",
            keepsSums: true
        )
        let error = #expect(throws: RunError.self) { try Self.reclassify(folder) }
        #expect(error?.remedies.contains { $0.contains("--full") } == true)
        #expect(try MartFolder(path: folder.options.martPath).servedNumber() == 1)
    }
}
