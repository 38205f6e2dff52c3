import CSQLite
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
    /// Whether the list begins here although the mart has generations: the runs before are lost.
    public let hasLostRuns: Bool
    private let folder: MartFolder
    private let connection: SharedConnection

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
        let connection = try RawConnection(path: path, mode: .changing)
        let isNew = try Self.prepare(connection)
        let published = try folder.publishedNumbers()
        hasLostRuns = isNew && !published.isEmpty
        self.connection = SharedConnection(connection)
    }

    private init(_ folder: MartFolder, _ connection: SharedConnection) {
        hasLostRuns = false
        self.folder = folder
        self.connection = connection
    }

    /// Opens the list for reading; nil where no run was ever recorded, or the file is empty: the
    /// next run begins another list in it.
    ///
    /// No file is created or written, so that every account that may read the mart may read the
    /// list.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The list.
    /// - Throws: ``MartError`` as ``init(_:)``.
    public static func openIfPresent(_ folder: MartFolder) throws(MartError) -> RunLog? {
        let path = folder.runLogPath
        guard FileSystem.exists(path) else {
            let number = errno
            try folder.requireFolder()
            guard number != EACCES else { throw FileSystem.denied(path) }
            return nil
        }
        guard try FileSystem.status(path).size > 0 else { return nil }
        let connection = try RawConnection(path: path, mode: .watching)
        try FileMarks.require(connection)
        return RunLog(folder, SharedConnection(connection))
    }

    /// Records that a run begins.
    ///
    /// - Parameters:
    ///   - command: The command, without protected data.
    ///   - startedAt: When, as text with offset.
    /// - Returns: The run's number.
    /// - Throws: ``MartError`` of the file.
    public func begin(command: String, startedAt: String) throws(MartError) -> Int {
        let numbers = try connection.rows(
            "INSERT INTO run(started_at, command, pid, host) VALUES(?, ?, ?, ?) RETURNING number",
            [startedAt, command, getpid(), MartLock.hostName()]
        ) { try $0[0] as Int }
        guard let number = numbers.first else {
            throw MartError(sqlite: SQLITE_CORRUPT, file: folder.runLogPath)
        }
        return number
    }

    /// Records which generation a run is about to publish.
    ///
    /// - Parameters:
    ///   - number: The run's number.
    ///   - generation: The generation's number.
    /// - Throws: ``MartError`` of the file.
    public func announce(_ number: Int, generation: Int) throws(MartError) {
        try connection.execute(
            "UPDATE run SET generation = ? WHERE number = ?",
            [generation, number]
        )
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
        try connection.execute(
            """
            UPDATE run SET ended_at = ?, exit_code = ?, outcome = ?, generation = ?,
                summary = ?, details = ? WHERE number = ?
            """,
            [endedAt, exitCode, outcome, generation, summary, details, number]
        )
    }

    /// The greatest number that a run published, as it recorded at its end; nil where none did.
    func greatestPublished() throws(MartError) -> Int? {
        try connection.rows("SELECT max(generation) FROM run WHERE outcome = 'published'") {
            try $0[0] as Int?
        }.first ?? nil
    }

    /// The last runs, newest first.
    ///
    /// - Parameter limit: The maximum number of runs.
    /// - Returns: The runs.
    /// - Throws: ``MartError`` of the file.
    public func list(limit: Int = 50) throws(MartError) -> [RunRecord] {
        try select("ORDER BY number DESC LIMIT ?", [limit])
    }

    /// The number of all runs.
    ///
    /// - Throws: ``MartError`` of the file.
    public func count() throws(MartError) -> Int {
        try connection.rows("SELECT count(*) FROM run") { try $0[0] as Int }[0]
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
                remedy: "There is no run \(number). List them: triptych runs list"
                    + folder.flags()
            )
        }
        return run
    }

    /// Creates the table where there is none; of two runs that begin at once, one creates it.
    ///
    /// - Returns: Whether it was created.
    private static func prepare(_ connection: RawConnection) throws(MartError) -> Bool {
        try connection.execute("BEGIN IMMEDIATE")
        let isNew = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        if isNew {
            try connection.execute(GenerationSchema.marks)
            try connection.execute(
                """
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
        try FileMarks.require(connection)
        try connection.execute("COMMIT")
        return isNew
    }

    private func select(
        _ clause: String,
        _ arguments: [any StoredArgument]
    ) throws(MartError) -> [RunRecord] {
        let owner = try MartLock.owner(folder)
        // A link that is missing says nothing about the runs.
        let linked = (try? folder.linkedNumber()) ?? 0
        let published = max(linked, try folder.publishedNumbers().last ?? 0)
        // A number that was announced but never published is used again: only the last run that
        // announced it can have published it.
        return try connection.rows(
            """
            SELECT *, generation <= \(published) AND NOT EXISTS(
                SELECT 1 FROM run AS later
                WHERE later.generation = run.generation AND later.number > run.number
                    AND coalesce(later.outcome, 'published') = 'published'
            ) AS has_published FROM run \(clause)
            """,
            arguments
        ) { try Self.record($0, owner: owner) }
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
}
