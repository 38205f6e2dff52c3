import TripDomain
import TripPipeline

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
