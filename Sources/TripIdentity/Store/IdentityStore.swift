import GRDB
import GRDBSQLite

/// The accounts' file: who may sign in, and which sessions they have.
///
/// The server and the commands may open it at the same time; SQLite's rollback journal isolates
/// them.
final class IdentityStore: Sendable {
    let queue: DatabaseQueue

    private static let applicationID = 0x5472_6964

    /// Opens the accounts of a folder, and creates both where they do not exist.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``IdentityFault``.
    convenience init(_ folder: IdentityFolder) throws(IdentityFault) {
        try folder.prepare()
        try self.init(path: folder.accountsPath)
        try IdentityFolder.restrict(folder.accountsPath)
    }

    /// Opens the accounts in a file.
    private init(path: String) throws(IdentityFault) {
        var configuration = Configuration()
        // Another process holds its lock for milliseconds.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Whatever a statement or the file contains, no other file is opened and no schema is
            // trusted.
            sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA secure_delete = ON")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw IdentityFault(error)
        }
        try change { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let layouts = IdentitySchema.layouts
            guard (0...layouts.count).contains(version) else {
                throw IdentityFault.laterVersion(version)
            }
            guard version < layouts.count else { return }
            for layout in layouts[version...] { try db.execute(sql: layout) }
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(layouts.count)")
        }
    }

    /// Counts the accounts of a folder that are not disabled, without changing the file or its
    /// layout.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: How many there are.
    /// - Throws: ``IdentityFault``.
    static func accountCount(_ folder: IdentityFolder) throws(IdentityFault) -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: folder.accountsPath, configuration: configuration)
            return try queue.read {
                let version = try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0
                guard (1...IdentitySchema.layouts.count).contains(version) else {
                    throw IdentityFault.laterVersion(version)
                }
                return try Int.fetchOne(
                    $0,
                    sql: "SELECT count(*) FROM account WHERE NOT is_disabled"
                ) ?? 0
            }
        } catch {
            throw IdentityFault(error)
        }
    }

    /// Reads on the caller's thread.
    func query<Value>(_ body: (Database) throws -> Value) throws(IdentityFault) -> Value {
        do { return try queue.read(body) } catch { throw IdentityFault(error) }
    }

    /// Makes changes in one transaction on the caller's thread.
    @discardableResult
    func change<Value>(_ body: (Database) throws -> Value) throws(IdentityFault) -> Value {
        do {
            return try queue.writeWithoutTransaction { try $0.changing(body) }
        } catch {
            throw IdentityFault(error)
        }
    }

    /// Reads without blocking the threads that answer requests.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(IdentityFault) -> Value {
        do { return try await queue.read(body) } catch { throw IdentityFault(error) }
    }

    /// Makes changes in one transaction without blocking the threads that answer requests.
    @discardableResult
    func changing<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(IdentityFault) -> Value {
        do {
            return try await queue.writeWithoutTransaction { try $0.changing(body) }
        } catch {
            throw IdentityFault(error)
        }
    }
}

extension Database {
    /// Runs one transaction that takes its lock first: two processes that read before they write
    /// would both fail.
    fileprivate func changing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        var value: Value?
        try inTransaction(.immediate) {
            value = try body(self)
            return .commit
        }
        guard let value else { preconditionFailure("a committed change has its value") }
        return value
    }
}

extension IdentityFault {
    /// Maps a driver's error without its message, which may quote a row.
    init(_ error: any Error) {
        self =
            switch error {
            case let fault as IdentityFault: fault
            case let error as DatabaseError: .store(code: error.extendedResultCode.rawValue)
            case is RowDecodingError: .damaged
            // The caller no longer waits for the result.
            case is CancellationError: .store(code: SQLITE_INTERRUPT)
            default: .store(code: SQLITE_ERROR)
            }
    }
}

