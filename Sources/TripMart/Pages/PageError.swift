/// The reason why pages could not be added to a file, or read from it.
struct PageError: Error, Sendable, CustomStringConvertible {
    /// What went wrong; the codes are stable, and callers switch on them.
    enum Code: String, Sendable, CaseIterable {
        /// The operating system refused to open, read or write; the error number says why.
        case ioFailed = "io_failed"
        /// The file is not a SQLite file that was completely closed.
        case notSQLite = "not_sqlite"
        /// This code does not write such files: WAL, auto-vacuum, UTF-16, an old format.
        case unsupported
        /// The given page is not the root of an empty tree of that kind.
        case notEmpty = "not_empty"
        /// A page has other bytes than were written.
        case damaged
        /// The file would have more pages than SQLite can number.
        case tooLarge = "too_large"
    }

    let code: Code
    let path: String
    /// The finding.
    let finding: String
    /// The error number of the call that failed; 0 for the other codes.
    var errorNumber: Int32 = 0

    /// What to do next.
    var remedy: String {
        switch code {
        case .ioFailed: "Check the disk and the permissions, then write the file again."
        case .notSQLite: "Close the file in SQLite before pages are added."
        case .unsupported: "Create the file without WAL, auto-vacuum and UTF-16."
        case .notEmpty: "Give the root page that sqlite_schema names for the empty table or index."
        case .damaged:
            "The file that was just written is damaged. Check disk and memory, then run again. "
                + "The previous generation stays in service."
        case .tooLarge: "Create the file with larger pages."
        }
    }

    /// The error of a row that no run can have written.
    static func damagedRow(_ path: String) -> PageError {
        PageError(code: .damaged, path: path, finding: "A row is not as it was written.")
    }

    var description: String { "\(code.rawValue): \(path): \(finding) \(remedy)" }
}
