import Glibc

/// The files of this repository, as the house rules see them: no build products, no data of a
/// mart, nothing that git ignores.
struct Repository: Sendable {
    /// The folder that holds `Package.swift`.
    let root: String
    /// All files by their path below the root, sorted.
    let paths: [String]

    /// The repository these tests were compiled from.
    static let this = Repository(root: rootFolder())

    /// Folders that hold products and data, never sources.
    private static let ignoredFolders: Set = [
        ".git", ".swiftpm", ".venv", "__pycache__", "data/demo", "data/landing", "data/mart",
        "reports/out",
    ]

    init(root: String) {
        self.root = root
        var found: [String] = []
        Self.list(root, "", into: &found)
        paths = found.sorted()
    }

    /// The Swift files below a folder, sorted.
    func swiftPaths(below folder: String) -> [String] {
        paths.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".swift") }
    }

    /// The Swift files of this repository, each cut into code and comments once.
    static let swift = Dictionary(
        uniqueKeysWithValues: (this.swiftPaths(below: "Sources") + this.swiftPaths(below: "Tests"))
            .map { ($0, SwiftText(this.text($0))) }
    )

    /// The pages written for people, sorted.
    var pages: [String] { paths.filter { $0.hasSuffix(".md") } }

    /// The text of one file; empty where there is none.
    func text(_ path: String) -> String {
        String(decoding: bytes(path), as: UTF8.self)
    }

    /// The bytes of one file; none where there is no such file.
    func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(root + "/" + path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// The size of one file in bytes; 0 where there is none.
    func size(_ path: String) -> Int {
        var status = stat()
        return stat(root + "/" + path, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func list(_ root: String, _ folder: String, into found: inout [String]) {
        guard let stream = opendir(folder.isEmpty ? root : root + "/" + folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = folder.isEmpty ? name : folder + "/" + name
            guard name != ".", name != "..", !ignoredFolders.contains(path),
                !ignoredFolders.contains(name), !name.hasPrefix(".build"), !name.hasSuffix(".key")
            else { continue }
            var status = stat()
            guard lstat(root + "/" + path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: list(root, path, into: &found)
            case S_IFREG where name != "Package.resolved": found.append(path)
            default: continue
            }
        }
    }

    /// Two folders above this file; the real one, where the tests are reached through a link.
    private static func rootFolder(_ file: String = #filePath) -> String {
        let real: String
        if let found = realpath(file, nil) {
            real = String(cString: found)
            free(found)
        } else {
            real = file
        }
        return real.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/")
    }
}

/// One breach of a house rule: where, and what to do about it.
struct Breach: Hashable, CustomStringConvertible {
    let path: String
    /// The line, from 1; 0 where the file as a whole is meant.
    let line: Int
    let message: String

    init(_ path: String, line: Int = 0, _ message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    var description: String { line > 0 ? "\(path):\(line): \(message)" : "\(path): \(message)" }
}
