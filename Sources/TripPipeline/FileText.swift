import Glibc
import TripDomain

/// Reads small files whole: pipelines, reference files, zone files.
public enum FileText {
    /// The largest file read whole; reference files are far smaller.
    public static let sizeLimit = 256 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - shown: The name used in messages.
    ///   - limit: The greatest size in bytes.
    /// - Returns: Its bytes.
    /// - Throws: ``PipelineFault`` where it cannot be read.
    public static func read(
        _ path: String,
        shown: String,
        limit: Int = sizeLimit
    ) throws(PipelineFault) -> [UInt8] {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer that may never come.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw unopened(path, shown: shown, errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        else {
            throw PipelineFault(
                file: shown,
                message: "is no regular file; pipes, sockets and devices are not read",
                suggestion: "Put a file there: \(UnseenCharacters.named(in: path))"
            )
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw PipelineFault(
                    file: shown,
                    message: "cannot be read: \(systemMessage())",
                    // A folder in the place of a file is a fault of the pipeline.
                    isOfSystem: errno != EISDIR
                )
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= limit else {
                throw PipelineFault(
                    file: shown,
                    message: "is larger than \(limit) bytes, which no "
                        + "pipeline or reference file should be"
                )
            }
        }
    }

    /// Reads a file that a pipeline or report names by its path below a folder.
    ///
    /// - Parameters:
    ///   - name: Its path below the folder; what a pipeline writes must not lead out of it.
    ///   - folder: The folder, which may itself be a link.
    ///   - shown: The name used in messages; nil shows the path below the folder.
    /// - Returns: Its bytes.
    /// - Throws: ``PipelineFault`` where it cannot be read, or lies outside the folder.
    public static func read(
        _ name: String,
        in folder: String,
        shown: String? = nil
    ) throws(PipelineFault) -> [UInt8] {
        let path = folder + "/" + name
        if let objection = objection(to: name, folder: "folder") {
            throw PipelineFault(
                file: shown ?? name,
                message: "the path \(objection)",
                suggestion: pathAdvice
            )
        }
        // Where one of the two cannot be resolved, the file cannot be opened either.
        if let found = realPath(path), let base = realPath(folder), !isBelow(found, base) {
            throw PipelineFault(
                file: shown ?? name,
                message: "a link leads out of the folder: "
                    + UnseenCharacters.named(in: "\(path) is \(found)"),
                suggestion: "Put a copy of the file into the folder."
            )
        }
        return try read(path, shown: shown ?? name)
    }

    /// Why a path that a pipeline names is no path below a folder; nil where it is one.
    ///
    /// - Parameters:
    ///   - name: The path as it is written.
    ///   - folder: The words for the folder.
    /// - Returns: The rest of a sentence whose subject is the path.
    static func objection(to name: String, folder: String) -> String? {
        if name.isEmpty { return "is blank" }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts[0].isEmpty || parts.contains(where: { $0.elementsEqual("..".utf8) }) {
            return "leads out of the \(folder)"
        }
        return name.unicodeScalars.contains(where: \.isUnseen)
            ? "holds characters that show nothing" : nil
    }

    /// What to do about such a path.
    static let pathAdvice = "Name files by their path below the folder."

    /// Whether a path lies below a folder; both without links and dots.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - folder: The folder.
    /// - Returns: Whether it does, byte by byte: two spellings of one letter are two folders.
    public static func isBelow(_ path: String, _ folder: String) -> Bool {
        let base = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        return path.utf8.starts(with: base.utf8)
    }

    /// Whether a file or folder exists.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names in a folder, sorted, without `.` and `..`.
    ///
    /// Nil where the folder cannot be read; ``systemMessage()`` then returns the reason.
    public static func names(in folder: String) -> [String]? {
        nameBytes(in: folder)?.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// The names in a folder as the system has them, in no order, without `.` and `..`.
    ///
    /// A name is any bytes but `/` and zero; it need not be UTF-8.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The names; nil where the folder cannot be read to its end, and
    ///   ``systemMessage()`` then returns the reason.
    public static func nameBytes(in folder: String) -> [[UInt8]]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            // Only the error number tells the end of the folder from a failure.
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { return nil }
                return names.filter { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
            }
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    tuple.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                        (0..<strlen(name)).map { UInt8(bitPattern: name[$0]) }
                    }
                }
            )
        }
    }

    /// The size of a file in bytes; 0 where there is none.
    public static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// A path without links and dots, as far as it exists.
    ///
    /// Where the current folder was removed, a relative path stays as it is.
    public static func resolved(_ path: String) -> String {
        let slash = UInt8(ascii: "/")
        var parent = path
        var missing = ""
        while true {
            if let found = realPath(parent) {
                return missing.isEmpty ? found : (found == "/" ? "" : found) + missing
            }
            guard let cut = parent.utf8.lastIndex(of: slash) else {
                // Of a relative path not even the first folder exists.
                return parent == "." ? "." + missing : resolved(".") + "/" + parent + missing
            }
            guard parent.utf8.count > 1 else { return path }
            // A parent folder that does not exist either is resolved from the folder above it.
            missing = parent[cut...] + missing
            parent = cut == parent.startIndex ? "/" : String(parent[..<cut])
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Why a file cannot be opened.
    private static func unopened(_ path: String, shown: String, _ number: Int32) -> PipelineFault {
        let named = UnseenCharacters.named(in: path)
        return PipelineFault(
            file: shown,
            message: "cannot be opened: \(systemMessage(number))",
            suggestion: isOfPermission(number)
                ? "Let the account of this command read it: \(named)"
                : "It was searched for at \(named).",
            // That there is no such file is a fault of the folder, and can be corrected there.
            isOfSystem: isOfPermission(number) || [EMFILE, ENFILE, EIO].contains(number)
        )
    }

    /// Whether an error number means that the account of the process may not do it.
    ///
    /// - Parameter number: The system's error number.
    /// - Returns: Whether it does.
    public static func isOfPermission(_ number: Int32) -> Bool {
        [EACCES, EPERM].contains(number)
    }

    /// Whether a file or folder is hidden from the account of the process: a folder on the way to
    /// it is closed.
    ///
    /// - Parameter path: The path.
    /// - Returns: Whether nothing can be said about the path for want of a permission.
    public static func isHidden(_ path: String) -> Bool {
        access(path, F_OK) != 0 && isOfPermission(errno)
    }

    /// The system's message for the last failed call.
    public static func systemMessage() -> String { systemMessage(errno) }

    /// The system's message for a failed call.
    ///
    /// - Parameter number: Its error number.
    /// - Returns: The message.
    public static func systemMessage(_ number: Int32) -> String {
        let message = String(cString: strerror(number))
        guard number == ENOENT, realPath(".") == nil else { return message }
        return message + "; the current folder was removed, go to another one"
    }
}
