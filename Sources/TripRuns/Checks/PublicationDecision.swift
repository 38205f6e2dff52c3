import TripDomain
import TripMart
import TripPipeline

/// Decides whether a run may publish: files, the lack of trips, or a check may prevent it.
struct PublicationDecision {
    private let report: RunReport
    private let refusals: [ClassifiedExports.Refusal]
    private let isDryRun: Bool
    private let inputPath: String

    /// Prepares the decision.
    ///
    /// - Parameters:
    ///   - report: The report of the run, with its checks.
    ///   - refusals: The files that could not be taken in.
    ///   - options: Where the exports lie, and whether the operator wants to see the account in any
    ///     case.
    init(_ report: RunReport, refusals: [ClassifiedExports.Refusal], _ options: RunOptions) {
        (isDryRun, inputPath) = (options.isDryRun, options.inputPath)
        self.report = report
        self.refusals = refusals.filter(\.isWithholding)
    }

    /// Throws before anything is written, where a file or a check prevents publication.
    ///
    /// - Throws: ``Failure`` with the account of the run: the mart will not have it later.
    func pass() throws(Failure) {
        // Where trips are served, it is the files that take them away which are named.
        let isNothing =
            report.trips == 0 && report.previousTrips == 0
            && refusals.allSatisfy { $0.objection == .smaller }
        guard refusals.isEmpty || isNothing else {
            let withheld = PublicationRefusal(refusals: refusals, report: report).failure
            throw complete(withheld, withAccount: isDryRun)
        }
        guard report.trips > 0 else { throw complete(noTrips) }
        guard !report.checks.contains(where: { $0.outcome == .error }) else {
            throw complete(failedChecks)
        }
    }

    /// Adds the account and the run so far to a failure.
    private func complete(_ failure: Failure, withAccount: Bool = true) -> Failure {
        var failure = failure
        if withAccount {
            failure.account = Failure.Account(ledger: report.ledger, rejects: report.rejects)
        }
        // The files that withhold the run are named by the failure itself.
        var rest = report
        rest.outcome = .withheld
        rest.refused.removeAll { file in refusals.contains { $0.path == file.path } }
        failure.report = rest
        return failure
    }

    /// How to see a rejected record: the mart keeps none of a run that is not published.
    private var rejectAdvice: String {
        guard let first = report.rejects.first?.first, report.tripsAt == nil else {
            return "docs/REJECTS.md explains the reasons."
        }
        let file = ShellWord.quoted(inputPath + "/" + first.file)
        let line = "sed -n \(first.lineNumber)p"
        let command = first.file.hasSuffix(".gz") ? "gzip -dc \(file) | \(line)" : "\(line) \(file)"
        return "Look at the first of each reason, as in  \(command)  (it may name a patient); "
            + "docs/REJECTS.md explains the reasons."
    }

    private var noTrips: Failure {
        let what: String
        var summary = "no trip could be read"
        var remedies = ["Run again: \(report.again)"]
        let (read, rejected) = (report.ledger.read.items, report.ledger[.rejected].items)
        if rejected < read {
            summary = "no trip is left"
            what = "No trip is left. Items of the new files: \(itemsByTerm)."
            remedies =
                (rejected > 0 ? [rejectAdvice] : []) + [
                    "Look whether the sender meant that: a line is withdrawn where a void or a "
                        + "reversal takes it back, a file where another one replaces it.",
                    "Have the sender correct the exports, or correct the pipeline if it is wrong.",
                ] + remedies
        } else if read > 0 {
            what = "Every record of the new files was rejected."
            remedies =
                [
                    rejectAdvice,
                    "Have the sender correct the exports, or correct the layouts if wrong.",
                ] + remedies
        } else if report.newFileCount == 0, report.refused.count > refusals.count {
            what = "No file could be taken in."
            remedies.insert(
                "Below is why each was refused; correct that, or get the file again.",
                at: 0
            )
        } else {
            what = "The new files hold a header and no record."
            remedies = [
                "Ask the sender for exports with records.",
                "Run again: \(report.again)",
            ]
        }
        return Failure(
            status: .noUsableInput,
            summary: summary,
            what: [what],
            remedies: remedies
        )
    }

    /// What became of the items of the new files: `2 withdrawn, 1 rejected`.
    private var itemsByTerm: String {
        LedgerTerm.allCases.compactMap { term in
            let count = report.ledger[term].items
            return count == 0 ? nil : "\(Counted.number(count)) \(term.rawValue)"
        }.joined(separator: ", ")
    }

