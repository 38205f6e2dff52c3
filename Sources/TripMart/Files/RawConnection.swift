import CSQLite
import Glibc
import TripDomain

/// One connection to an SQLite file through the C interface.
///
/// Not thread-safe: each thread that writes, recounts or compares millions of rows opens its own
/// connection; queries of a few rows use a ``SharedConnection``.
final class RawConnection {
    let path: String
    private var handle: OpaquePointer?

    /// The way a file is opened.
    enum Mode {
        /// A new file, which is written once and discarded when the run dies.
        case create
        /// A finished file, which no process changes.
        case immutable
        /// A finished file, with statements that may only read its tables.
        case restricted
        /// A file that changes in place, under locks; it is created where it is missing.
        case changing
        /// A file that other processes change in place, under locks.
        case watching
    }

    /// The longest wait for a lock of another process.
    ///
    /// Readers hold one for milliseconds, so that five seconds mean a fault.
    private static let busyTimeoutMilliseconds: Int32 = 5000

    /// - Parameters:
    ///   - path: The file.
    ///   - mode: The way it is opened.
    ///   - content: Its bytes, compared with their check sums; nil where it has none.
    /// - Throws: ``MartError`` of the file.
    init(path: String, mode: Mode, content: CheckedFile? = nil) throws(MartError) {
        self.path = path
        let name: String
        let flags: Int32
        switch mode {
        case .create:
            // The connection accepts URIs, because attached files are named by them; this path is
            // not a URI.
            name = path.hasPrefix("file:") ? "./" + path : path
            flags =
                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        case .immutable, .restricted:
            name = FileURI.immutable(path)
            flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        case .changing:
            name = path
            flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        case .watching:
            name = path
            flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        }
        let code = Self.open(name, &handle, flags, content)
        guard code == SQLITE_OK else {
            // The function itself returns the code without its detail.
            let detail = handle == nil ? code : sqlite3_extended_errcode(handle)
            sqlite3_close_v2(handle)
            handle = nil
            throw MartError(sqlite: detail, file: path)
        }
        sqlite3_extended_result_codes(handle, 1)
        switch mode {
        case .create, .immutable: break
        case .changing, .watching: sqlite3_busy_timeout(handle, Self.busyTimeoutMilliseconds)
        case .restricted:
            // The connection trusts no schema of a file, and opens no other file, whatever a
            // statement or the file says. A missing column is an error, not a text.
            csqlite_take_double_quotes_as_names(handle)
            try execute("PRAGMA trusted_schema = OFF")
            ReadingStatements.restrict(handle)
        }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Whether SQLite counts its memory, which is set once, before the first connection.
    ///
    /// In `triptych-server` another library opens the accounts first, and so it counts there.
    private static let countsMemory = csqlite_count_no_memory() != SQLITE_OK

    private static func open(
        _ name: String,
        _ handle: inout OpaquePointer?,
        _ flags: Int32,
        _ content: CheckedFile?
    ) -> Int32 {
        // The first use sets it.
        _ = Self.countsMemory
        guard let content else { return sqlite3_open_v2(name, &handle, flags, nil) }
        return CheckedReading.offer(content) { number in
            sqlite3_open_v2(
                "\(name)&\(CheckedReading.parameter)=\(number)",
                &handle,
                flags,
                CheckedReading.name
            )
        }
    }

    /// Closes the file; its statements must be deinitialized before.
    func close() throws(MartError) {
        let code = sqlite3_close(handle)
        guard code == SQLITE_OK else { throw MartError(sqlite: code, file: path) }
        handle = nil
    }

    /// Runs statements that return no rows.
    func execute(_ sql: String) throws(MartError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw MartError(sqlite: code, file: path) }
    }

    /// Attaches a finished file, whose tables are then readable under a schema name.
    func attach(_ other: String, as name: String) throws(MartError) {
        let statement = try prepare("ATTACH ? AS \(name)")
        try statement.insert([.text(FileURI.immutable(other))])
    }

    func prepare(_ sql: String) throws(MartError) -> RawStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw MartError(sqlite: code, file: path)
        }
        return RawStatement(statement, path: path)
    }

    /// Whether the file has a table; one of an older version lacks some.
    func has(table: String) throws(MartError) -> Bool {
        let statement = try prepare("SELECT 1 FROM sqlite_schema WHERE name = ?")
        statement.bind(.text(table), 1)
        return try statement.step()
    }

    /// The first column of the only row of a query.
    func integer(_ sql: String) throws(MartError) -> Int64 {
        let statement = try prepare(sql)
        guard try statement.step() else { return 0 }
        return statement.integer(0)
    }
}

/// One prepared statement.
///
/// Columns count from 0 and parameters from 1, as in the C interface.
final class RawStatement {
    let handle: OpaquePointer
    let path: String

    fileprivate init(_ handle: OpaquePointer, path: String) {
        self.handle = handle
        self.path = path
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Goes to the next row; false where there is none.
    func step() throws(MartError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw MartError(sqlite: code, file: path) }
        return false
    }

