import Glibc

/// Reads small files whole: pipelines, reference files, zone files.
public enum FileText {
    /// The largest file read whole; reference files are far smaller.
    static let sizeLimit = 256 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - shown: The name used in messages.
    /// - Returns: Its bytes.
    /// - Throws: ``PipelineFault`` where it cannot be read.
    public static func read(_ path: String, shown: String) throws(PipelineFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw PipelineFault(
                file: shown,
                message: "cannot be opened: \(systemMessage())",
                suggestion: "It was searched for at \(path)."
            )
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw PipelineFault(file: shown, message: "cannot be read: \(systemMessage())")
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= sizeLimit else {
                throw PipelineFault(
                    file: shown,
                    message: "is larger than \(sizeLimit) bytes, which no "
                        + "pipeline or reference file should be"
                )
            }
        }
    }

    /// Whether a file or folder exists.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names in a folder, sorted, without `.` and `..`.
    ///
    /// Nil where the folder cannot be read; ``systemMessage()`` then returns the reason.
    public static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// The size of a file in bytes; 0 where there is none.
    public static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// A path without links and dots, as far as it exists.
    public static func resolved(_ path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        guard let cut = path.lastIndex(of: "/") else { return resolved(".") + "/" + path }
        let parent = cut == path.startIndex ? "/" : String(path[..<cut])
        // A parent folder that does not exist either is resolved from the folder above it.
        return resolved(parent) + path[cut...]
    }

    /// The system's message for the last failed call.
    public static func systemMessage() -> String {
        String(cString: strerror(errno))
    }
}