    private var failedChecks: Failure {
        let failed = report.checks.filter { $0.outcome == .error }
        let conditions = failed.map(\.condition)
        let advice =
            if conditions.contains(where: { $0.contains("reject") }) && !report.rejects.isEmpty {
                rejectAdvice
            } else if conditions.contains(where: { $0.contains("undetermined") }) {
                "See whether the reference files cover these trips, and whether the rules know the "
                    + "values of these exports."
            } else {
                "Compare the account with that of other runs: triptych runs list"
                    + report.martFlags
            }
        return Failure(
            status: .withheld,
            summary: failed.count == 1
                ? "the check \(failed[0].id) failed"
                : Counted.text(failed.count, "check") + " failed",
            what: failed.map { "\($0.id): \($0.detail) (error if \($0.condition))." },
            remedies: [
                advice,
                "If an export is wrong, have it corrected and sent again, then run again.",
                failed.contains { $0.id.hasPrefix(CheckDefinition.builtInPrefix) }
                    ? "If the numbers are right, write a check of your own for that measure into "
                        + "the pipeline: it takes the place of the built-in one. Then run again."
                    : failed.contains { $0.id == CheckDefinition.tripIDs }
                        ? "If trips are sent again to correct them, remove `trip_ids: unique` from "
                            + "the pipeline: the run then finds the accepted version of each."
                        : "If the numbers are right, change the check in the pipeline and run "
                            + "again.",
            ]
        )
    }
}

/// The refusal to publish because a required file cannot be read, or does not belong in the mart;
/// it states what publishing without the file would mean.
struct PublicationRefusal {
    let refusals: [ClassifiedExports.Refusal]
    let report: RunReport

    var failure: Failure {
        let count = refusals.count
        let isReadable = refusals.allSatisfy { $0.objection != nil }
        var what = refusals.map { "\($0.path): \($0.reason)." }
        let newFileCount = report.newFileCount
        if newFileCount > 0 {
            let others = Counted.text(newFileCount, "other file")
            what.append(
                "\(others) \(newFileCount == 1 ? "is read and waits" : "are read and wait")."
            )
        }
        return Failure(
            status: isReadable ? .withheld : .noUsableInput,
            summary: Counted.text(count, "required file") + " " + verdict,
            what: what,
            remedies: steps + [
                "Run again; a new copy of a file may have any name its source matches: "
                    + "\(report.again)"
            ] + accepting + skipping,
            matter: matter
        )
    }

    /// What is wrong with the files: the gravest where they differ.
    private var verdict: String {
        if refusals.allSatisfy(\.isTwin) { return "of the same export" }
        if refusals.contains(where: \.isTwin) { return "that cannot be used" }
        if refusals.contains(where: { $0.objection == nil }) { return "unreadable" }
        if refusals.allSatisfy({ $0.objection == .gone }) { return "gone" }
        let isSmaller = refusals.contains { $0.objection == .smaller || $0.objection == .gone }
        guard isSmaller else { return "of another mart" }
        return refusals.count == 1
            ? "with nothing, or far less than it replaces"
            : "with nothing, or far less than they replace"
    }

    /// The command that takes smaller files as they are.
    private var accepting: [String] {
        let smaller = refusals.filter { $0.objection == .smaller }.map(\.path)
        let gone = refusals.filter { $0.objection == .gone }.map(\.path)
        guard !smaller.isEmpty || !gone.isEmpty else { return [] }
        let meant =
            smaller.isEmpty
            ? "\(gone.count == 1 ? "its" : "their") trips are meant to go"
            : "\(smaller.count == 1 ? "it is" : "they are") meant to replace what was there"
        return [
            "Only if \(meant): add  \(Self.flags("--accept-smaller", smaller + gone))  "
                + "(publishes, exit 10, says so)."
        ]
    }

    /// A flag for each of some paths.
    private static func flags(_ flag: String, _ paths: [String]) -> String {
        paths.map { RunOptions.flag(flag, $0) }.joined(separator: " ")
    }

    /// The command that publishes without the files, where skipping them is possible.
    private var skipping: [String] {
        let skipped = refusals.filter(\.maySkip).map(\.path)
        guard !skipped.isEmpty else { return [] }
        return [
            "Only if \(skipped.count == 1 ? "it" : "they") cannot be obtained: add  "
                + Self.flags("--skip", skipped) + "  (publishes, exit 10, says so)."
        ]
    }

    /// The remedy of each file; a remedy that all share is given once.
    private var steps: [String] {
        let remedies = refusals.map { refusal in
            refusal.objection == nil || refusal.objection == .gone
                ? refusal.remedy : refusal.remedy + ", and take the file out of the input folder."
        }
        guard Set(remedies).count > 1 else { return [remedies[0]] }
        return zip(refusals, remedies).map { "\($0.path): \($1)" }
    }

    /// The latest month without the files, compared with what is served.
    private var matter: Failure.Matter? {
        report.latestMonth.map { .without($0.month, $0.sums) }
    }
}

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
            what: report.overdueTexts.map { "\($0)." }
                + report.refused.map { "\($0.path) came and is refused: \($0.reason)." },
            remedies: [
                "Ask the sender for the export and put it into \(ShellWord.quoted(inputPath)).",
                "Run again: \(report.again)",
            ]
        )
        var rest = report
        rest.overdue = []
        rest.refused = []
        failure.report = rest
        return failure
    }
}
