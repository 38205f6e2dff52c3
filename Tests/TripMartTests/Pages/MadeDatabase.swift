import CSQLite
import Testing

@testable import TripMart

/// A SQLite file through the C interface, which checks the written pages.
final class MadeDatabase {
    private let handle: OpaquePointer

    init(_ path: String, pageSize: Int? = nil) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open(path, &handle)
        self.handle = try #require(handle)
        try #require(code == SQLITE_OK)
        if let pageSize { try run("PRAGMA page_size = \(pageSize)") }
        try run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }

    deinit {
        sqlite3_close(handle)
    }

    /// Reserves bytes at the end of each page; called before the first table is created.
    func reserve(_ size: Int) {
        var size = Int32(size)
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_RESERVE_BYTES, &size)
    }

    func run(_ sql: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        let message = String(cString: sqlite3_errmsg(handle))
        try #require(code == SQLITE_OK, "\(message): \(sql)", sourceLocation: sourceLocation)
    }

    /// Inserts rows whose first value is the rowid.
    func insert(_ rows: [[MadeValue]], into table: String) throws {
        guard let first = rows.first else { return }
        try run("BEGIN")
        let markers = Array(repeating: "?", count: first.count).joined(separator: ",")
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, "INSERT INTO \(table) VALUES(\(markers))", -1, &statement, nil)
        for row in rows {
            for (index, value) in row.enumerated() { bind(value, statement, Int32(index + 1)) }
            try #require(sqlite3_step(statement) == SQLITE_DONE)
            sqlite3_reset(statement)
        }
        sqlite3_finalize(statement)
        try run("COMMIT")
    }

    /// The rows of a query.
    func rows(_ sql: String) throws -> [[MadeValue]] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        let message = String(cString: sqlite3_errmsg(handle))
        try #require(code == SQLITE_OK, "\(message): \(sql)")
        defer { sqlite3_finalize(statement) }
        var rows: [[MadeValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
            case SQLITE_DONE: return rows
            default:
                let message = String(cString: sqlite3_errmsg(handle))
                Issue.record("\(message): \(sql)")
                return rows
            }
        }
    }

    func integer(_ sql: String) throws -> Int {
        guard case .integer(let value)? = try rows(sql).first?.first else {
            Issue.record("no integer: \(sql)")
            return 0
        }
        return Int(value)
    }

    /// The root page of a table or an index.
    func root(_ name: String) throws -> Int {
        try integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
    }

    /// Expects that SQLite's complete integrity check passes.
    func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let sound = [[MadeValue.text(Array("ok".utf8))]]
        for pragma in ["integrity_check", "quick_check"] {
            let found = try rows("PRAGMA \(pragma)")
            #expect(found == sound, "\(pragma): \(found)", sourceLocation: sourceLocation)
        }
        #expect(try rows("PRAGMA foreign_key_check") == [], sourceLocation: sourceLocation)
    }

    private func bind(_ value: MadeValue, _ statement: OpaquePointer?, _ index: Int32) {
        // SQLITE_TRANSIENT, which is a cast of −1 in C: the bytes are copied at once.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let value): sqlite3_bind_int64(statement, index, value)
        case .realBits(let bits): sqlite3_bind_double(statement, index, Double(bitPattern: bits))
        case .text(let bytes):
            (bytes + [0]).withUnsafeBufferPointer {
                let start = UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self)
                _ = sqlite3_bind_text(statement, index, start, Int32(bytes.count), transient)
            }
        case .blob(let bytes):
            (bytes + [0]).withUnsafeBytes {
                let start = $0.baseAddress
                _ = sqlite3_bind_blob(statement, index, start, Int32(bytes.count), transient)
            }
        }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> MadeValue {
        let size = Int(sqlite3_column_bytes(statement, column))
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let text = sqlite3_column_text(statement, column)
            return .text(Array(UnsafeBufferPointer(start: text, count: size)))
        case SQLITE_BLOB:
            let blob = sqlite3_column_blob(statement, column)
            return .blob(Array(UnsafeRawBufferPointer(start: blob, count: size)))
        default: return .null
        }
    }
}
