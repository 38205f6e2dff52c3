import CSQLite

/// What statements over a finished file may do: read its tables, by the functions that our own queries use.
///
/// No query of ours is made of what somebody sent. Should one ever be, SQLite asks here before it prepares
/// the statement, and refuses what would open another file, change a setting, run long on purpose or load code.
enum ReadingStatements {
    /// Functions of our queries and views.
    private static let functions: Set<String> = [
        "coalesce", "count", "date", "datetime", "max", "min", "strftime", "sum",
    ]
    /// The marks of a file, which tell whose it is.
    private static let pragmas: Set<String> = ["application_id", "user_version"]

    /// Makes a connection ask from now on.
    static func govern(_ connection: OpaquePointer?) {
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_set_authorizer(
            connection,
            { _, action, first, second, _, _ in
                ReadingStatements.mayDo(action, first, second) ? SQLITE_OK : SQLITE_DENY
            },
            nil
        )
    }

    private static func mayDo(
        _ action: Int32,
        _ first: UnsafePointer<CChar>?,
        _ second: UnsafePointer<CChar>?
    ) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: true
        case SQLITE_FUNCTION: second.map { functions.contains(String(cString: $0)) } ?? false
        // Asked for, not set: a value would stand in the second.
        case SQLITE_PRAGMA:
            second == nil && first.map { pragmas.contains(String(cString: $0)) } ?? false
        default: false
        }
    }
}
