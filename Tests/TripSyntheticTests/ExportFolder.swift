import CZlib
import Glibc
import Testing

@testable import TripSynthetic

/// A temporary folder of a test, and its files.
struct ExportFolder: ~Copyable {
    let path: String

    init() throws {
        var template = Array("/tmp/triptych-synthetic-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        try #require(made)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        if let listing = opendir(path) {
            while let entry = readdir(listing) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(listing)
            rmdir(path)
        } else {
            unlink(path)
        }
    }

    /// The files at the top of a folder, sorted.
    static func names(in folder: String) throws -> [String] {
        let listing = try #require(opendir(folder))
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.contains(".csv") || name.contains(".json") { names.append(name) }
        }
        return names.sorted()
    }

    /// The bytes of a file, unpacked where its name ends in `.gz`.
    static func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(gzopen(path, "rb"))
        defer { gzclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let size = chunk.withUnsafeMutableBytes { gzread(file, $0.baseAddress, 1 << 16) }
            guard size > 0 else { return bytes }
            bytes += chunk[..<Int(size)]
        }
    }

    /// The lines of a file without their line ends; a byte order mark is dropped.
    static func lines(_ path: String) throws -> [String] {
        var bytes = try bytes(path)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.last == 0x0A { bytes.removeLast() }
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
    }

    /// A folder of the repository, such as `data/sample`.
    static func repository(_ folder: String, from file: String = #filePath) throws -> String {
        var parts = file.split(separator: "/")
        while !parts.isEmpty {
            parts.removeLast()
            let candidate = "/" + parts.joined(separator: "/") + "/" + folder
            if access(candidate, R_OK) == 0 { return candidate }
        }
        return try #require(nil, "the repository holds \(folder)")
    }
}
