import TripDomain

/// What a run does with what rollbacks left out.
struct SortedHolds: Sendable {
    /// Exports to be taken in again, in the order in which they first were.
    let included: [Hold]
    /// What goes on being left out.
    let staying: [Hold]

    /// Sorts what is held by what the operator asks for.
    ///
    /// - Parameters:
    ///   - holds: What rollbacks left out.
    ///   - known: The exports that count.
    ///   - options: What is asked for.
    /// - Throws: ``RunError`` with code `usage` where a file that is asked for is not held, was mended since,
    ///   or is to be skipped as well.
    init(
        _ holds: [Hold],
        known: [SourceFileEntry],
        _ options: RunOptions
    ) throws(RunError) {
        // What was mended since is not missed, and would take the place of what mended it.
        let missed = holds.files.unmended(by: known)
        let paths = PathSet(missed.map { LogicalPath.of($0.path) })
        let skipped = PathSet(options.skippedFiles.map(LogicalPath.of))
        for path in options.includedFiles.sorted() where path != Self.everything {
            let name = LogicalPath.of(path)
            guard paths.contains(name) else {
                let held = PathSet(holds.files.map { LogicalPath.of($0.path) })
                throw Self.refusal(
                    path,
                    held.contains(name)
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
        let included = missed.filter { hold in
            let name = LogicalPath.of(hold.path)
            return (isAll && !skipped.contains(name)) || asked.contains(name)
        }
        self.included = included.sorted {
            ($0.sequence, $0.generation) < ($1.sequence, $1.generation)
        }
        staying = holds.filter { !included.contains($0) }
    }

    /// The word that asks for all that is missed.
    private static let everything = "all"

    private static func refusal(_ path: String, _ why: String, _ suggestion: String) -> RunError {
        RunError(
            .usage,
            summary: "a file cannot be included",
            what: "--include \(path): \(why).",
            remedies: [
                suggestion, "What is held is named by every run; --include all takes in all of it.",
            ].filter { !$0.isEmpty }
        )
    }
}
