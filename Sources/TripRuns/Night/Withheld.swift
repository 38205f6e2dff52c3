import TripDomain
import TripMart

/// A night withheld because a required file cannot be read, or has no place in the mart: what it would
/// mean to go on without it.
struct Withheld {
    let refusals: [NightExports.Refusal]
    let report: NightReport

    var failure: Failure {
        let count = refusals.count
        let isMisplaced = refusals.allSatisfy(\.isMisplaced)
        var what = refusals.map { "\($0.path): \($0.reason)." }
        let newFileCount = report.newFileCount
        if newFileCount > 0 {
            let others = Counted.text(newFileCount, "other file")
            what.append(
                "\(others) \(newFileCount == 1 ? "is read and waits" : "are read and wait")."
            )
        }
        return Failure(
            status: isMisplaced ? .withheld : .noUsableInput,
            summary:
                "\(Counted.text(count, "required file")) \(isMisplaced ? "of another mart" : "unreadable")",
            what: what,
            remedies: steps + [
                "Run the command again. A file that came again may have any name its source takes."
            ] + skipping,
            matter: matter
        )
    }

    /// The command that goes on without the files, where leaving them out is a way out.
    private var skipping: [String] {
        let skipped = refusals.filter(\.maySkip).map(\.path)
        guard !skipped.isEmpty else { return [] }
        let flags = skipped.map { path in
            // What begins with a dash would be read as a flag of its own.
            "--skip" + (path.hasPrefix("-") ? "=" : " ") + Shown.shell(path)
        }
        return [
            "Only if \(skipped.count == 1 ? "it" : "they") cannot be had: add  "
                + flags.joined(separator: " ") + "  (publishes, exit 10, says so)."
        ]
    }

    /// What to do about the files: each its own remedy, and one that is the same for all said once.
    private var steps: [String] {
        let remedies = refusals.map { refusal in
            refusal.isMisplaced
                ? refusal.remedy + ", and take the file out of the input folder." : refusal.remedy
        }
        guard Set(remedies).count > 1 else { return [remedies[0]] }
        return zip(refusals, remedies).map { "\($0.path): \($1)" }
    }

    /// What the latest month would read without the files, beside what is served.
    private var matter: String? {
        guard let (month, sums) = report.latestMonth else { return nil }
        return "If skipped, " + NightScreen.monthLine(month, sums) + "."
    }
}
