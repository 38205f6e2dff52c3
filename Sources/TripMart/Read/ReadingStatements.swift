import CSQLite

/// Restricts statements over a finished file: they may read its tables and call the functions of
/// Triptych's own queries.
///
/// No query of Triptych contains text from a client. If one ever did, SQLite would call this
/// authorizer before it prepares the statement, which refuses to open another file, change a
/// setting, run long on purpose or load code.
enum ReadingStatements {
    /// The functions in Triptych's queries and views.
    private static let functions: Set<String> = [
        "coalesce", "count", "date", "datetime", "max", "min", "strftime", "sum",
    ]
    /// The marks of a file, by which Triptych identifies it.
    private static let pragmas: Set<String> = ["application_id", "user_version"]

    /// Installs the authorizer on a connection.
    static func restrict(_ connection: OpaquePointer?) {
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
        // Reading a pragma is allowed, setting it is not: the second argument would hold the value.
        case SQLITE_PRAGMA:
            second == nil && first.map { pragmas.contains(String(cString: $0)) } ?? false
        default: false
        }
    }
}
