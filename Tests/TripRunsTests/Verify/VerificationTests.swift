import Foundation
import TestSupport
import Testing
import TripDomain

@testable import TripMart
@testable import TripRuns

/// Generations rebuilt from their inputs, and found different where they were altered.
@Suite struct VerificationTests {
    static func verify(
        _ night: RunFolder,
        _ generation: Int? = nil,
        scratch: String? = nil,
        threads: Int = 2
    ) throws -> VerificationReport {
        try Verification(
            options: night.options { $0.threadCount = threads },
            generation: generation,
            scratch: scratch,
            progress: Progress()
        ).perform()
    }

    /// The differences found, one line each.
    static func faults(_ report: VerificationReport) -> [String] {
        report.damage
            + report.files.flatMap { file in
                file.tables.filter { !$0.isEqual }.map { "\(file.file) \($0)" }
            }
    }

    /// After any history of a mart, each of its generations equals what its exports and inputs
    /// give.
    @Test(arguments: seeds(0...24))
    func anyHistoryVerifies(group: Int) throws {
        for member in 0..<8 {
            let seed = UInt64(8 * group + member)
            var history = try RandomHistory(seed: seed)
            var steps: [RandomHistory.Step] = []
            for _ in 0..<6 { steps.append(try history.step()) }
            let served = Self.faults(try Self.verify(history.night))
            #expect(served.isEmpty, "seed \(seed), \(steps): \(served)")
            let older = try history.anyGeneration()
            let found = Self.faults(try Self.verify(history.night, older))
            #expect(found.isEmpty, "seed \(seed), \(steps), generation \(older): \(found)")
        }
    }

    /// Any alteration of the file is found, and its table is named.
    @Test(arguments: [
        ("kpi_cube", "UPDATE kpi_cube SET cost_cents = cost_cents + 1 WHERE region = '04'"),
        ("kpi_basis", "DELETE FROM kpi_basis WHERE month = 'all'"),
        ("trip_row", "UPDATE trip_row SET counted = 0 WHERE trip_number = 1"),
        ("trip", "UPDATE trip_row SET trip_id = 'x' WHERE trip_number = 1"),
        ("trip_row", "UPDATE trip_row SET trip_type = NULL"),
        ("trip", "DELETE FROM trip_row WHERE trip_number = 2"),
        ("trip", "UPDATE text_value SET value = value || 'x' WHERE code = 1"),
        (
            "patient",
            "DELETE FROM patient WHERE patient_ref = (SELECT max(patient_ref) FROM patient)"
        ),
        ("patient", "UPDATE patient SET sealed = zeroblob(40)"),
        ("reject", "UPDATE reject SET reason = 'x'"),
        ("reject", "UPDATE reject SET sealed_text = zeroblob(40)"),
        ("ledger", "UPDATE ledger SET items = items + 1"),
        ("rule", "UPDATE rule SET because = 'x'"),
        ("generation", "UPDATE generation SET data_through = '2026-12-31'"),
        ("generation_input", "UPDATE generation_input SET content = 'x'"),
        ("source_file", "UPDATE source_file SET record_count = 1"),
        ("meta", "UPDATE meta SET value = '1' WHERE key = 'synthetic'"),
        ("reference_vehicle", "UPDATE reference_vehicle SET owner = 'x'"),
        ("bridge", "DROP TABLE bridge"),
        ("trip_row", renumbering),
        (
            "sqlite_schema",
            "DROP VIEW kpi_month; CREATE VIEW kpi_month AS SELECT 99 AS in_house_pct"
        ),
        ("sqlite_schema", "CREATE TRIGGER t AFTER UPDATE ON meta BEGIN SELECT 1; END"),
        ("sqlite_schema", "DROP INDEX reject_trip_id"),
        ("added", "CREATE TABLE added(number INTEGER PRIMARY KEY)"),
    ])
    func anAlterationIsFound(table: String, sql: String) throws {
        let night = try RandomHistory(seed: 7).night
        #expect(Self.faults(try Self.verify(night)).isEmpty)
        let path = MartFolder(path: night.options().martPath).generationPath(1)
        try SQLiteDump.execute(path, sql, keepsSums: true)
        #expect(try !Self.verify(night).damage.isEmpty)
        // An attacker who alters a number can also alter the sums.
        try SumFile.renew(for: path)
        for threads in [1, 3] {
            let report = try Self.verify(night, threads: threads)
            #expect(report.status == .verifyMismatch)
            let tables = report.files[0].tables.filter { !$0.isEqual }.map(\.table)
            #expect(tables.contains(table), "\(tables)")
            #expect(report.files[1...].allSatisfy { $0.tables.allSatisfy(\.isEqual) })
        }
    }

