import TripDomain

/// The identity of an export: its source and its logical path, byte by byte.
///
/// Swift treats an accented letter as equal whether it is written in one code point or in two. Two
/// such names are two files.
struct PathKey: Hashable, Sendable {
    private let source: String
    private let path: [UInt8]

    /// Names an export.
    ///
    /// - Parameters:
    ///   - source: The source's name in the pipeline.
    ///   - path: A path the export has or had, with or without `.csv` and `.gz`.
    init(source: String, path: String) {
        self.source = source
        self.path = Array(LogicalPath.of(path).utf8)
    }
}

/// A set of paths, compared byte by byte like the files they name.
struct PathSet: Sendable {
    private let paths: Set<[UInt8]>

    init(_ paths: some Sequence<String>) {
        self.paths = Set(paths.map { Array($0.utf8) })
    }

    func contains(_ path: String) -> Bool {
        paths.contains(Array(path.utf8))
    }
}

/// The path of an export without `.csv` and `.gz`.
///
/// It identifies the export, so that compressing a file again does not make it another one.
enum LogicalPath {
    static func of(_ path: String) -> String {
        // Versions before this one kept names as the system has them.
        var name = plain(UnseenCharacters.named(in: path))
        if name.hasSuffix(".csv") { name.removeLast(4) }
        return name
    }

    /// A path without `.gz`.
    static func plain(_ path: String) -> String {
        path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
    }
}
