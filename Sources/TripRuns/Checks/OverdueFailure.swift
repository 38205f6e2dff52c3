import TripDomain

/// The failure of a run that found no new file although an export was due.
struct OverdueFailure {
    let report: RunReport
    let inputPath: String

    var failure: Failure {
        let sources = report.overdue
        var failure = Failure(
            status: .missingFile,
            summary: sources.count == 1
                ? "an expected export is overdue"
                : "expected exports of \(sources.count) sources are overdue",
            what: sources.map { "\($0.overdueText)." }
                + report.refused.map { "\($0.path) came and is refused: \($0.reason)." },
            remedies: [
                "Ask the sender for the export and put it into \(ShellWord.quoted(inputPath)).",
                "Run the command again.",
            ]
        )
        var rest = report
        rest.overdue = []
        rest.refused = []
        failure.report = rest
        return failure
    }
}
