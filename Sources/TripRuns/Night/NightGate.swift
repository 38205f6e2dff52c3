import TripDomain

/// What keeps a night from being published: files, the lack of trips, or a check.
struct NightGate {
    private let report: NightReport
    private let refusals: [NightExports.Refusal]
    private let isDryRun: Bool

    /// Looks at what would be published.
    ///
    /// - Parameters:
    ///   - report: What the night came to, with its checks.
    ///   - refusals: The files that could not be taken in.
    ///   - isDryRun: Whether the operator wants to see the account whatever happens.
    init(_ report: NightReport, refusals: [NightExports.Refusal], isDryRun: Bool) {
        self.report = report
        self.refusals = refusals.filter(\.isWithholding)
        self.isDryRun = isDryRun
    }

    /// Stops before anything is written, where a file or a check says so.
    ///
    /// - Throws: ``Failure`` with the account of the night: nothing of it can be asked of the mart
    ///   later.
    func pass() throws(Failure) {
        guard refusals.isEmpty else {
            let withheld = Withheld(refusals: refusals, report: report).failure
            throw complete(withheld, withAccount: isDryRun)
        }
        guard report.trips > 0 else { throw complete(noTrips) }
        guard !report.checks.contains(where: { $0.outcome == .error }) else {
            throw complete(failedChecks)
        }
    }

    /// Adds what else is to be known of the night.
    private func complete(_ failure: Failure, withAccount: Bool = true) -> Failure {
        var failure = failure
        if withAccount {
            failure.account = Failure.Account(ledger: report.ledger, rejects: report.rejects)
        }
        // The files that withhold the night are what the failure itself is about.
        var rest = report
        rest.refused.removeAll { file in refusals.contains { $0.path == file.path } }
        failure.notes = NightNotes(rest).lines
        return failure
    }

    private var lookAtRejects: String {
        "Look at the first line of each reason; docs/REJECTS.md says what it means."
    }

    private var noTrips: Failure {
        let what: String
        var remedies = ["Run the command again."]
        if report.ledger.read.items > 0 {
            what = "Every record of the new files was rejected."
            remedies =
                [
                    lookAtRejects,
                    "Have the sender mend the exports, or mend the layouts where they are wrong.",
                ] + remedies
        } else if report.newFileCount == 0, !report.refused.isEmpty {
            what = "No file could be taken in."
            remedies.insert("See below why each was refused; mend that, or get it again.", at: 0)
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
        let look =
            report.rejects.isEmpty
            ? "Compare the account with that of other nights: triptych runs list" : lookAtRejects
        return Failure(
            status: .withheld,
            summary: failed.count == 1
                ? "the check \(failed[0].id) failed"
                : Counted.text(failed.count, "check") + " failed",
            what: failed.map { "\($0.id): \($0.detail) (error if \($0.condition))." },
            remedies: [
                look,
                "If an export is wrong, have it mended and sent again, then run the command again.",
                failed.contains { $0.id == CheckDefinition.tripIDs }
                    ? "If trips are sent again to correct them, take `trip_ids: unique` out of the "
                        + "pipeline: then the version that stands is found."
                    : "If the numbers are right, change the check in the pipeline and run again.",
            ]
        )
    }
}
