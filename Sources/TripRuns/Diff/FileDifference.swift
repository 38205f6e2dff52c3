import TripDomain
import TripMart
import TripPipeline

/// The exports in which two generations differ.
public struct FileDifference: Sendable {
    /// Exports that only the earlier one uses.
    public let gone: [String]
    /// Exports that only the later one uses.
    public let come: [String]
    /// Exports that both use, with different contents.
    public let changed: [String]

    /// Compares the exports of two generations.
    init(_ first: [SourceFileEntry], _ second: [SourceFileEntry]) {
        let (before, now) = (Self.contents(first), Self.contents(second))
        func paths(_ names: some Sequence<Name>) -> [String] {
            names.sorted { ($0.path, $0.source) < ($1.path, $1.source) }.map(\.path.text)
        }
        gone = paths(before.keys.filter { now[$0] == nil })
        come = paths(now.keys.filter { before[$0] == nil })
        changed = paths(now.filter { before[$0.key] != nil && before[$0.key] != $0.value }.keys)
    }

    /// A path of a source.
    private struct Name: Hashable {
        let source: String
        let path: ByteText
    }

    /// The contents of each export in force.
    private static func contents(_ files: [SourceFileEntry]) -> [Name: Set<String>] {
        var contents: [Name: Set<String>] = [:]
        for file in files where file.status == .current {
            let name = Name(source: file.source, path: ByteText(file.path))
            contents[name, default: []].insert(file.contentHash)
        }
        return contents
    }
}
