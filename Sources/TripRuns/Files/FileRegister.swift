import TripDomain
import TripEngine
import TripPipeline

/// All contents ever taken in, in order of exports, and which of them are in force.
///
/// The register determines the state of the mart. It depends on the contents of each path and on
/// their sequence at that path, and on nothing else: neither on the clock nor on the order in which
/// different paths were delivered.
struct FileRegister: Sendable {
    /// One content of one path.
    struct Entry: Sendable, Hashable {
        let sourceIndex: Int
        let path: String
        /// Its number among all contents of the same path, from 1.
        let sequence: Int
        /// SHA-256 of the expanded content; empty where that is not known before it is read.
        let contentHash: String
        /// SHA-256 of the bytes; empty for a path that is new to a dry run.
        let archiveHash: String
        let orderKey: String
        let period: String
        /// Whether this run reads it for the first time.
        let isNew: Bool
        /// The day a run first took it in; nil where that is not known.
        let takenIn: CivilDate?

        /// What has to be hashed when it is read.
        ///
        /// A known file is hashed in full, to see that it has not changed; a new one only where the
        /// copy into the archive did not compute the hash.
        var hashing: Hashing {
            guard isNew else { return .all }
            return archiveHash.isEmpty || !contentHash.isEmpty ? .none : .content
        }
    }

    /// The entries in order of exports.
    let entries: [Entry]
    /// Per entry, whether its records are in force.
    let isCurrent: [Bool]

    /// Orders entries and decides which of them are in force.
    init(_ entries: [Entry], sources: [SourceDefinition]) {
        let sorted = entries.sorted { Self.isBefore($0, $1, sources) }
        self.entries = sorted
        var lastOfPath: [PathKey: Int] = [:]
        var lastOfPeriod: [[UInt8]: Int] = [:]
        let keys = sorted.map { PathKey(source: sources[$0.sourceIndex].name, path: $0.path) }
        for (key, entry) in zip(keys, sorted) {
            lastOfPath[key] = max(entry.sequence, lastOfPath[key] ?? 0)
        }
        let isLastOfPath = zip(keys, sorted).map { $1.sequence == lastOfPath[$0] }
        // In order of exports, the last index assigned is the content in force for its period.
        for (index, entry) in sorted.enumerated() where isLastOfPath[index] {
            lastOfPeriod[Self.periodKey(entry)] = index
        }
        isCurrent = sorted.enumerated().map { index, entry in
            switch sources[entry.sourceIndex].replaces {
            case .nothing: true
            case .samePath: isLastOfPath[index]
            case .period: lastOfPeriod[Self.periodKey(entry)] == index
            }
        }
    }

    private static func periodKey(_ entry: Entry) -> [UInt8] {
        Array("\(entry.sourceIndex) \(entry.period)".utf8)
    }

    private static func isBefore(
        _ left: Entry,
        _ right: Entry,
        _ sources: [SourceDefinition]
    ) -> Bool {
        let (leftPath, rightPath) = (LogicalPath.of(left.path), LogicalPath.of(right.path))
        for (left, right) in [(left.orderKey, right.orderKey), (leftPath, rightPath)]
        where !left.utf8.elementsEqual(right.utf8) {
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        if left.sourceIndex != right.sourceIndex { return left.sourceIndex < right.sourceIndex }
        // Where a re-sent file replaces nothing, both contents are in force and neither may be
        // later by arrival alone.
        if sources[left.sourceIndex].replaces == .nothing, left.contentHash != right.contentHash {
            return left.contentHash < right.contentHash
        }
        return left.sequence < right.sequence
    }

    /// The key by which a source orders a file, from its path alone; nil where the pattern does not
    /// match.
    static func orderKey(path: String, source: SourceDefinition) -> String? {
        switch source.order {
        case .path, .field: LogicalPath.of(path)
        case .name(let pattern):
            pattern.capture(in: path.split(separator: "/").last.map(String.init) ?? path)
        }
    }

    /// The period a file covers; nil where the pattern does not match.
    static func period(path: String, source: SourceDefinition) -> String? {
        guard let pattern = source.period else { return "" }
        return pattern.capture(in: path.split(separator: "/").last.map(String.init) ?? path)
    }
}
