import TripDomain
import TripMart

/// A night withheld because a required file cannot be read, or has no place in the mart: what it would
/// mean to go on without it.
struct Withheld {
    let refusals: [NightExports.Refusal]
    let report: NightReport
    let newFileCount: Int

    var failure: Failure {
        let count = refusals.count
        let isMisplaced = refusals.allSatisfy(\.isMisplaced)
        let noun = count == 1 ? "required file" : "required files"
        var what = refusals.map { "\($0.path): \($0.reason)." }
        let unreadable = refusals.first { !$0.isMisplaced } ?? refusals[0]
        if newFileCount > 0 {
            let others = newFileCount == 1 ? "One other file is" : "\(newFileCount) other files are"
            what.append("\(others) read and wait.")
        }
        let skips = refusals.map { "--skip \($0.path)" }.joined(separator: " ")
        return Failure(
            status: isMisplaced ? .withheld : .noUsableInput,
            summary: "\(count) \(noun) \(isMisplaced ? "of another mart" : "unreadable")",
            what: what,
            remedies: [
                isMisplaced
                    ? refusals[0].remedy + ", and take the file out of the input folder."
                    : unreadable.remedy
                        + " Put it in the input folder under any name the source takes.",
                "Run the command again.",
                "Only if it cannot be had: add  \(skips)  (publishes, exit 10, says so).",
            ],
            matter: matter
        )
    }

    /// What the latest month would read without the files, beside what is served.
    private var matter: String? {
        guard let (month, sums) = report.latestMonth else { return nil }
        return "If skipped, " + NightScreen.monthLine(month, sums) + "."
    }
}
