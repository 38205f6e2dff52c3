/// Why pages could not be added to a file, or read from it.
struct PageError: Error, Sendable, CustomStringConvertible {
    /// What went wrong; stable, what callers switch on.
    enum Code: String, Sendable, CaseIterable {
        /// The operating system refused to open, read or write; the error number says why.
        case ioFailed = "io_failed"
        /// The file is not a SQLite file that was closed in full.
        case notSQLite = "not_sqlite"
        /// The file is of a kind this code does not write: WAL, auto-vacuum, UTF-16, an old format.
        case unsupported
        /// The root given is not the root of an empty tree of that kind.
        case notEmpty = "not_empty"
        /// A page is not as it was written.
        case damaged
        /// The file would have more pages than SQLite can number.
        case tooLarge = "too_large"
    }

    let code: Code
    let path: String
    /// What was found.
    let finding: String
    /// The error number of the call that failed; 0 for the other codes.
    var errorNumber: Int32 = 0

    /// What to do next.
    var remedy: String {
        switch code {
        case .ioFailed: "Check the disk and the rights, then write the file anew."
        case .notSQLite: "Close the file in SQLite before pages are added."
        case .unsupported: "Make the file without WAL, auto-vacuum and UTF-16."
        case .notEmpty: "Give the root page that sqlite_schema names for the empty table or index."
        case .damaged:
            "The file that was just written is broken. Check disk and memory, then run again. What "
                + "was served stays served."
        case .tooLarge: "Make the file with larger pages."
        }
    }

    /// The error for a row that no run writes.
    static func damagedRow(_ path: String) -> PageError {
        PageError(code: .damaged, path: path, finding: "A row is not as it was written.")
    }

    var description: String { "\(code.rawValue): \(path): \(finding) \(remedy)" }
}
