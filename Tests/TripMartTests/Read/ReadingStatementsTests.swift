import CSQLite
import Testing
import TripDomain

@testable import TripMart

@Suite struct ReadingStatementsTests {
    /// A published generation, opened as commands and the server open it.
    private static func file() throws -> (mart: BuiltMart, file: MartFile) {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        return (mart, try MartFile(path: mart.folder.generationPath(1)))
    }

    @Test(arguments: [
        "ATTACH 'other.sqlite' AS other", "ATTACH '' AS other", "DETACH main",
        "VACUUM INTO 'copy.sqlite'",
        "PRAGMA writable_schema = 1", "PRAGMA trusted_schema = 1", "PRAGMA user_version = 7",
        "PRAGMA application_id(7)", "PRAGMA table_info(trip)", "PRAGMA integrity_check",
        "SELECT load_extension('x')", "SELECT randomblob(1000000000)",
        "SELECT zeroblob(1000000000)",
        "SELECT hex(number) FROM generation", "SELECT sqlite_version()",
        "SELECT fts3_tokenizer('x')",
        "SELECT * FROM pragma_table_info('trip')", "SELECT * FROM generate_series(1, 9)",
        "INSERT INTO meta VALUES ('key', 'value')", "UPDATE generation SET number = 7",
        "DELETE FROM kpi_cube",
        "CREATE TABLE other(x)", "CREATE TEMP TABLE other(x)", "CREATE TEMP VIEW other AS SELECT 1",
        "CREATE VIRTUAL TABLE other USING fts5(x)", "DROP TABLE trip",
        "ALTER TABLE meta RENAME TO other",
        "REINDEX", "ANALYZE", "BEGIN", "COMMIT", "SAVEPOINT here",
    ])
    func otherStatementsAreRefused(_ statement: String) throws {
        let (_, file) = try Self.file()
        #expect(throws: MartError.self) { try file.rows(statement) { _ in true } }
        #expect(try file.header().number == 1)
    }

    @Test func aReadingStatementIsPrepared() throws {
        let (_, file) = try Self.file()
        let counts = try file.rows(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
            SELECT sum(i) FROM n
            """
        ) { try $0[0] as Int64 }
        #expect(counts == [6])
        #expect(
            try file.rows("PRAGMA user_version") { try $0[0] as Int64 } == [
                GenerationSchema.version
            ]
        )
    }
}
