import Foundation
import TestSupport
import Testing
import TripDomain

@testable import TripRules

/// The SQL of single expressions: what it looks like, what is refused, and what engines make of it.
struct ExpressionSQLTests {
    /// The root of the repository.
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")

    /// Whether everything that is slow by nature is wanted.
    private static let proves = ProcessInfo.processInfo.environment["PROVE"] != nil

    private func sql(_ text: String, _ dialect: SQLDialect) throws -> String {
        let scope = SQLiteOracleTrips(seed: 1).scope.flattened
        let program = try scope.compile(ParsedExpression(parsing: text), expecting: .value)
        var writer = ExpressionSQL(dialect, scope)
        return try writer.stored(program.root)
    }

    private static let letters = "'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'"

    @Test(arguments: [
        (
            "cents + 1", "TRY_CAST(CAST(cents AS HUGEINT) + 1 AS BIGINT)",
            "try_cast(CAST(cents AS DECIMAL(19)) + 1 AS BIGINT)",
            "cents + 1"
        ),
        ("cents / 100", "cents // 100", "cents div 100", "cents / 100"),
        (
            "length(owner) + 1", "length(owner) + 1", "CAST(length(owner) AS BIGINT) + 1",
            "length(owner) + 1"
        ),
        (
            "- cents", "-nullif(cents, (-9223372036854775807 - 1))",
            "-nullif(cents, (-9223372036854775807L - 1L))",
            "-nullif(cents, (-9223372036854775807 - 1))"
        ),
        (
            "owner LIKE 'v_\\%'", "CAST(translate(owner, \(letters)) LIKE 'v_\\%' AS BIGINT)",
            "CAST(translate(owner, \(letters)) LIKE 'v_\\\\%' ESCAPE '!' AS BIGINT)",
            "owner LIKE 'v_\\%'"
        ),
        (
            "owner GLOB 'VA_*'", "CAST(owner LIKE 'VA!_%' ESCAPE '!' AS BIGINT)",
            "CAST(owner LIKE 'VA!_%' ESCAPE '!' AS BIGINT)", "owner GLOB 'VA_*'"
        ),
        (
            "owner GLOB '[^A-C]?'", "CAST(regexp_matches(owner, '(?s)^[^AA-C].\\z') AS BIGINT)",
            "CAST(owner RLIKE '(?s)^[^AA-C].\\\\z' AS BIGINT)", "owner GLOB '[^A-C]?'"
        ),
        ("substr(owner, -2)", "substr(owner, -2)", "substr(owner, -2)", "substr(owner, -2)"),
        (
            "strftime('%Y-%m', day)", "substr(day, 1, 7)", "substr(day, 1, 7)",
            "strftime('%Y-%m', day)"
        ),
        (
            "CAST(substr(stamp, 12, 2) AS INTEGER)", "CAST(substr(stamp, 12, 2) AS BIGINT)",
            "CAST(substr(stamp, 12, 2) AS BIGINT)", "CAST(substr(stamp, 12, 2) AS INTEGER)"
        ),
        (
            "owner IS site.region", "CAST(owner IS NOT DISTINCT FROM \"site.region\" AS BIGINT)",
            "CAST(owner IS NOT DISTINCT FROM `site.region` AS BIGINT)", "owner IS \"site.region\""
        ),
        ("owner || 'it''s'", "owner || 'it''s'", "owner || 'it\\'s'", "owner || 'it''s'"),
        ("rate * 2.5", "rate * 2.5e0", "rate * 2.5D", "rate * 2.5"),
    ])
    func eachDialectHasItsOwnWords(
        text: String,
        duckdb: String,
        spark: String,
        sqlite: String
    ) throws {
        #expect(try sql(text, .duckdb) == duckdb)
        #expect(try sql(text, .spark) == spark)
        let plain = try sql(text, .sqlite)
        // A sum of whole numbers is looked at once more in SQLite, where it may become REAL.
        #expect(plain.contains(sqlite))
    }

    @Test(arguments: [
        "CAST(owner AS REAL)", "round(rate, 2)", "owner GLOB site.region", "strftime('%s', day)",
        "owner LIKE '\u{FFFD}%'", "date(day, '-101 years')",
    ])
    func whatADialectCannotSayIsRefused(text: String) throws {
        #expect(throws: SQLRefusal.self) { try sql(text, .duckdb) }
        #expect(throws: SQLRefusal.self) { try sql(text, .spark) }
        #expect(try !sql(text, .sqlite).isEmpty)
    }