    /// Two trips exchange their numbers.
    private static let renumbering = """
        UPDATE trip_row SET trip_number = -1 WHERE trip_number = 1;
        UPDATE trip_row SET trip_number = 1 WHERE trip_number = 2;
        UPDATE trip_row SET trip_number = 2 WHERE trip_number = -1;
        """

    /// The marks and pages of the other files of the generation are checked as well.
    @Test func filesBesideTheGenerationAreChecked() throws {
        let night = try RandomHistory(seed: 7).night
        let folder = MartFolder(path: night.options().martPath)
        for path in [folder.historyPath(1), folder.kpiPath(1)] {
            let whole = try FileSystem.readAll(path)
            func restore() throws { try Data(whole).write(to: URL(fileURLWithPath: path)) }
            try SQLiteDump.execute(path, "PRAGMA user_version = 2", keepsSums: true)
            let marked = try Self.verify(night)
            #expect(marked.unequalCount == 1 && marked.status == .verifyMismatch)
            var cut = whole
            cut.removeLast(cut.count / 2)
            try Data(cut).write(to: URL(fileURLWithPath: path))
            #expect(try Self.verify(night).status == .verifyMismatch)
            try FileManager.default.removeItem(atPath: path)
            let missing = try Self.verify(night, 1)
            #expect(!missing.damage.isEmpty && missing.status == .verifyMismatch)
            try restore()
        }
        #expect(try Self.verify(night).status == .published)
    }

    /// Wrong inputs in history are not used where the generation's own file is intact.
    @Test func anIntactGenerationTakesPrecedenceOverHistory() throws {
        let night = try RandomHistory(seed: 7).night
        let path = MartFolder(path: night.options().martPath).historyPath(1)
        for sql in ["DROP TABLE source_file", "UPDATE generation SET number = 7, synthetic = 1"] {
            let whole = try FileSystem.readAll(path)
            try SQLiteDump.execute(path, sql, keepsSums: true)
            let report = try Self.verify(night)
            #expect(report.number == 1)
            let unequal = report.files.map { file in file.tables.count { !$0.isEqual } }
            #expect(unequal[0] == 0 && unequal[1] > 0)
            try Data(whole).write(to: URL(fileURLWithPath: path))
        }
    }

    /// Only a run may remove a generation, and never the served one.
    @Test func aMissingServedGenerationIsDamage() throws {
        let night = try RandomHistory(seed: 7).night
        let folder = MartFolder(path: night.options().martPath)
        try FileManager.default.removeItem(atPath: folder.generationPath(1))
        let report = try Self.verify(night)
        #expect(report.status == .verifyMismatch && report.unequalCount == 0)
        #expect(report.damage.count == 1)
        // The findings are reported even where the rest cannot be checked.
        let file = try #require(try PublishedCube.open(folder, generation: 1).files().first)
        let archived = try #require(Archive(folder).path(hash: file.archiveHash))
        try FileManager.default.removeItem(atPath: archived)
        let failure = #expect(throws: Failure.self) { try Self.verify(night) }
        #expect(failure?.status == .missingFile)
        #expect(failure?.what.first == report.damage.first)
    }

    /// The next run removes the files of a killed verification.
    @Test func aRunRemovesTheFilesOfAKilledVerification() throws {
        let night = try RandomHistory(seed: 5).night
        let folder = MartFolder(path: night.options().martPath)
        let left = folder.scratchPath + "/generations/.building-9.sqlite"
        try FileManager.default.createDirectory(
            atPath: folder.scratchPath + "/generations",
            withIntermediateDirectories: true
        )
        try Data("half".utf8).write(to: URL(fileURLWithPath: left))
        let other = try ScratchMart(path: folder.scratchPath, command: "verify", now: 0)
        try Data("half".utf8).write(to: URL(fileURLWithPath: left))
        try night.run()
        #expect(FileSystem.exists(left))
        other.remove()
        try Data("half".utf8).write(to: URL(fileURLWithPath: left))
        try night.run()
        #expect(!FileSystem.exists(left))
    }

