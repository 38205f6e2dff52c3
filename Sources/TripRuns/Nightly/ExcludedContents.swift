import TripDomain
import TripEngine
import TripMart
import TripPipeline

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

/// The exclusions of rollbacks, sorted into those that a run includes again and those that stay.
struct SortedExclusions: Sendable {
    /// Exports to be taken in again, in the order in which they first were.
    let included: [Exclusion]
    /// Contents that stay excluded.
    let staying: [Exclusion]

    /// Sorts the exclusions by the operator's request.
    ///
    /// - Parameters:
    ///   - exclusions: The exclusions of rollbacks.
    ///   - known: The exports that count.
    ///   - options: The options of the run.
    /// - Throws: ``RunError`` with code `usage` where a requested file is not excluded, was
    ///   replaced since, or is to be skipped as well.
    init(
        _ exclusions: [Exclusion],
        known: [SourceFileEntry],
        _ options: RunOptions
    ) throws(RunError) {
        // A content that was replaced since is not missing, and would undo its replacement.
        let missed = exclusions.files.withoutReplacement(by: known)
        let paths = PathSet(missed.map { LogicalPath.of($0.path) })
        let skipped = PathSet(options.skippedFiles.map(LogicalPath.of))
        for path in options.includedFiles.sorted() where path != Self.everything {
            let name = LogicalPath.of(path)
            guard paths.contains(name) else {
                let excluded = PathSet(exclusions.files.map { LogicalPath.of($0.path) })
                throw Self.refusal(
                    path,
                    excluded.contains(name)
                        ? "another content of it came later and counts"
                        : "no rollback left such a file out",
                    Suggestion.text(for: path, among: missed.map(\.path))
                )
            }
            guard !skipped.contains(name) else {
                throw Self.refusal(path, "--skip names it as well", "")
            }
        }
        let asked = PathSet(options.includedFiles.map(LogicalPath.of))
        let isAll = options.includedFiles.contains(Self.everything)
        let included = missed.filter { exclusion in
            let name = LogicalPath.of(exclusion.path)
            return (isAll && !skipped.contains(name)) || asked.contains(name)
        }
        self.included = included.sorted {
            ($0.sequence, $0.generation) < ($1.sequence, $1.generation)
        }
        staying = exclusions.filter { !included.contains($0) }
    }

    /// The word that requests all missing files.
    private static let everything = "all"

    private static func refusal(_ path: String, _ why: String, _ suggestion: String) -> RunError {
        RunError(
            .usage,
            summary: "a file cannot be included",
            what: "--include \(path): \(why).",
            remedies: [
                suggestion,
                "Every run names the files that are left out; --include all takes all of them in.",
            ].filter { !$0.isEmpty }
        )
    }
}

/// Files that rollbacks excluded.
extension FileIntake {
    /// Removes excluded files from a delivery.
    ///
    /// - Parameters:
    ///   - delivered: The files of the input folder.
    ///   - exclusions: The exclusions of rollbacks.
    /// - Returns: The other files.
    /// - Complexity: Reads only files whose path has an excluded content.
    mutating func withoutExcluded(
        _ delivered: [MatchedFiles.Arrival],
        _ exclusions: [Exclusion]
    ) -> [MatchedFiles.Arrival] {
        let excluded = ExcludedContents(exclusions)
        var others: [MatchedFiles.Arrival] = []
        for arrival in delivered {
            let source = pipeline.sources[arrival.sourceIndex]
            let location = landing.location(of: arrival.file)
            if excluded.has(arrival.file.path),
                let exclusion = excluded.exclusion(
                    of: arrival.file.path,
                    archiveHash: bytesHash(location, arrival.file.path),
                    contentHash: expandedHash(location, source: source)
                )
            {
                excludedAgain.append(exclusion)
            } else {
                others.append(arrival)
            }
        }
        return others
    }

    /// Takes in files that rollbacks excluded; those that are not in the input folder come from the
    /// archive.
    ///
    /// - Parameter exclusions: The files, in the order in which they first came.
    mutating func include(_ exclusions: [Exclusion]) {
        prepend(exclusions.filter { !hasArrival(of: $0) }.compactMap { archived($0) })
    }

    /// Whether the input folder has this content again.
    private func hasArrival(of exclusion: Exclusion) -> Bool {
        arrivals.contains { arrival in
            let source = pipeline.sources[arrival.sourceIndex]
            let isSamePath =
                PathKey(source: "", path: arrival.path) == PathKey(source: "", path: exclusion.path)
            guard isSamePath else { return false }
            return exclusion.isContent(
                archiveHash: bytesHash(arrival.location, arrival.path),
                contentHash: expandedHash(arrival.location, source: source)
            )
        }
    }

    /// An excluded file from the archive; refused where it is not there.
    private mutating func archived(_ exclusion: Exclusion) -> Arrival? {
        let index = pipeline.sources.firstIndex { $0.name == exclusion.source }
        guard let index,
            let orderKey = FileRegister.orderKey(
                path: exclusion.path,
                source: pipeline.sources[index]
            ),
            let period = FileRegister.period(path: exclusion.path, source: pipeline.sources[index]),
            // A file whose bytes have changed counts as lost.
            let location = try? archive.verifiedPath(hash: exclusion.archiveHash)
        else {
            refuse(
                exclusion.path,
                index ?? 0,
                "a rollback left it out, and now the archive has lost it or no source of the "
                    + "pipeline matches it",
                "Deliver it again."
            )
            return nil
        }
        return Arrival(
            sourceIndex: index,
            path: exclusion.path,
            archiveHash: exclusion.archiveHash,
            contentHash: exclusion.contentHash,
            location: location,
            state: nil,
            orderKey: orderKey,
            period: period
        )
    }

    /// The hash of a file's bytes; empty where it cannot be read.
    private func bytesHash(_ location: String, _ name: String) -> String {
        // A file that cannot be read is refused, with its reason, when its records are read.
        (try? ContentHash.ofFile(path: location, name: name)) ?? ""
    }
}
