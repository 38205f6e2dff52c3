import TripDomain
import TripMart

/// The refusal to publish because a required file cannot be read, or does not belong in the mart;
/// it states what publishing without the file would mean.
struct PublicationRefusal {
    let refusals: [ClassifiedExports.Refusal]
    let report: RunReport

    var failure: Failure {
        let count = refusals.count
        let isOfOtherKind = refusals.allSatisfy(\.isOfOtherKind)
        var what = refusals.map { "\($0.path): \($0.reason)." }
        let newFileCount = report.newFileCount
        if newFileCount > 0 {
            let others = Counted.text(newFileCount, "other file")
            what.append(
                "\(others) \(newFileCount == 1 ? "is read and waits" : "are read and wait")."
            )
        }
        return Failure(
            status: isOfOtherKind ? .withheld : .noUsableInput,
            summary:
                Counted.text(count, "required file")
                + (isOfOtherKind ? " of another mart" : " unreadable"),
            what: what,
            remedies: steps + [
                "Run the command again. A new copy of a file may have any name its source matches."
            ] + skipping,
            matter: matter
        )
    }

    /// The command that publishes without the files, where skipping them is possible.
    private var skipping: [String] {
        let skipped = refusals.filter(\.maySkip).map(\.path)
        guard !skipped.isEmpty else { return [] }
        let flags = skipped.map { path in
            // A name that begins with a dash would be read as a flag of its own.
            "--skip" + (path.hasPrefix("-") ? "=" : " ") + ShellWord.quoted(path)
        }
        return [
            "Only if \(skipped.count == 1 ? "it" : "they") cannot be obtained: add  "
                + flags.joined(separator: " ") + "  (publishes, exit 10, says so)."
        ]
    }

    /// The remedy of each file; a remedy that all share is given once.
    private var steps: [String] {
        let remedies = refusals.map { refusal in
            refusal.isOfOtherKind
                ? refusal.remedy + ", and take the file out of the input folder." : refusal.remedy
        }
        guard Set(remedies).count > 1 else { return [remedies[0]] }
        return zip(refusals, remedies).map { "\($0.path): \($1)" }
    }

    /// The latest month without the files, compared with what is served.
    private var matter: Failure.Matter? {
        report.latestMonth.map { .without($0.month, $0.sums) }
    }
}
