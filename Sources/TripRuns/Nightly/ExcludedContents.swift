import TripDomain
import TripMart

/// The contents that rollbacks excluded, so that a run recognises them when they are delivered
/// again.
///
/// A content is recognised by path and bytes, whatever source matches the path now: the rollback
/// may have brought back other sources.
struct ExcludedContents: Sendable {
    private let byPath: [PathKey: [Exclusion]]

    init(_ exclusions: [Exclusion]) {
        byPath = Dictionary(grouping: exclusions.files) { PathKey(source: "", path: $0.path) }
    }

    /// Whether a content of a path is excluded.
    func has(_ path: String) -> Bool { byPath[PathKey(source: "", path: path)] != nil }

    /// The excluded content of a path, compressed or not.
    func exclusion(of path: String, archiveHash: String, contentHash: String) -> Exclusion? {
        byPath[PathKey(source: "", path: path)]?.first {
            $0.isContent(archiveHash: archiveHash, contentHash: contentHash)
        }
    }
}

extension Exclusion {
    /// Whether some bytes are the excluded content, compressed or not.
    func isContent(archiveHash: String, contentHash: String) -> Bool {
        self.archiveHash == archiveHash
            || (!contentHash.isEmpty && self.contentHash == contentHash)
    }
}

extension PathKey {
    /// The export that an excluded content belongs to.
    init(_ exclusion: Exclusion) { self.init(source: exclusion.source, path: exclusion.path) }

    /// The export that a known content belongs to.
    init(_ file: SourceFileEntry) { self.init(source: file.source, path: file.path) }
}

extension [Exclusion] {
    /// The exports among them.
    var files: [Exclusion] { filter { $0.kind == .file } }

    /// The exclusions of exports of which no later content counts.
    func withoutReplacement(by known: [SourceFileEntry]) -> [Exclusion] {
        withoutReplacement(by: known.map { (PathKey($0), $0.sequence) })
    }

    /// The excluded exports to report: those that no later content replaced, and those that were
    /// delivered again although one did.
    ///
    /// - Parameters:
    ///   - counting: The contents that count, with their sequence numbers.
    ///   - again: The excluded contents that were delivered again.
    /// - Returns: Each once.
    func named(
        counting: [(key: PathKey, sequence: Int)],
        again: [Exclusion]
    ) -> [Exclusion] {
        let missed = files.withoutReplacement(by: counting)
        return missed + again.filter { !missed.contains($0) }
    }

    /// The exclusions of exports of which no later content counts, by the sequence numbers of those
    /// that do.
    func withoutReplacement(by known: [(key: PathKey, sequence: Int)]) -> [Exclusion] {
        let last = Dictionary(known.map { ($0.key, $0.sequence) }) { Swift.max($0, $1) }
        return filter { (last[PathKey($0)] ?? 0) <= $0.after }
    }
}
