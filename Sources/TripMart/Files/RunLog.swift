import GRDB
import Glibc
import TripDomain

/// One run as the list of runs stores it.
public struct RunRecord: Sendable, Hashable {
    /// Its number, from 1.
    public let number: Int
    /// When it began, as text with offset.
    public let startedAt: String
    /// When it ended; nil while it works, and where it died.
    public let endedAt: String?
    /// The command, without protected data.
    public let command: String
    /// The exit code; nil while it works, and where it died.
    public let exitCode: Int?
    /// The outcome, one word; `running` while it works, `died` where it ended without recording
    /// one.
    public let outcome: String
    /// The generation it published; nil where it published none.
    public let generation: Int?
    /// What happened, in a line.
    public let summary: String
    /// All other messages of the run.
    public let details: String
    /// The process.
    public let pid: Int32
    /// The machine.
    public let host: String
}

/// The list of runs, in `runs.sqlite`.
///
/// Only runs write it.
///
/// It changes in place, and so has a journal and full syncs; it is not WAL, so that it can be read
/// where no file can be written.
public final class RunLog: Sendable {
    private let folder: MartFolder
    private let queue: DatabaseQueue

    /// Opens the list, and creates it where it is missing.
    ///
    /// - Parameter folder: The mart.
    /// - Throws: ``MartError`` of the file; `foreignFile`, `newerFile` or `olderFile` where it is
    ///   not a list of runs of this version.
    public init(_ folder: MartFolder) throws(MartError) {
        self.folder = folder
        let path = folder.runLogPath
        if !FileSystem.exists(path) {
            try FileSystem.makeFolder(folder.path, mode: 0o750)
        }
        var configuration = Configuration()
        // Readers hold the file for milliseconds; five seconds means that something is wrong.
        configuration.busyMode = .timeout(5)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { db in try Self.prepare(db, path: path) }
        } catch let error as MartError {
            throw error
        } catch {
            throw MartError(error, file: path)
        }
    }

    private init(_ folder: MartFolder, queue: DatabaseQueue) {
        self.folder = folder
        self.queue = queue
    }

    /// Opens the list for reading; nil where no run was ever recorded.
    ///
    /// No file is created or written, so that every account that may read the mart may read the
    /// list.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The list.
    /// - Throws: ``MartError`` as ``init(_:)``.
    public static func openIfPresent(_ folder: MartFolder) throws(MartError) -> RunLog? {
        let path = folder.runLogPath
        guard FileSystem.exists(path) else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in try requireOurs(db, path: path) }
            return RunLog(folder, queue: queue)
        } catch let error as MartError {
            throw error
        } catch {
            throw MartError(error, file: path)
        }
    }

    /// Records that a run begins.
    ///
    /// - Parameters:
    ///   - command: The command, without protected data.
    ///   - startedAt: When, as text with offset.
    /// - Returns: The run's number.
    /// - Throws: ``MartError`` of the file.
    public func begin(command: String, startedAt: String) throws(MartError) -> Int {
        try write { db in
            try db.execute(
                sql: "INSERT INTO run(started_at, command, pid, host) VALUES(?, ?, ?, ?)",
                arguments: [startedAt, command, Int64(getpid()), MartLock.hostName()]
            )
            return Int(db.lastInsertedRowID)
        }
    }

    /// Records which generation a run is about to publish.
    ///
    /// - Parameters:
    ///   - number: The run's number.
    ///   - generation: The generation's number.
    /// - Throws: ``MartError`` of the file.
    public func announce(_ number: Int, generation: Int) throws(MartError) {
        try write { db in
            try db.execute(
                sql: "UPDATE run SET generation = ? WHERE number = ?",
                arguments: [generation, number]
            )
        }
    }

    /// Records how a run ended.
    ///
    /// - Parameters:
    ///   - number: The run's number.
    ///   - endedAt: When, as text with offset.
    ///   - exitCode: The exit code.
    ///   - outcome: The outcome, one word.
    ///   - generation: The generation it published.
    ///   - summary: What happened, in a line.
    ///   - details: All other messages of the run.
    /// - Throws: ``MartError`` of the file.
    public func finish(
        _ number: Int,
        endedAt: String,
        exitCode: Int,
        outcome: String,
        generation: Int?,
        summary: String,
        details: String
    ) throws(MartError) {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE run SET ended_at = ?, exit_code = ?, outcome = ?, generation = ?,
                        summary = ?, details = ? WHERE number = ?
                    """,
                arguments: [endedAt, exitCode, outcome, generation, summary, details, number]
            )
        }
    }

    /// The last runs, newest first.
    ///
    /// - Parameter limit: The maximum number of runs.
    /// - Returns: The runs.
    /// - Throws: ``MartError`` of the file.
    public func list(limit: Int = 50) throws(MartError) -> [RunRecord] {
        try select("ORDER BY number DESC LIMIT ?", [limit])
    }

    /// One run.
    ///
    /// - Parameter number: Its number.
    /// - Returns: The run.
    /// - Throws: ``MartError`` with code `notFound` where there is no run with the number.
    public func run(_ number: Int) throws(MartError) -> RunRecord {
        guard let run = try select("WHERE number = ?", [number]).first else {
            throw MartError(
                .notFound,
                file: folder.runLogPath,
                remedy: "There is no run \(number). List them with: triptych runs list"
            )
        }
        return run
    }

    private static func prepare(_ db: Database, path: String) throws {
        let isEmpty = try Int64.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
        if isEmpty {
            try db.execute(sql: GenerationSchema.marks)
            try db.execute(
                sql: """
                    CREATE TABLE run(
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        started_at TEXT NOT NULL,
                        ended_at TEXT,
                        command TEXT NOT NULL,
                        pid INTEGER NOT NULL,
                        host TEXT NOT NULL,
                        exit_code INTEGER,
                        outcome TEXT,
                        generation INTEGER,
                        summary TEXT NOT NULL DEFAULT '',
                        details TEXT NOT NULL DEFAULT ''
                    )
                    """
            )
        }
        try requireOurs(db, path: path)
    }

    private static func requireOurs(_ db: Database, path: String) throws {
        try FileMarks.require(
            applicationID: Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
            version: Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
            file: path
        )
    }

    private func select(
        _ clause: String,
        _ arguments: StatementArguments
    ) throws(MartError) -> [RunRecord] {
        let owner = try MartLock.owner(folder)
        let served = try folder.servedNumber() ?? 0
        do {
            return try queue.read { db in
                // A number that was announced but never published is used again: only the last run
                // that announced it can have published it.
                try StoredRow.fetchAll(
                    db,
                    sql: """
                        SELECT *, generation <= \(served) AND NOT EXISTS(
                            SELECT 1 FROM run AS later
                            WHERE later.generation = run.generation AND later.number > run.number
                                AND coalesce(later.outcome, 'published') = 'published'
                        ) AS has_published FROM run \(clause)
                        """,
                    arguments: arguments
                ).map { try Self.record($0, owner: owner) }
            }
        } catch {
            throw MartError(error, file: folder.runLogPath)
        }
    }

    /// A run without an end is working if its process holds the lock.
    ///
    /// Otherwise it died, or was stopped after the link to its generation had moved.
    private static func record(_ row: StoredRow, owner: LockOwner?) throws -> RunRecord {
        let pid: Int32 = try row["pid"]
        let host: String = try row["host"]
        let isAtWork = owner?.pid == pid && owner?.host == host
        let hasPublished: Bool? = try row["has_published"]
        let unfinished = isAtWork ? "running" : hasPublished == true ? "published" : "died"
        return try RunRecord(
            number: row["number"],
            startedAt: row["started_at"],
            endedAt: row["ended_at"],
            command: row["command"],
            exitCode: row["exit_code"],
            outcome: row["outcome"] as String? ?? unfinished,
            generation: row["generation"],
            summary: row["summary"],
            details: row["details"],
            pid: pid,
            host: host
        )
    }

    private func write<Value: Sendable>(
        _ body: @Sendable (Database) throws -> Value
    ) throws(MartError) -> Value {
        do {
            return try queue.write(body)
        } catch {
            throw MartError(error, file: folder.runLogPath)
        }
    }
}
