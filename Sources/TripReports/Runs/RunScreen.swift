import TripDomain
import TripMart
public import TripRuns

/// The output of a run: details on stderr, the one line with the result on stdout.
public struct RunScreen: Sendable {
    private let report: RunReport

    /// Shows one run.
    public init(_ report: RunReport) {
        self.report = report
    }

    /// The details, without the last line.
    public var details: [String] {
        var lines: [String] = []
        if !report.checks.isEmpty { lines.append(checkSummary) }
        for check in report.checks where check.outcome == .warn || check.outcome == .error {
            lines.append("  \(check.outcome.rawValue) \(check.id)   \(check.detail)")
        }
        lines += RunNotes(report).lines.map { "  " + $0 }
        if report.rejectedCorrections > 0 {
            let versions = report.rejectedCorrections == 1 ? "version stays" : "versions stay"
            lines.append(
                "  rejected corrections: \(NumberFormat.count(report.rejectedCorrections)); "
                    + "the earlier \(versions)   see: triptych rejects list --corrections"
            )
        }
        if let unfinished = report.unfinished {
            lines.append("  unfinished after publishing: \(unfinished)   the next run completes it")
        }
        if let unlisted = report.unlisted {
            lines.append("  unlisted: the list of runs cannot be written   \(unlisted)")
        }
        if report.overflows > 0 {
            lines.append(
                "  overflow: \(Counted.text(report.overflows, "integer result")) left 64 bits and "
                    + "became NULL"
            )
        }
        if report.outcome != .nothingDue, report.reclassified == nil {
            if !lines.isEmpty { lines.append("") }
            lines += accountLines
        }
        return lines
    }

    private var checkSummary: String {
        func count(_ outcome: CheckResult.Outcome) -> Int {
            report.checks.count { $0.outcome == outcome }
        }
        var parts = ["\(count(.pass)) pass"]
        if count(.warn) > 0 { parts.append("\(count(.warn)) warn") }
        if count(.error) > 0 { parts.append("\(count(.error)) error") }
        if count(.skipped) > 0 { parts.append("\(count(.skipped)) without history yet") }
        return
            "checking    \(Counted.text(report.checks.count, "check")): "
            + parts.joined(separator: ", ")
    }

    /// The ledger in items and in money, and in a dry run the rejects, which cannot be queried
    /// later.
    private var accountLines: [String] {
        let account = LedgerText(report.ledger)
        var lines = ["  items    " + account.items, "  money    " + account.money]
        if report.outcome == .dryRun, !report.rejects.isEmpty {
            lines += [""] + report.rejects.lines.map { "  " + $0 }
        }
        return lines
    }

    /// The line with the result.
    public var summary: String {
        var parts: [String] = []
        switch report.outcome {
        case .published: parts.append("PUBLISHED \(report.generation ?? 0)")
        case .dryRun: parts.append("WOULD PUBLISH \(report.generation ?? 0)")
        case .nothingDue:
            let files = report.knownFileCount
            parts.append("NOTHING DUE")
            parts.append(Self.served(report.generation, report.dataThrough))
            guard report.reclassified == nil else {
                parts += ["no edit", NumberFormat.seconds(report.milliseconds)]
                return parts.joined(separator: " | ")
            }
            let refused = report.refused.count
            parts.append(
                "\(Counted.text(files, "file")) known, "
                    + (refused == 0 ? "none new" : "\(NumberFormat.count(refused)) refused")
            )
            if !report.held.isEmpty {
                parts.append("\(Counted.text(report.held.count, "edit")) held")
            }
            if !report.exclusions.isEmpty {
                parts.append("\(Counted.text(report.exclusions.count, "file")) held")
            }
            return (parts + [NumberFormat.seconds(report.milliseconds)]).joined(separator: " | ")
        }
        if let (month, sums) = report.latestMonth { parts.append(Self.monthLine(month, sums)) }
        parts.append(
            report.contentOf.map { "the content of \($0)" }
                ?? report.reclassified.map { Self.reclassified($0, of: report.trips) } ?? taken
        )
        if report.contentOf != nil, !report.exclusions.isEmpty {
            parts.append("\(Counted.text(report.exclusions.count, "file")) held")
        }
        if let dataThrough = report.dataThrough {
            parts.append("data through \(dataThrough.text)")
        }
        if report.warningCount > 0 {
            parts.append(Counted.text(report.warningCount, "warning"))
        }
        if !report.overdue.isEmpty {
            let names = report.overdue.map(\.source).joined(separator: ", ")
            parts.append("overdue: \(names)")
        }
        parts.append(NumberFormat.seconds(report.milliseconds))
        if report.status == .missingFile { parts.append("exit \(report.status.rawValue)") }
        return parts.joined(separator: " | ")
    }

    /// `+1,204 trips, 3 rejected`.
    private var taken: String {
        let rejected = report.ledger[.rejected].items
        let change = report.trips - report.previousTrips
        return "\(NumberFormat.change(change)) \(Counted.noun(change, "trip")), "
            + "\(NumberFormat.count(rejected)) rejected"
    }

    /// `14,204 of 412,880 trips decided differently`.
    private static func reclassified(_ count: Int64, of trips: Int64) -> String {
        "\(NumberFormat.count(count)) of \(Counted.text(trips, "trip")) decided differently"
    }

    /// `418 stays served (data through 2026-10-31)`.
    static func served(_ generation: Int?, _ dataThrough: CivilDate?) -> String {
        guard let generation else { return "nothing is served yet" }
        let through = dataThrough.map { " (data through \($0.text))" } ?? ""
        return "\(generation) stays served\(through)"
    }