    /// Limits on new exports, taken from a folder whose other edits are held, do not apply to known
    /// exports.
    @Test func limitsOfTheFolderDoNotApplyToKnownExports() throws {
        let night = try RunFolder()
        let limited = RunPipeline.text().replacing(
            "replaces: same_path",
            with: "replaces: same_path, limits: {ratio: 2000}"
        )
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        try night.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try night.run()
        try night.write(
            "pipeline/pipeline.yaml",
            limited.replacing("basis: contract", with: "basis: other")
        )
        // Blank lines compress from many bytes to very few.
        let blanks = String(repeating: "\n", count: 18 << 20)
        let text = RunPipeline.header + RunPipeline.line(2) + blanks
        try night.write("in/trips_2.csv.gz", try GzipText.compressed(Array(text.utf8)))
        let report = try night.run()
        try #require(report.refused.isEmpty && report.newFileCount == 1 && !report.held.isEmpty)
        #expect(Self.faults(try Self.verify(night)).isEmpty)
    }

    /// The time, the user and the program of a run are not compared.
    @Test func valuesThatDifferByRunAreNotCompared() throws {
        let night = try RandomHistory(seed: 7).night
        let folder = MartFolder(path: night.options().martPath)
        try SQLiteDump.execute(
            folder.historyPath(1),
            """
            UPDATE generation SET published_at = 'x', stale_after = 'x';
            UPDATE meta SET value = 'x' WHERE key = 'program_version';
            UPDATE source SET expects = 'x', last_arrival_at = 'x', awaited_since = 'x';
            DELETE FROM check_result;
            """
        )
        #expect(try Self.faults(Self.verify(night)).isEmpty)
    }

    /// Of a generation without trips, the files that are kept for good are compared.
    @Test func aPrunedGenerationIsVerifiedByItsNumbers() throws {
        let night = try RandomHistory(seed: 3).night
        let folder = MartFolder(path: night.options().martPath)
        try night.run { $0.isFull = true }
        let now = Int64(Date().timeIntervalSince1970) + 10
        try Retention.apply(to: folder, keep: 1, now: now, minimumAgeSeconds: 0)
        let report = try Self.verify(night, 1)
        #expect(!report.keepsTrips && report.files.count == 1 && report.trips > 0)
        #expect(report.status == .published)
        try SQLiteDump.execute(folder.historyPath(1), "UPDATE kpi_cube SET trips = trips + 1")
        let altered = try Self.verify(night, 1)
        #expect(altered.files[0].tables.filter { !$0.isEqual }.map(\.table) == ["kpi_cube"])
        let samples = try #require(altered.files[0].tables.first { !$0.isEqual }).samples
        #expect(samples.first?.contains("(rebuilt ") == true)
    }

    /// The rebuilt files are removed, in any folder.
    @Test func verificationLeavesNoFilesBehind() throws {
        let night = try RandomHistory(seed: 5).night
        let folder = MartFolder(path: night.options().martPath)
        let before = try FileSystem.readAll(folder.generationPath(1))
        let left = folder.scratchPath + "/generations/.building-9.sqlite"
        try FileManager.default.createDirectory(
            atPath: folder.scratchPath + "/generations",
            withIntermediateDirectories: true
        )
        try Data("half".utf8).write(to: URL(fileURLWithPath: left))
        for scratch in [nil, night.path + "/elsewhere"] {
            #expect(try Self.verify(night, scratch: scratch).status == .published)
            let place = scratch.map { $0 + "/triptych-verify" } ?? folder.scratchPath
            #expect(try FileSystem.names(in: place + "/generations").isEmpty)
            #expect(try FileSystem.names(in: place + "/history").isEmpty)
        }
        #expect(try FileSystem.readAll(folder.generationPath(1)) == before)
        #expect(try folder.generationNumbers() == [1])
    }

    @Test func twoVerificationsDoNotShareAFolder() throws {
        let night = try RandomHistory(seed: 5).night
        let path = MartFolder(path: night.options().martPath).scratchPath
        let other = try ScratchMart(path: path, command: "verify", now: 0)
        let error = #expect(throws: MartError.self) { try Self.verify(night) }
        #expect(error?.code == .locked)
        other.remove()
        #expect(try Self.verify(night).status == .published)
    }

