import CSQLite

@testable import TripRules

/// SQLite as the oracle: it gives the value of an expression for every trip of a table.
final class SQLiteOracle {
    /// A value as SQLite gives it.
    enum Value: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text([UInt8])
    }

    /// The result of one query.
    struct Answer {
        var rows: [[Value]] = []
        /// SQLite's message where it stopped before the last row.
        var error: String?
    }

    private var database: OpaquePointer?

    /// Opens an empty database in memory.
    init() {
        precondition(
            sqlite3_open(":memory:", &database) == SQLITE_OK,
            "a database in memory can be opened"
        )
    }

    deinit {
        sqlite3_close(database)
    }

    /// Runs statements that must succeed.
    func execute(_ sql: String) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        precondition(code == SQLITE_OK, "\(message): \(sql)")
    }

    /// The message of the last failure.
    private var message: String { String(cString: sqlite3_errmsg(database)) }

    /// The rows of a query, up to the first that fails.
    func query(_ sql: String) -> Answer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            return Answer(error: message)
        }
        defer { sqlite3_finalize(statement) }
        var answer = Answer()
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                answer.rows.append(
                    (0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) }
                )
            case SQLITE_DONE: return answer
            default:
                answer.error = message
                return answer
            }
        }
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(statement, column) else { return .null }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(Array(UnsafeBufferPointer(start: text, count: count)))
        default: return .null
        }
    }

    /// A value as it is written in SQL; texts by their bytes, so that NUL and the like survive.
    static func literal(_ value: Value) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number):
            number == .min ? "(-9223372036854775807 - 1)" : String(number)
        case .real(let number):
            number.isInfinite ? (number > 0 ? "9e999" : "-9e999") : String(number)
        case .text(let bytes):
            "CAST(X'"
                + bytes.map { byte in
                    let digits = String(byte, radix: 16)
                    return digits.count == 1 ? "0" + digits : digits
                }.joined() + "' AS TEXT)"
        }
    }
}
