import GRDB
import GRDBSQLite
import TripDomain

/// One finished file of the mart, open for reading: a generation, or its history file.
///
/// It is opened as a file that no process changes: SQLite takes no lock and looks for no journal,
/// and a full disk or a read-only mount does not matter. Published files are never written again.
public final class MartFile: Sendable {
    /// The file's path, links resolved.
    public let path: String
    private let queue: DatabaseQueue

    /// Opens a file and refuses it where Triptych did not write it, or another version did.
    init(path: String) throws(MartError) {
        self.path = path
        guard FileSystem.exists(path) else {
            throw MartError(.notFound, file: path, remedy: "The file does not exist.")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in
            // The connection trusts no schema of a file, and opens no other file, whatever a
            // statement or the file says.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            ReadingStatements.restrict(db.sqliteConnection)
        }
        // Where SQLite was built without file URIs the plain path opens the same file, with locks.
        let name =
            sqlite3_compileoption_used("USE_URI") == 1 ? FileURI.immutable(path) : path
        do {
            queue = try DatabaseQueue(path: name, configuration: configuration)
        } catch {
            throw MartError(error, file: path)
        }
        let marks = try read { db in
            (
                try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
                try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            )
        }
        try FileMarks.require(applicationID: marks.0, version: marks.1, file: path)
    }

    /// Runs queries; errors are mapped to codes, without the driver's message.
    func read<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) throws(MartError) -> Value {
        do {
            // No process changes the file, so that no transaction is needed to read one state of
            // it.
            return try queue.unsafeRead(body)
        } catch let error as MartError {
            throw error
        } catch {
            throw MartError(error, file: path)
        }
    }

    /// All rows of a query.
    func rows<Value: Sendable>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ make: @Sendable (StoredRow) throws -> Value
    ) throws(MartError) -> [Value] {
        try read { db in
            try StoredRow.each(db.cachedStatement(sql: sql), arguments: arguments, make)
        }
    }

    /// The value of a key in `meta`.
    func meta(_ key: String) throws(MartError) -> String? {
        try rows("SELECT value FROM meta WHERE key = ?", [key]) { try $0[0] as String }.first
    }

    /// The possible numbers of days after which a month settles: up to ten times what a pipeline
    /// may specify.
    private static let settlingDays = 0...36_600

    /// The one row of `generation`.
    func header() throws(MartError) -> GenerationHeader {
        let headers = try rows("SELECT * FROM generation") { row in
            try GenerationHeader(
                number: row["number"],
                pipeline: row["pipeline"],
                isSynthetic: row["synthetic"],
                publishedAt: row["published_at"],
                dataThrough: (row["data_through"] as String?).flatMap { CivilDate(text: $0) },
                staleAfter: row["stale_after"],
                settlesAfterDays: row["settles_after_days"],
                suppressBelow: row["suppress_below"],
                rulesHash: row["rules_hash"],
                referenceHash: row["reference_hash"]
            )
        }
        guard let header = headers.first, Self.settlingDays.contains(header.settlesAfterDays)
        else { throw damaged() }
        return header
    }

    /// Whether its cube has all sums; a file of an older version has
    /// ``CubeTables/firstSumColumns``.
    func hasAllSums() throws(MartError) -> Bool {
        let tables = try rows("SELECT sql FROM sqlite_schema WHERE name = 'kpi_cube'") {
            try $0[0] as String
        }
        guard let table = tables.first else { throw damaged() }
        return CubeTables.sumColumns.allSatisfy(table.contains)
    }

    /// Refuses a file whose cube lacks a sum that this version of the program has added since.
    ///
    /// Everything else in such a file can be read, so that a run finds the known exports and the
    /// months before, and publishes the next generation with all sums.
    func requireAllSums() throws(MartError) {
        guard try hasAllSums() else {
            throw MartError(
                .olderFile,
                file: path,
                remedy: "An older version of Triptych wrote this file, without some of today's "
                    + "sums. Publish them with triptych run --full."
            )
        }
    }

    /// The error of a file whose rows contradict its tables.
    func damaged() -> MartError {
        MartError(
            .damaged,
            file: path,
            remedy: "The file is damaged. Go back to an undamaged generation: triptych rollback "
                + "NUMBER"
        )
    }
}

extension MartError {
    /// Maps an error of the database library to a code.
    ///
    /// Only the result code is kept: the library's errors contain statements and rows.
    init(_ error: any Error, file: String) {
        guard let code = (error as? DatabaseError)?.extendedResultCode else {
            self.init(sqlite: SQLITE_CORRUPT, file: file)
            return
        }
        self.init(sqlite: code.rawValue, file: file, cause: DatabaseError(resultCode: code))
    }
}

/// Finds the check value that a mart's key file must have.
enum MartKeyCheck {
    /// The check value in the published generation or, where that cannot be read, in the newest
    /// readable file; nil where there is none.
    static func value(of folder: MartFolder) throws(MartError) -> String? {
        var paths: [String] = []
        // A broken link has no information about keys.
        if let served = try? folder.servedNumber() { paths.append(folder.generationPath(served)) }
        for number in try folder.generationNumbers().reversed() {
            paths.append(folder.generationPath(number))
        }
        for number in try folder.historyNumbers().reversed() {
            paths.append(folder.historyPath(number))
        }
        for path in paths {
            // A file that cannot be read has no information about keys; the next older one has, and
            // a caller that opens this one for its content gets the error.
            if let file = try? MartFile(path: path), let value = try? file.meta("key_check") {
                return value
            }
        }
        return nil
    }
}