    /// While a run has locked the mart, the served generation can be verified.
    @Test func aLockedMartCanBeVerified() throws {
        let night = try RandomHistory(seed: 5).night
        let folder = MartFolder(path: night.options().martPath)
        let lock = try MartLock.acquire(folder, command: "run", now: 0)
        #expect(try Self.verify(night).status == .published)
        lock.release()
    }

    @Test func generationsThatCannotBeRebuiltAreRefused() throws {
        let night = try RandomHistory(seed: 5).night
        let folder = MartFolder(path: night.options().martPath)
        func code(_ generation: Int? = nil) -> RunError.Code? {
            #expect(throws: RunError.self) { try Self.verify(night, generation) }?.code
        }
        #expect(code(8) == .notFound)
        let file = try #require(try ServedMart.open(folder).files().first)
        let path = try #require(Archive(folder).path(hash: file.archiveHash))
        let bytes = try FileSystem.readAll(path)
        try Data(bytes + Array("T-1,1/1/2026 8:00,04,BLS,1.00,U1,P1\n".utf8))
            .write(to: URL(fileURLWithPath: path))
        #expect(code() == .ioFailed)
        try FileManager.default.removeItem(atPath: path)
        #expect(code() == .knownFileMissing)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try Self.verify(night).status == .published)
        try FileManager.default.removeItem(atPath: night.options().keyFilePath)
        let error = #expect(throws: MartError.self) { try Self.verify(night) }
        #expect(error?.code == .keyMissing)
    }

    /// A generation and an altered copy of it.
    private static func altered(_ folder: ChangeFolder, _ sql: String) throws -> FileComparing {
        let mart = MartFolder(path: folder.options.martPath)
        let keys = try #require(
            try MartKeys.open(keyFile: folder.options.keyFilePath, for: mart)
        )
        let other = folder.night.path + "/other.sqlite"
        try FileManager.default.copyItem(atPath: mart.generationPath(1), toPath: other)
        try SQLiteDump.execute(other, sql)
        return FileComparing(other, mart.generationPath(1), keys: keys, threadCount: 2)
    }

    /// Rows are compared in parts, and no division loses one.
    @Test(arguments: [1, 2, 5, 1000])
    func comparingInPartsLosesNoRow(partSize: Int) throws {
        let folder = try ChangeFolder(seed: 4, trips: 150)
        var comparing = try Self.altered(
            folder,
            """
            UPDATE trip_row SET record_number = record_number + 1 WHERE trip_number % 7 = 0;
            DELETE FROM patient WHERE patient_ref IN (SELECT patient_ref FROM patient LIMIT 3);
            """
        )
        comparing.partSize = partSize
        let found = try comparing.tables()
        let trips = try #require(found.first { $0.table == "trip_row" })
        let count = try folder.served.ledger()[.accepted].items
        #expect(trips.published == count && trips.rebuilt == count)
        #expect(trips.different == count / 7 && trips.columns == ["record_number"])
        #expect(trips.samples.count == 5)
        let patients = try #require(found.first { $0.table == "patient" })
        #expect(patients.missing == 3 && patients.published + 3 == patients.rebuilt)
        #expect(found.filter { !$0.isEqual }.count == 2)
    }

    /// A missing trip shifts the numbers of all others, and an added text the codes: neither hides
    /// differences.
    @Test func tripsAreComparedByIDWhereNumbersShift() throws {
        let folder = try ChangeFolder(seed: 4, trips: 150)
        let comparing = try Self.altered(
            folder,
            """
            DELETE FROM trip_row WHERE trip_number = 3;
            UPDATE trip_row SET trip_number = trip_number - 1 WHERE trip_number > 3;
            UPDATE trip_row SET line_number = 0 WHERE trip_number = 20;
            INSERT INTO text_value VALUES((SELECT max(code) + 1 FROM text_value), 'unused');
            """
        )
        let found = try comparing.tables()
        let trips = try #require(found.first { $0.table == "trip" })
        #expect(trips.missing == 1 && trips.extra == 0 && trips.different == 1)
        #expect(trips.columns == ["line_number"])
        #expect(!found.contains { $0.table == "trip_row" })
        #expect(try #require(found.first { $0.table == "text_value" }).extra == 1)
    }
}
