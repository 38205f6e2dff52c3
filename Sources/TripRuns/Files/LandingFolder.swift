import Glibc
import TripEngine
import TripPipeline

/// One file below the input folder.
struct LandingFile: Sendable, Hashable {
    /// Its path below the input folder, as people and the mart see it.
    ///
    /// Characters that show nothing are written as escapes, so that no later list, log or screen
    /// has to.
    let path: String
    /// Its path below the input folder, as the system has it.
    let location: String
    /// What the system said of it when the folder was listed.
    let state: FileState

    /// Describes a file of the folder.
    init(path: String, location: String, state: FileState) {
        (self.path, self.location, self.state) = (path, location, state)
    }

    /// Describes a file of a list.
    ///
    /// - Parameters:
    ///   - listed: Its path as the list has it.
    ///   - size: Its size in bytes.
    ///   - modifiedAt: When it was last written, in seconds of UTC.
    init(listed: String, size: Int64, modifiedAt: Int64) {
        path = VisibleText.of(Array(listed.utf8), encoding: .utf8)
        location = listed
        state = FileState(size: size, seconds: Int(modifiedAt))
    }

    /// When it was last written, in seconds of UTC.
    var modifiedAt: Int64 { Int64(state.seconds) }
}

/// What the system says of a file that changes when the file is written or replaced.
struct FileState: Sendable, Hashable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// The state of a file of a list.
    init(size: Int64, seconds: Int) {
        (inode, self.size, self.seconds, nanoseconds) = (0, size, seconds, 0)
    }

    init(_ status: stat) {
        (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// Reads the state of a file; nil where it is gone.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Seconds within which two writes can leave one time: network shares keep whole seconds, some
    /// file systems even ones.
    private static let coarsestClock = 2

    /// Whether the file was written so lately that another write may have left the same state.
    var isFresh: Bool { abs(time(nil) - seconds) <= Self.coarsestClock }
}

/// One entry of the input folder or of a folder below it.
struct LandingEntry: Sendable {
    /// What an entry is.
    enum Kind: Sendable {
        /// A file, or a link to one.
        case file(LandingFile)
        /// A folder whose entries are listed as well.
        case folder
        /// What cannot be read.
        case unreadable(Objection)
    }

    /// Why an entry cannot be read.
    struct Objection: Sendable {
        /// What was found, as the rest of a sentence whose subject is the entry.
        let finding: String
        /// What the operator should do.
        let remedy: String
        /// Whether exports may lie in it that were not seen.
        var hidesEntries = false
    }

    /// Its path below the input folder, as people may see it.
    let path: String
    /// The bytes of its path, for patterns.
    let bytes: [UInt8]
    let kind: Kind
}

/// The folder exports arrive in.
struct LandingFolder: Sendable {
    /// Folders below each other that are searched.
    private static let depthMax = 16

    let path: String

    /// All entries below the folder, by path as bytes; links are followed to files, not to folders.
    ///
    /// Every entry is returned except those that systems leave everywhere (``QuietNames``) and
    /// those that are gone before they are looked at.
    ///
    /// - Throws: ``RunError`` with code `noUsableInput` where the folder cannot be read.
    func entries() throws(RunError) -> [LandingEntry] {
        guard let names = FileText.nameBytes(in: path) else {
            throw RunError(
                .noUsableInput,
                summary: "the input folder cannot be read",
                what: "\(path): \(FileText.systemMessage()).",
                remedies: [
                    "Check that the folder exists and that the account of the run may read it, "
                        + "or name another with --input DIR."
                ]
            )
        }
        var found: [LandingEntry] = []
        add(names, of: [], to: &found, depth: 0)
        return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The path of a file of the folder.
    func location(of file: LandingFile) -> String { path + "/" + file.location }

    /// Adds the entries of one folder, and those below it.
    private func add(
        _ names: [[UInt8]],
        of folder: [UInt8],
        to found: inout [LandingEntry],
        depth: Int
    ) {
        for name in names {
            let bytes = folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
            let shown = VisibleText.of(bytes, encoding: .utf8)
            guard let kind = kind(of: bytes, shown: shown) else { continue }
            if case .file = kind {} else if QuietNames.isFolder(name) { continue }
            guard case .folder = kind else {
                found.append(LandingEntry(path: shown, bytes: bytes, kind: kind))
                continue
            }
            let below =
                depth < Self.depthMax
                ? FileText.nameBytes(in: path + "/" + String(decoding: bytes, as: UTF8.self)) : nil
            let objection = below == nil ? Self.unlisted(isTooDeep: depth >= Self.depthMax) : nil
            found.append(
                LandingEntry(
                    path: shown,
                    bytes: bytes,
                    kind: objection.map { .unreadable($0) } ?? .folder
                )
            )
            if let below { add(below, of: bytes, to: &found, depth: depth + 1) }
        }
    }

    /// What an entry is; nil where it is gone.
    private func kind(of bytes: [UInt8], shown: String) -> LandingEntry.Kind? {
        let name = (Array((path + "/").utf8) + bytes + [0]).map { CChar(bitPattern: $0) }
        var status = stat()
        guard lstat(name, &status) == 0 else {
            return errno == ENOENT ? nil : .unreadable(.notExamined())
        }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink, stat(name, &status) != 0 { return .unreadable(.deadLink()) }
        // Paths are kept and shown as text, so that a name of other bytes cannot be opened.
        guard let location = String(validating: bytes, as: UTF8.self) else {
            return .unreadable(.notText(isFolder: status.st_mode & S_IFMT == S_IFDIR))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            return .file(LandingFile(path: shown, location: location, state: FileState(status)))
        case S_IFDIR: return isLink ? .unreadable(.linkedFolder) : .folder
        case S_IFIFO: return .unreadable(.special("a named pipe"))
        case S_IFSOCK: return .unreadable(.special("a socket"))
        default: return .unreadable(.special("a device"))
        }
    }

    private static func unlisted(isTooDeep: Bool) -> LandingEntry.Objection {
        let finding =
            isTooDeep
            ? "lies more than \(depthMax) folders deep; what is in it was not looked at"
            : "is a folder that cannot be read (\(FileText.systemMessage()))"
        return LandingEntry.Objection(
            finding: finding,
            remedy: isTooDeep
                ? "Move the exports in it further up."
                : "Let the account of the run read the folder.",
            hidesEntries: true
        )
    }
}

extension LandingEntry.Objection {
    fileprivate static func notText(isFolder: Bool) -> Self {
        Self(
            finding: "has a name that is not UTF-8 text",
            remedy: "Rename it; the bytes that are no text are shown as \\x and two digits.",
            hidesEntries: isFolder
        )
    }

    fileprivate static let linkedFolder = Self(
        finding: "is a link to a folder; links are followed to files alone",
        remedy: "Put the folder itself there, or links to its files.",
        hidesEntries: true
    )

    fileprivate static func notExamined() -> Self {
        Self(
            finding: "cannot be looked at (\(FileText.systemMessage()))",
            remedy: "Let the account of the run read it, or shorten its path.",
            hidesEntries: true
        )
    }

    fileprivate static func deadLink() -> Self {
        Self(
            finding: errno == ENOENT
                ? "is a link that points nowhere"
                : "is a link that cannot be followed (\(FileText.systemMessage()))",
            remedy: "Restore what it points to, or remove the link."
        )
    }

    fileprivate static func special(_ kind: String) -> Self {
        Self(
            finding: "is \(kind), not a file",
            remedy: "Deliver exports as files, and take it out of the folder."
        )
    }
}