    /// `Oct 2026: 412,880 trips, in-house 41.11 % (40.79-41.55)`.
    static func monthLine(_ month: Month, _ sums: KPISums) -> String {
        "\(NumberFormat.monthShort(month)): \(Counted.text(sums.trips, "trip")), in-house "
            + "\(NumberFormat.percent(sums.inHousePercentHundredths)) % "
            + "(\(NumberFormat.interval(sums)))"
    }
}

/// An account as two lines that balance: in items and in money.
struct LedgerText {
    /// `30,412 read = 30,187 accepted + 141 duplicate + …`.
    let items: String
    /// `$13,402,118.20 read = $13,331,090.45 + …`, with the amounts that could not be read.
    let money: String

    init(_ ledger: Ledger) {
        let terms = LedgerTerm.allCases.filter { $0 == .accepted || ledger[$0].items > 0 }
        let counts = terms.map { "\(NumberFormat.count(ledger[$0].items)) \($0.rawValue)" }
        let amounts = terms.map { NumberFormat.dollars(ledger[$0].cents) }
        let unreadable = terms.filter { ledger[$0].unpriced > 0 }
            .map { "\(NumberFormat.count(ledger[$0].unpriced)) \($0.rawValue)" }
            .joined(separator: ", ")
        items =
            "\(NumberFormat.count(ledger.read.items)) read = " + counts.joined(separator: " + ")
        money =
            "\(NumberFormat.dollars(ledger.read.cents)) read = " + amounts.joined(separator: " + ")
            + (unreadable.isEmpty ? "" : "   (\(unreadable): amount unreadable)")
    }
}

/// The notes of a run beside its result: edits that are held, sources that are overdue, files that
/// were left out.
///
/// A withheld run shows the same notes as a published one, since they will hold for the next run as
/// well.
struct RunNotes {
    private let report: RunReport

    init(_ report: RunReport) {
        self.report = report
    }

    /// One line for each note.
    var lines: [String] {
        // An edit with a fault has no effect yet that a plan could show.
        let command = (report.hasFaultyEdit ? "check " : "plan ") + report.pipelineText
        var lines = report.held.map { "held \($0)   see: triptych \(command)" }
        if !report.excludedEdits.isEmpty {
            lines.append(
                "held \(report.excludedEdits.joined(separator: ", ")): from the generation that is "
                    + "left; NOT in force   publish edits again with triptych reclassify"
            )
        }
        lines += exclusions
        lines += report.overrides.map { "override \($0)" }
        if let approval = report.approval, approval.plan == nil {
            lines.append("edits \(approval.clause)")
        }
        lines += report.overdue.map {
            "overdue \($0.overdueText)   ask the sender for it, then run again"
        }
        lines += report.refused.map { "refused \($0.path): \($0.reason)" }
        lines += report.skipped.map { file in
            "skipped \(file.path), by --skip"
                + (file.stillCounts ? "; trips of it that were published before still count" : "")
        }
        lines += report.waiting.map { "waits \($0.path): \($0.reason)" }
        if let first = report.unclaimed.first {
            let others = report.unclaimed.count - 1
            let rest = others == 0 ? "" : " and \(others) more"
            lines.append("unclaimed \(first)\(rest): it matches no source")
        }
        if report.takesTripIDsAsUnique {
            lines.append(
                "trip ids are taken as unique, as the pipeline declares; publishing checks for "
                    + "repeated ones and for rejected corrections"
            )
        }
        return lines + report.replaced.map { "replaced \($0)" }
    }

    /// Files that a rollback left out, with the command that takes them in again.
    private var exclusions: [String] {
        let shown = report.exclusions.prefix(Self.shownExclusions).map { exclusion in
            let path = ShellWord.quoted(exclusion.path)
            let flag = "--include" + (exclusion.path.hasPrefix("-") ? "=" : " ") + path
            return
                "held \(exclusion.path): left out since the rollback from "
                + "\(exclusion.generation); NOT taken in   to take it in: triptych run \(report.pipelineText) \(flag)"
        }
        let rest = report.exclusions.count - shown.count
        let more = "held \(Counted.text(rest, "more file")) left out by a rollback"
        return shown + (rest > 0 ? [more + "   --include all takes in all of them"] : [])
    }

    /// The number of files that are listed; further ones are only counted.
    private static let shownExclusions = 10
}

extension ChangeApproval {
    /// `made by …, approved by …`.
    var clause: String { "made by \(madeBy)" + (approvedBy.map { ", approved by \($0)" } ?? "") }
}

extension [RejectTally] {
    /// A table shows no more reasons than the operator can act on at once.
    private static let shownCount = 12

    /// The counts as a text table.
    var lines: [String] {
        var table = TextTable([
            ("rejects", .right), ("reason", .left), ("field", .left), ("first of them", .left),
        ])
        for tally in prefix(Self.shownCount) {
            table.add([
                NumberFormat.count(tally.count), tally.reason.rawValue, tally.field ?? "–",
                tally.first.text,
            ])
        }
        guard count > Self.shownCount else { return table.lines }
        let rest = dropFirst(Self.shownCount)
        let restCount = rest.reduce(0) { $0 + $1.count }
        return table.lines + [
            "and \(Counted.text(restCount, "reject")) of \(Counted.text(rest.count, "other kind"))"
        ]
    }
}