    /// Runs an insertion with the bound values, and resets the statement.
    func insert() throws(MartError) {
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw MartError(sqlite: code, file: path) }
        sqlite3_reset(handle)
    }

    /// Binds a whole row and inserts it.
    func insert(_ values: [StoredValue]) throws(MartError) {
        for (index, value) in values.enumerated() {
            bind(value, Int32(index + 1))
        }
        try insert()
    }

    /// Binds one value; its bytes are copied.
    func bind(_ value: StoredValue, _ parameter: Int32) {
        switch value {
        case .null: sqlite3_bind_null(handle, parameter)
        case .integer(let integer): sqlite3_bind_int64(handle, parameter, integer)
        case .real(let real): sqlite3_bind_double(handle, parameter, real)
        case .text(let text):
            // -1 as a destructor is SQLITE_TRANSIENT: SQLite copies the bytes.
            sqlite3_bind_text(
                handle,
                parameter,
                text,
                Int32(text.utf8.count),
                Self.transient
            )
        case .blob(let bytes):
            // An empty array has no address, which would bind NULL instead of an empty blob.
            if bytes.isEmpty {
                sqlite3_bind_zeroblob(handle, parameter, 0)
            } else {
                bytes.withUnsafeBytes {
                    _ = sqlite3_bind_blob(
                        handle,
                        parameter,
                        $0.baseAddress,
                        Int32($0.count),
                        Self.transient
                    )
                }
            }
        }
    }

    /// Binds all parameters of a query.
    ///
    /// - Precondition: There are as many as the statement has parameters.
    func bind(_ arguments: [any StoredArgument]) {
        precondition(
            arguments.count == Int(sqlite3_bind_parameter_count(handle)),
            "every parameter has one argument"
        )
        for (index, argument) in arguments.enumerated() {
            bind(argument.stored, Int32(index + 1))
        }
    }

    /// Prepares the statement for its next arguments, after its last row or before it.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// The number of columns of a row.
    var columnCount: Int32 { sqlite3_column_count(handle) }

    /// The name of a column.
    func name(_ column: Int32) -> String {
        sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }

    /// A value as it is stored.
    func value(_ column: Int32) -> StoredValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(Array(bytes(column)))
        default: .null
        }
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes of a text or blob; valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let start = sqlite3_column_blob(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(
            start: start,
            count: Int(sqlite3_column_bytes(handle, column))
        )
    }

    /// Tells SQLite to copy a bound value.
    private static var transient: sqlite3_destructor_type? {
        unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
}

/// Paths as SQLite's file URIs.
enum FileURI {
    /// A URI that opens a file which no process changes: no locks, no journal, no check for
    /// changes.
    static func immutable(_ path: String) -> String {
        // An absolute path gets an empty host: SQLite would take `//a/b` for the host `a`.
        "file:\(path.utf8.first == UInt8(ascii: "/") ? "//" : "")\(escaped(path))"
            + "?mode=ro&immutable=1"
    }

    /// A path in which every byte that is no letter, digit or mark of a path is escaped.
    private static func escaped(_ path: String) -> String {
        var name = ""
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                name += "%" + Hex.text(CollectionOfOne(byte))
            }
        }
        return name
    }
}

extension MartError {
    /// `SQLITE_IOERR_WRITE`, a macro Swift does not import.
    private static let writeFailed = SQLITE_IOERR | 3 << 8
    /// `SQLITE_IOERR_READ`.
    static let readFailed = SQLITE_IOERR | 1 << 8
    /// `SQLITE_IOERR_SHORT_READ`.
    static let shortRead = SQLITE_IOERR | 2 << 8
    /// `SQLITE_IOERR_DATA`: a check sum differs.
    static let wrongSum = SQLITE_IOERR | 32 << 8
    /// What to do where a file is damaged; which other ways lead out, a run finds out and names.
    static let waysOut =
        "Restore it from a backup of the mart. If the served generation is damaged, triptych run "
        + "names the other ways out."

    /// Maps a result code of SQLite; SQLite's message is not included, because it may contain
    /// values.
    init(sqlite code: Int32, file: String, cause: (any Error)? = nil) {
        let remedy: String
        let mapped: Code
        switch code & 0xFF {
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            // SQLite does not say why: the file is asked itself.
            let wanted = code & 0xFF == SQLITE_CANTOPEN ? R_OK : W_OK
            if access(file, wanted) != 0, [EACCES, EPERM].contains(errno) {
                self = FileSystem.denied(file)
                return
            }
            mapped = .ioFailed
            remedy = "The file cannot be opened (SQLite code \(code)). Check path and permissions."
        case SQLITE_FULL:
            self = FileSystem.full(file)
            return
        case SQLITE_IOERR where code == Self.writeFailed:
            mapped = .ioFailed
            remedy =
                "The system refused to write (SQLite code \(code)). Check the disk and the limit "
                + "on the size of files, then run again."
        case SQLITE_IOERR where code == Self.wrongSum:
            mapped = .damaged
            remedy = "The file differs from its check sums. " + Self.waysOut
        case SQLITE_NOTADB:
            mapped = .foreignFile
            remedy = "This is not an SQLite file. " + Self.waysOut
        case SQLITE_CORRUPT:
            mapped = .damaged
            remedy = "The file is damaged. " + Self.waysOut
        case SQLITE_CANTOPEN:
            mapped = .ioFailed
            remedy = "The file cannot be opened (SQLite code \(code)). Check path and permissions."
        case SQLITE_BUSY, SQLITE_LOCKED:
            mapped = .locked
            remedy = "Another process is writing this file. Try again in a moment."
        case SQLITE_CONSTRAINT:
            mapped = .damaged
            remedy = "Two rows have the same key (SQLite code \(code)). Run again with --full."
        default:
            mapped = .ioFailed
            remedy = "SQLite stopped with code \(code). Check the disk, then run again."
        }
        self.init(mapped, file: file, remedy: remedy, cause: cause)
    }
}