    /// Names that are words of some dialect are quoted, by bytes.
    @Test func namesAreQuotedWhereTheyMustBe() {
        #expect(SQLDialect.duckdb.quoted("owner") == "owner")
        #expect(SQLDialect.duckdb.quoted("from") == "\"from\"")
        #expect(SQLDialect.spark.quoted("a`b") == "`a``b`")
        #expect(SQLDialect.sqlite.quoted("Owner") == "\"Owner\"")
        // A quote with an accent on it is one letter to Swift and two to every engine.
        #expect(SQLDialect.duckdb.literal("'\u{301}") == "'''\u{301}'")
        #expect(SQLDialect.spark.literal("a\\'\u{301}") == "'a\\\\\\'\u{301}'")
    }

    /// A value that is computed once gets a name that is no column's, in either case.
    @Test(arguments: SQLDialect.allCases)
    func aValueIsNotNamedAsAFieldIs(dialect: SQLDialect) throws {
        let scope = ExpressionScope(
            columns: [("n", ColumnKind.integer), ("v1", .decimal), ("V2", .decimal)].map {
                ScopeColumn(name: $0.0, kind: $0.1)
            },
            lookups: []
        )
        let program = try scope.compile(
            ParsedExpression(parsing: "CASE n + n WHEN v1 THEN 1 WHEN \"V2\" THEN 2 END"),
            expecting: .value
        )
        var writer = ExpressionSQL(dialect, scope)
        let sql = try writer.stored(program.root)
        #expect(sql.contains("v3"), "\(sql)")
        let names = ["lambda v1:", "lambda v2:", "v1 ->", "v2 ->", "AS v1", "AS v2"]
        #expect(!names.contains(where: sql.contains), "\(sql)")
    }

    /// SQLite gives every trip the value that the evaluator gives it, overflow included.
    @Test func sqliteGivesWhatTheEvaluatorGives() {
        var pairs = EmittedPairs(seed: 20_261_101)
        pairs.generate(Self.proves ? 120_000 : 20_000, seed: 7)
        let referee = SQLiteOracle()
        let columns = pairs.table.map {
            "\(SQLDialect.sqlite.quoted($0.name)) \(SQLDialect.sqlite.typeName(of: $0.kind))"
        }
        referee.execute(
            "CREATE TABLE trip(id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))"
        )
        for row in 0..<SQLiteOracleTrips.rowCount {
            let values = pairs.table.map { SQLiteOracle.literal($0.values[row]) }
            referee.execute("INSERT INTO trip VALUES(\(row), \(values.joined(separator: ", ")))")
        }
        var count = 0
        for expression in pairs.expressions {
            guard let sql = expression.sql[.sqlite] else {
                Issue.record("refused: \(expression.text)")
                continue
            }
            let answer = referee.query("SELECT \(sql) FROM trip ORDER BY id")
            count += answer.rows.count
            #expect(
                answer.rows.map { $0[0] } == expression.values,
                "\(expression.text)\n\(sql)\n\(answer.error ?? "")"
            )
        }
        #expect(count >= 20_000)
    }

    /// DuckDB, and where proofs are run Spark, give every trip the same value: `Tests/Emit`.
    @Test func enginesGiveWhatTheEvaluatorGives() throws {
        var pairs = EmittedPairs(seed: 20_261_101)
        pairs.generate(Self.proves ? 120_000 : 8_000, seed: 418)
        // An optimizer that joins the constants of nested sums would lose that the inner one is NULL.
        for text in ["(count + 9223372036854775807) + -5", "2 * (9223372036854775807 * count) / 2"]
        {
            pairs.add(text)
        }
        let refused = pairs.expressions.count { $0.refusals[.duckdb] != nil }
        #expect(refused * 100 < pairs.expressions.count * 15, "few expressions are refused")
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("pairs-\(UUID().uuidString)")
        try Data((pairs.lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        // The file lies in the folder for temporary files, and does no harm there.
        defer { try? FileManager.default.removeItem(at: file) }
        let (status, output) = try Self.referee(
            [file.path, "duckdb"] + (Self.proves ? ["spark"] : [])
        )
        print(output)
        #expect(status == 0, "\(output)")
    }

    /// The referee sees a value that is not the evaluator's.
    @Test func theRefereeSeesADifference() throws {
        var pairs = EmittedPairs(seed: 1)
        pairs.add("count / 2")
        let lines = pairs.lines.map {
            $0.replacing("count // 2", with: "CAST(count AS DOUBLE) / 2")
        }
        #expect(lines != pairs.lines)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("pairs-\(UUID().uuidString)")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        // The file lies in the folder for temporary files, and does no harm there.
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Self.referee([file.path, "duckdb"]).status == 1)
    }

    private static func referee(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(root)/.build/emit-venv/bin/python")
        process.arguments = ["-B", "\(root)/Tests/Emit/referee.py"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