extension IdentityStore {
    /// For how many seconds a link to a new password is valid.
    static let resetLifetime: Int64 = 1800
    /// Seconds between two e-mails, and the same after some in a day: an attacker can neither flood
    /// a mailbox nor lock its owner out.
    private static let resetInterval: Int64 = 300
    private static let laterResetInterval: Int64 = 3600
    static let quickResetCountMax = 12
    private static let day: Int64 = 86_400
    /// The most names and links that are kept; beyond it the oldest are deleted, for known and
    /// unknown names alike.
    private static let keptCountMax = 100_000

    /// Makes a link to a new password; earlier links stay valid, so that a stranger cannot make
    /// them invalid.
    ///
    /// - Parameters:
    ///   - mark: The keyed hash of the name that the request was made for.
    ///   - account: The account of the name; nil where there is none, for which the same rows are
    ///     written.
    ///   - token: The token of the link.
    ///   - now: The time.
    /// - Returns: Whether it was made; false where an e-mail was sent a moment ago, or within an
    ///   hour where many were sent this day.
    /// - Throws: ``IdentityFault`` of the store.
    func beginReset(
        _ mark: String,
        of account: Int64?,
        token: String,
        now: Int64
    ) async throws(IdentityFault) -> Bool {
        try await changing { db in
            try db.execute(
                sql: "DELETE FROM password_reset WHERE asked_at <= ?",
                arguments: [now - Self.resetLifetime]
            )
            try db.execute(
                sql: "DELETE FROM password_reset_ask WHERE day_began_at <= ?",
                arguments: [now - Self.day]
            )
            let row = try IdentityRow.fetchOne(
                db,
                sql: "SELECT * FROM password_reset_ask WHERE name_mark = ?",
                arguments: [mark]
            )
            var (began, count) = (now, 0)
            if let row {
                began = try row["day_began_at"]
                count = try row["count"]
                let askedAt: Int64 = try row["asked_at"]
                let interval =
                    count < Self.quickResetCountMax ? Self.resetInterval : Self.laterResetInterval
                if now - askedAt < interval { return false }
            }
            try Self.forgetOldest("password_reset_ask", "name_mark", "day_began_at", db)
            try Self.forgetOldest("password_reset", "token_mark", "asked_at", db)
            try db.execute(
                sql: "INSERT OR REPLACE INTO password_reset_ask VALUES (?, ?, ?, ?)",
                arguments: [mark, now, began, count + 1]
            )
            try db.execute(
                sql: "INSERT INTO password_reset VALUES (?, ?, ?)",
                arguments: [RandomText.mark(token), account, now]
            )
            return true
        }
    }

    /// Deletes the oldest rows where there are too many, before one more is added.
    private static func forgetOldest(
        _ table: String,
        _ key: String,
        _ age: String,
        _ db: Database
    ) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        guard count >= keptCountMax else { return }
        try db.execute(
            sql: """
                DELETE FROM \(table)
                WHERE \(key) IN (SELECT \(key) FROM \(table) ORDER BY \(age) LIMIT ?)
                """,
            arguments: [count - keptCountMax + 1]
        )
    }

    /// The account of a link to a new password; nil where the link is not valid.
    func resetAccount(_ token: String, now: Int64) async throws(IdentityFault) -> Account? {
        try await reading { try Self.resetAccount(token, now, $0) }
    }

    static func resetAccount(_ token: String, _ now: Int64, _ db: Database) throws -> Account? {
        try IdentityRow.fetchOne(
            db,
            sql: """
                SELECT a.* FROM password_reset AS r JOIN account AS a USING (account_id)
                WHERE r.token_mark = ? AND r.asked_at > ? AND NOT a.is_disabled
                """,
            arguments: [RandomText.mark(token), now - resetLifetime]
        ).map(account)
    }

    /// Makes all links to a new password of an account invalid.
    static func closeResets(of account: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM password_reset WHERE account_id = ?",
            arguments: [account]
        )
    }
}
