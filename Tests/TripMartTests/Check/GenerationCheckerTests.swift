import TestSupport
import Testing
import TripDomain

@testable import TripMart

@Suite struct GenerationCheckerTests {
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func finishedFileAgreesWithTheRecordsRead(seed: UInt64) throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: seed, count: 1500))
        #expect(try GenerationChecker.check(built.path, includingIntegrity: true) == [])
    }

    @Test(arguments: [
        // A trip dropped, duplicated, with another cost, moved to another month, region, rule or
        // file.
        "DELETE FROM trip_row WHERE trip_number = 7",
        """
        INSERT INTO trip_row SELECT 100000, trip_id || 'x', pickup_at, pickup_at_utc, station,
            note, miles_hundredths, cost_cents, patient_ref, ratio, seen, ordered, status, region,
            trip_type, rule_number, counted, file_number, record_number, line_number
        FROM trip_row WHERE trip_number = 7
        """,
        "UPDATE trip_row SET cost_cents = coalesce(cost_cents, 0) + 1 WHERE trip_number = 7",
        "UPDATE trip_row SET pickup_at = pickup_at + 86400 * 40 WHERE counted AND trip_number < 20",
        "UPDATE trip_row SET region = (SELECT max(region) FROM trip_row) WHERE trip_number < 30",
        "UPDATE trip_row SET rule_number = (rule_number + 1) % 4 WHERE counted AND trip_number < 9",
        "UPDATE trip_row SET file_number = 5 WHERE trip_number = 7",
        "UPDATE trip_row SET counted = 1 - counted WHERE trip_number = 7",
        // A version or reject dropped or changed, a ledger line changed.
        "DELETE FROM trip_version WHERE trip_id = (SELECT min(trip_id) FROM trip_version)",
        "UPDATE trip_version SET term = 'superseded' WHERE term = 'duplicate'",
        "DELETE FROM reject WHERE number = 1",
        "UPDATE reject SET unpriced = 0",
        "UPDATE ledger SET cents = cents + 1 WHERE term = 'read' AND file_number = 2",
        "UPDATE ledger SET items = items - 1 WHERE term = 'withdrawn' AND items > 0",
        "UPDATE source_file SET status = 'current'",
        // A cell of the cube changed, dropped or invented.
        "UPDATE kpi_cube SET trips = trips + 1 WHERE month = 'all' AND region = '08'",
        "DELETE FROM kpi_cube WHERE month = 'all' AND region = '08' AND trip_type = 'all'",
        "UPDATE kpi_basis SET cost_cents = cost_cents - 1 WHERE basis = 'contract'",
        "DELETE FROM kpi_basis WHERE class = 'in_house' AND region = 'UNKNOWN'",
        "UPDATE bridge SET trips = trips + 1 WHERE status = 'cancelled' AND counted = 0",
    ])
    func everyFaultInTheFileIsFound(fault: String) throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 400))
        try BuiltMart.tamper(built.path, fault)
        expectFailure(.imbalance) { try GenerationChecker.require(built.path) }
    }

    @Test func missingIndexEntryIsFound() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 400))
        // An index made partial under the same name holds fewer entries than the table has rows.
        try BuiltMart.tamper(
            built.path,
            """
            DROP INDEX trip_row_type_region;
            CREATE TABLE other(trip_number INTEGER PRIMARY KEY, trip_type, region);
            CREATE INDEX other_index ON other(trip_type, region);
            INSERT INTO other SELECT trip_number, trip_type, region FROM trip_row
                WHERE trip_number <> 9;
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET tbl_name = 'trip_row', name = 'trip_row_type_region',
                sql = 'CREATE INDEX trip_row_type_region ON trip_row(trip_type, region)'
                WHERE name = 'other_index';
            DELETE FROM sqlite_schema WHERE name = 'other';
            """
        )
        expectFailure(.damaged) { try GenerationChecker.require(built.path) }
    }

    @Test func overwrittenPageIsFound() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 3000))
        let size = try FileSystem.status(built.path).size
        try FileDamage.overwrite(built.path, at: size / 2 / 8192 * 8192, count: 8192)
        #expect(throws: MartError.self) { try GenerationChecker.require(built.path) }
    }

    @Test func anUnusedPageIsFound() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 200))
        var bytes = try FileSystem.readAll(built.path)
        let pageCount = bytes.count / 8192 + 1
        bytes += [UInt8](repeating: 0, count: 8192)
        for index in 0..<4 {
            bytes[28 + index] = UInt8(truncatingIfNeeded: pageCount >> (24 - 8 * index))
        }
        let copy = built.path + ".longer"
        try FileSystem.writeNew(bytes, to: copy, mode: 0o600)
        let findings = try GenerationChecker.check(copy)
        #expect(findings.map(\.subject) == ["page structure"])
    }

    /// Deletions in a file leave pages that are listed as free, and cells with space between them.
    @Test func freePagesAreAccountedFor() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 200))
        try BuiltMart.tamper(
            built.path,
            """
            CREATE TABLE large(text);
            INSERT INTO large
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                SELECT hex(randomblob(500)) FROM n;
            DROP TABLE large;
            UPDATE trip_row SET note = NULL WHERE trip_number % 3 = 0;
            UPDATE trip_row SET note = note || note WHERE trip_number % 3 = 1;
            """
        )
        #expect(try BuiltMart.rows(built.path, "PRAGMA freelist_count")[0][0] != "0")
        #expect(try GenerationChecker.check(built.path) == [])
    }

    /// One of the ways in which a page may be damaged.
    private static func corrupted(_ page: [UInt8], _ random: inout SeededDice) -> [UInt8] {
        var page = page
        let offset = Int(random.next() % UInt64(page.count))
        switch random.next() % 6 {
        case 0: page[offset] ^= 1 << (random.next() % 8)
        case 1: page[offset] = UInt8(truncatingIfNeeded: random.next())
        case 2: page[Int(random.next() % 24)] &+= 1
        case 3: for index in offset..<min(offset + 16, page.count) { page[index] = 0 }
        case 4: page[8 + Int(random.next() % 64)] &+= UInt8(1 + random.next() % 4)
        default: page.swapAt(offset, Int(random.next() % UInt64(page.count)))
        }
        return page
    }

    @Test func everyDamageThatSQLiteFindsIsFound() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 900))
        let size = Int(try FileSystem.status(built.path).size)
        let copy = built.path + ".damaged"
        let bytes = try FileSystem.readAll(built.path)
        var random = SeededDice(seed: 1)
        var (seen, missed) = (0, 0)
        for _ in 0..<1000 {
            let start = Int(random.next() % UInt64(size / 8192)) * 8192
            var damaged = bytes
            damaged.replaceSubrange(
                start..<start + 8192,
                with: Self.corrupted(Array(bytes[start..<start + 8192]), &random)
            )
            try FileSystem.remove(copy)
            try FileSystem.writeNew(damaged, to: copy, mode: 0o600)
            guard try Self.isDamaged(copy) else { continue }
            seen += 1
            // A file that cannot be read is refused as well.
            let leafCount = seen % 2 == 0 ? 1 : 256
            let findings = try? GenerationChecker.check(copy, leafCount: leafCount)
            if let findings, findings.isEmpty { missed += 1 }
        }
        // Damage that SQLite does not find (a byte of a text, unused space) is left to the hash.
        #expect(seen > 300)
        #expect(missed == 0)
    }

    /// Values of another kind than their column's, and records with another end.
    @Test func everyBitOfARowThatSQLiteFindsIsFound() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 60))
        let copy = built.path + ".damaged"
        let bytes = try FileSystem.readAll(built.path)
        let root = try #require(
            try BuiltMart.rows(
                built.path,
                "SELECT rootpage FROM sqlite_schema WHERE name = 'trip_row'"
            ).first?[0].flatMap { Int($0) }
        )
        // The last leaf's cells, or the root's where it is the only page.
        var page = (root - 1) * 8192
        if bytes[page] == 5 {
            page = (bytes[page + 8..<page + 12].reduce(0) { $0 << 8 | Int($1) } - 1) * 8192
        }
        try #require(bytes[page] == 13)
        var (seen, missed) = (0, 0)
        for cell in 0..<3 {
            let pointer = page + 8 + 2 * cell
            let start = page + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
            for offset in start..<start + 30 {
                for bit in 0..<8 {
                    var damaged = bytes
                    damaged[offset] ^= 1 << bit
                    try FileSystem.remove(copy)
                    try FileSystem.writeNew(damaged, to: copy, mode: 0o600)
                    guard try Self.isDamaged(copy) else { continue }
                    seen += 1
                    // A file that cannot be read is refused as well.
                    let findings = try? GenerationChecker.check(copy)
                    if let findings, findings.isEmpty { missed += 1 }
                }
            }
        }
        #expect(seen > 100)
        #expect(missed == 0)
    }

    /// Whether SQLite's complete integrity check finds a fault in a file.
    private static func isDamaged(_ path: String) throws -> Bool {
        guard let rows = try? BuiltMart.rows(path, "PRAGMA integrity_check(1)") else { return true }
        return rows != [["ok"]]
    }

    @Test func otherNewerAndOlderFilesAreRefused() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 10))
        for (sql, code) in [
            ("PRAGMA application_id = 7", MartError.Code.foreignFile),
            ("PRAGMA application_id = 0x54727074; PRAGMA user_version = 3", .newerFile),
            ("PRAGMA user_version = 0", .olderFile),
        ] {
            try BuiltMart.tamper(built.path, sql)
            expectFailure(code) { _ = try GenerationChecker.check(built.path) }
            expectFailure(code) { _ = try ServedMart.open(path: built.path) }
        }
    }

    @Test func aFileWithoutTodaysSumsIsReadExceptForThem() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 6, count: 10))
        let views = try BuiltMart.rows(
            built.path,
            "SELECT name FROM sqlite_schema WHERE type = 'view' AND sql LIKE '%kpi_cube%'"
        ).compactMap { $0[0] }
        let drops = views.map { "DROP VIEW \($0);" }.joined()
        try BuiltMart.tamper(
            built.path,
            drops + "ALTER TABLE kpi_cube DROP COLUMN costed_miles_trips"
        )
        let older = try ServedMart.open(path: built.path)
        #expect(try older.ledger()[.accepted].items > 0)
        #expect(try !older.files().isEmpty)
        expectFailure(.olderFile) { _ = try older.cube() }
        let total = try older.kpi(KPIQuery()).total
        #expect(total.sums.trips > 0 && !total.known.contains(.costedMilesTrips))
    }
}
