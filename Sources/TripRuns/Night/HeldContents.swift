import TripDomain
import TripMart

/// The contents that rollbacks left out, to be recognised when they are met again.
///
/// By path and content, whatever source claims the path now: going back may have brought back other sources.
struct HeldContents: Sendable {
    private let byPath: [PathKey: [Hold]]

    init(_ holds: [Hold]) {
        byPath = Dictionary(grouping: holds.files) { PathKey(source: "", path: $0.path) }
    }

    /// Whether some content of a path is held.
    func has(_ path: String) -> Bool { byPath[PathKey(source: "", path: path)] != nil }

    /// The content of a path that is held, compressed or not.
    func hold(of path: String, archiveHash: String, contentHash: String) -> Hold? {
        byPath[PathKey(source: "", path: path)]?.first {
            $0.isContent(archiveHash: archiveHash, contentHash: contentHash)
        }
    }
}

extension Hold {
    /// Whether some bytes are what is held, compressed or not.
    func isContent(archiveHash: String, contentHash: String) -> Bool {
        self.archiveHash == archiveHash
            || (!contentHash.isEmpty && self.contentHash == contentHash)
    }
}

extension PathKey {
    /// The export a held content is of.
    init(_ hold: Hold) { self.init(source: hold.source, path: hold.path) }

    /// The export a known content is of.
    init(_ file: SourceFileEntry) { self.init(source: file.source, path: file.path) }
}

extension [Hold] {
    /// The exports among them.
    var files: [Hold] { filter { $0.kind == .file } }

    /// Those of whose export no later content counts.
    func unmended(by known: [SourceFileEntry]) -> [Hold] {
        unmended(by: known.map { (PathKey($0), $0.sequence) })
    }

    /// The exports to be named: those that nothing mended, and those that were delivered again, though
    /// something did.
    ///
    /// - Parameters:
    ///   - counting: The contents that count, by their places.
    ///   - again: What of the held exports was delivered again.
    /// - Returns: Each once.
    func named(
        counting: [(key: PathKey, sequence: Int)],
        again: [Hold]
    ) -> [Hold] {
        let missed = files.unmended(by: counting)
        return missed + again.filter { !missed.contains($0) }
    }

    /// Those of whose export no later content counts, by the places of those that do.
    func unmended(by known: [(key: PathKey, sequence: Int)]) -> [Hold] {
        let last = Dictionary(known.map { ($0.key, $0.sequence) }) { Swift.max($0, $1) }
        return filter { (last[PathKey($0)] ?? 0) <= $0.after }
    }
}
