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
