import TripDomain
import TripPipeline

/// Decides whether a run may publish: files, the lack of trips, or a check may prevent it.
struct PublicationDecision {
    private let report: RunReport
    private let refusals: [ClassifiedExports.Refusal]
    private let isDryRun: Bool

    /// Prepares the decision.
    ///
    /// - Parameters:
    ///   - report: The report of the run, with its checks.
    ///   - refusals: The files that could not be taken in.
    ///   - isDryRun: Whether the operator wants to see the account in any case.
    init(_ report: RunReport, refusals: [ClassifiedExports.Refusal], isDryRun: Bool) {
        self.report = report
        self.refusals = refusals.filter(\.isWithholding)
        self.isDryRun = isDryRun
    }

    /// Throws before anything is written, where a file or a check prevents publication.
    ///
    /// - Throws: ``Failure`` with the account of the run: the mart will not have it later.
    func pass() throws(Failure) {
        guard refusals.isEmpty else {
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
        rest.refused.removeAll { file in refusals.contains { $0.path == file.path } }
        failure.report = rest
        return failure
    }

    private var rejectAdvice: String {
        "Read the first line of each reason; docs/REJECTS.md explains the reasons."
    }

    private var noTrips: Failure {
        let what: String
        var remedies = ["Run the command again."]
        if report.ledger.read.items > 0 {
            what = "Every record of the new files was rejected."
            remedies =
                [
                    rejectAdvice,
                    "Have the sender correct the exports, or correct the layouts if wrong.",
                ] + remedies
        } else if report.newFileCount == 0, !report.refused.isEmpty {
            what = "No file could be taken in."
            remedies.insert(
                "Below is why each was refused; correct that, or get the file again.",
                at: 0
            )
        } else {
            what = "The new files hold a header and no record."
            remedies = ["Ask the sender for exports with records, and run the command again."]
        }
        return Failure(
            status: .noUsableInput,
            summary: "no trip could be read",
            what: [what],
            remedies: remedies
        )
    }

    private var failedChecks: Failure {
        let failed = report.checks.filter { $0.outcome == .error }
        let advice =
            report.rejects.isEmpty
            ? "Compare the account with that of other runs: triptych runs list" : rejectAdvice
        return Failure(
            status: .withheld,
            summary: failed.count == 1
                ? "the check \(failed[0].id) failed"
                : Counted.text(failed.count, "check") + " failed",
            what: failed.map { "\($0.id): \($0.detail) (error if \($0.condition))." },
            remedies: [
                advice,
                "If an export is wrong, have it corrected and sent again, then run again.",
                failed.contains { $0.id == CheckDefinition.tripIDs }
                    ? "If trips are sent again to correct them, remove `trip_ids: unique` from "
                        + "the pipeline: the run then finds the accepted version of each."
                    : "If the numbers are right, change the check in the pipeline and run again.",
            ]
        )
    }
}
