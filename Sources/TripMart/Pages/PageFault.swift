/// The reason why pages could not be added to a file, or read from it.
enum PageFault: Sendable {
    /// The operating system refused to open, read or write.
    case ioFailed
    /// The file is not a SQLite file that was completely closed.
    case notSQLite
    /// This code does not write such files: WAL, auto-vacuum, UTF-16, an old format.
    case unsupported
    /// The given page is not the root of an empty tree of that kind.
    case notEmpty
    /// A page has other bytes than were written.
    case damaged
    /// The file would have more pages than SQLite can number.
    case tooLarge

    /// What to do next.
    var remedy: String {
        switch self {
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
}

extension MartError {
    /// The error of a file whose pages cannot be read or written.
    init(_ fault: PageFault, file: String) {
        self.init(fault == .damaged ? .damaged : .ioFailed, file: file, remedy: fault.remedy)
    }

    /// The error of a row that no run can have written.
    static func damagedRow(_ path: String) -> MartError {
        MartError(.damaged as PageFault, file: path)
    }
}
