import TripEngine
import TripMart
import TripPipeline

/// The files of the input folder, matched to the sources of a pipeline.
struct MatchedFiles: Sendable {
    /// A file that belongs to a source.
    struct Arrival: Sendable, Hashable {
        let sourceIndex: Int
        let file: LandingFile
    }

    /// Why a file waits for the next run.
    enum Waiting: String, Sendable {
        /// Its name marks it as unfinished.
        case unfinished = "its name marks it as unfinished"
        /// It was written to within the source's settle time.
        case settling = "it was still being written to"
    }

    /// Files to read, by path.
    private(set) var arrivals: [Arrival] = []
    /// Files left for the next run.
    private(set) var waiting: [(path: String, reason: Waiting)] = []
    /// Files that match no source.
    private(set) var unclaimed: [String] = []

    /// Matches the files of a folder to sources.
    ///
    /// - Parameters:
    ///   - files: The files found.
    ///   - sources: The pipeline's sources.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - skipped: Paths that the operator leaves out.
    /// - Throws: ``RunError`` with code `badPipeline` where two sources match one file.
    init(
        files: [LandingFile],
        sources: [SourceDefinition],
        now: Int64,
        skipped: PathSet
    ) throws(RunError) {
        for file in files where !skipped.contains(file.path) {
            let claiming = sources.indices.filter { index in
                sources[index].globs.contains {
                    Glob(text: $0).matches(Self.finishedName(file.path))
                }
            }
            guard let first = claiming.first else {
                unclaimed.append(file.path)
                continue
            }
            guard claiming.count == 1 else {
                throw RunError(
                    .badPipeline,
                    summary: "two sources match one file",
                    what: "\(file.path) matches the `files` of "
                        + claiming.map { "`\(sources[$0].name)`" }.joined(separator: " and ") + ".",
                    remedies: ["Narrow the `files` of one source in pipeline.yaml."]
                )
            }
            if Self.isUnfinished(file.path) {
                waiting.append((file.path, .unfinished))
            } else if (0..<sources[first].settleSeconds).contains(now - file.modifiedAt) {
                // A time in the future shows that clocks differ, not that the file is being
                // written.
                waiting.append((file.path, .settling))
            } else {
                arrivals.append(Arrival(sourceIndex: first, file: file))
            }
        }
    }

    /// `.name`, `name.part` and `name.tmp` mark files that are still being written.
    static func isUnfinished(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix(".") || name.hasSuffix(".part") || name.hasSuffix(".tmp")
    }

    /// The path a file will have when it is finished.
    private static func finishedName(_ path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        guard var name = parts.popLast() else { return path }
        for suffix in [".part", ".tmp"] where name.hasSuffix(suffix) {
            name.removeLast(suffix.count)
        }
        while name.hasPrefix(".") { name.removeFirst() }
        return (parts + [name]).joined(separator: "/")
    }
}

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
        var name = path
        if name.hasSuffix(".gz") { name.removeLast(3) }
        if name.hasSuffix(".csv") { name.removeLast(4) }
        return name
    }
}

/// A file name pattern: `*` any run of characters, `?` one, neither across `/`; `**/` any folders.
struct Glob: Sendable, Hashable {
    let text: String

    /// Whether a path below the input folder matches.
    func matches(_ path: String) -> Bool {
        Self.match(Array(text.utf8)[...], Array(path.utf8)[...])
    }

    private static func match(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if pattern.starts(with: "**/".utf8) {
            let rest = pattern.dropFirst(3)
            if match(rest, path) { return true }
            guard let slash = path.firstIndex(of: 0x2F) else { return false }
            return match(pattern, path[(slash + 1)...])
        }
        switch first {
        case 0x2A:
            let rest = pattern.dropFirst()
            var remainder = path
            while true {
                if match(rest, remainder) { return true }
                guard let next = remainder.first, next != 0x2F else { return false }
                remainder = remainder.dropFirst()
            }
        case 0x3F:
            guard let next = path.first, next != 0x2F else { return false }
            return match(pattern.dropFirst(), path.dropFirst())
        default:
            return path.first == first && match(pattern.dropFirst(), path.dropFirst())
        }
    }
}
