import Glibc

/// Reads small files whole: pipelines, reference files, zone files.
enum FileText {
    /// The largest file read whole; reference files are far smaller.
    static let sizeLimit = 256 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - shown: How people know it.
    /// - Returns: Its bytes.
    /// - Throws: ``PipelineFault`` where it cannot be read.
    static func read(_ path: String, shown: String) throws(PipelineFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw PipelineFault(
                file: shown,
                message: "cannot be opened: \(systemMessage())",
                suggestion: "It was looked for at \(path)."
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

    /// Writes a text so that a reader sees the old file or the new one, never half of either.
    ///
    /// - Throws: ``RunError`` with code `cannotWrite`.
    static func write(_ text: String, to path: String) throws(RunError) {
        let temporary = path + ".tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        var isWritten = descriptor >= 0
        let bytes = Array(text.utf8)
        var start = 0
        while isWritten, start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            isWritten = count > 0
            start += max(0, count)
        }
        isWritten = isWritten && fsync(descriptor) == 0
        if descriptor >= 0 { close(descriptor) }
        guard isWritten, rename(temporary, path) == 0 else {
            throw RunError(
                .cannotWrite,
                summary: "a file cannot be written",
                what: "\(path): \(systemMessage()).",
                remedies: ["Make room or name another folder, then run the command again."]
            )
        }
    }

    /// Whether a file or folder is there.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names in a folder, sorted, but for the folder itself and the one above; nil where it
    /// cannot be read, and ``systemMessage()`` says why.
    static func names(in folder: String) -> [String]? {
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
    static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// A path without links and dots, as far as it exists.
    static func resolved(_ path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        guard let cut = path.lastIndex(of: "/") else { return resolved(".") + "/" + path }
        let parent = cut == path.startIndex ? "/" : String(path[..<cut])
        // A folder that is not there either is resolved from the one above it.
        return resolved(parent) + path[cut...]
    }

    /// What the system says about the last failed call.
    static func systemMessage() -> String {
        String(cString: strerror(errno))
    }
}
