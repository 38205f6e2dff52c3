import TripDomain

/// A night that brought nothing although an export was due.
struct Overdue {
    let sources: [SourceClock]
    /// Files that came and cannot be read.
    let refused: [(path: String, reason: String)]
    let inputPath: String

    var failure: Failure {
        Failure(
            status: .missingFile,
            summary: sources.count == 1
                ? "an expected export is overdue"
                : "expected exports of \(sources.count) sources are overdue",
            what: sources.map { "\($0.overdueText)." }
                + refused.map { "\($0.path) came and cannot be read: \($0.reason)." },
            remedies: [
                "Ask the sender for the export and put it into \(inputPath).",
                "Run the command again.",
            ]
        )
    }
}
