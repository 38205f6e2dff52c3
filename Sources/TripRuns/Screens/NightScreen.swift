import TripDomain
import TripMart

/// What a night prints: details on stderr, the one line that says what happened on stdout.
public struct NightScreen: Sendable {
    private let report: NightReport

    /// Shows one night.
    public init(_ report: NightReport) {
        self.report = report
    }

    /// The details, without the last line.
    public var details: [String] {
        var lines: [String] = []
        if !report.checks.isEmpty { lines.append(checkSummary) }
        for check in report.checks where check.outcome == .warn || check.outcome == .error {
            lines.append("  \(check.outcome.rawValue) \(check.id)   \(check.detail)")
        }
        lines += report.held.map { "  held \($0)   see: triptych check" }
        lines += report.overdue.map {
            "  overdue \($0.overdueText)   ask the sender for it, then run again"
        }
        lines += report.refused.map { "  refused \($0.path): \($0.reason)" }
        lines += report.skipped.map { file in
            "  skipped \(file.path), as told with --skip"
                + (file.stillCounts ? "; what was published of it before still counts" : "")
        }
        lines += report.waiting.map { "  waits \($0.path): \($0.reason)" }
        if let first = report.unclaimed.first {
            let others = report.unclaimed.count - 1
            let rest = others == 0 ? "" : " and \(others) more"
            lines.append("  unclaimed \(first)\(rest): no source has such files")
        }
        lines += report.replaced.map { "  replaced \($0)" }
        if report.rejectedCorrections > 0 {
            lines.append(
                "  rejected corrections: \(Shown.count(report.rejectedCorrections)); the earlier "
                    + "versions stay   see: triptych rejects list --corrections"
            )
        }
        if let unfinished = report.unfinished {
            lines.append("  unfinished after publishing: \(unfinished)   the next run mends it")
        }
        if let unlisted = report.unlisted {
            lines.append("  unlisted: the list of runs cannot be written   \(unlisted)")
        }
        if report.overflows > 0 {
            lines.append(
                "  overflow: \(Shown.count(report.overflows)) integer results left 64 bits and "
                    + "became NULL"
            )
        }
        if report.outcome != .nothingDue {
            if !lines.isEmpty { lines.append("") }
            lines += ledgerLines
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
        return "checking    \(report.checks.count) checks: \(parts.joined(separator: ", "))"
    }

    /// The ledger in items and in money.
    private var ledgerLines: [String] {
        let ledger = report.ledger
        let terms = LedgerTerm.allCases.filter { $0 == .accepted || ledger[$0].items > 0 }
        let items = terms.map { "\(Shown.count(ledger[$0].items)) \($0.rawValue)" }
        let money = terms.map { Shown.dollars(ledger[$0].cents) }
        var unreadable = terms.filter { ledger[$0].unpriced > 0 }
            .map { "\(Shown.count(ledger[$0].unpriced)) \($0.rawValue)" }
            .joined(separator: ", ")
        if !unreadable.isEmpty { unreadable = "   (\(unreadable): amount unreadable)" }
        return [
            "  items    \(Shown.count(ledger.read.items)) read = "
                + items.joined(separator: " + "),
            "  money    \(Shown.dollars(ledger.read.cents)) read = "
                + money.joined(separator: " + ") + unreadable,
        ]
    }

    /// The line that says what happened.
    public var summary: String {
        var parts: [String] = []
        switch report.outcome {
        case .published: parts.append("PUBLISHED \(report.generation ?? 0)")
        case .dryRun: parts.append("WOULD PUBLISH \(report.generation ?? 0)")
        case .nothingDue:
            let files = report.knownFileCount
            parts.append("NOTHING DUE")
            parts.append(Self.served(report.generation, report.dataThrough))
            parts.append("\(Shown.count(files)) files known, none new")
            if !report.held.isEmpty {
                let noun = report.held.count == 1 ? "edit" : "edits"
                parts.append("\(report.held.count) \(noun) held")
            }
            return (parts + [Shown.seconds(report.milliseconds)]).joined(separator: " | ")
        }
        if let (month, sums) = report.latestMonth { parts.append(Self.monthLine(month, sums)) }
        let rejected = report.ledger[.rejected].items
        parts.append(
            "\(Shown.change(report.trips - report.previousTrips)) trips, "
                + "\(Shown.count(rejected)) rejected"
        )
        if let dataThrough = report.dataThrough {
            parts.append("data through \(dataThrough.text)")
        }
        if report.warningCount > 0 {
            let noun = report.warningCount == 1 ? "warning" : "warnings"
            parts.append("\(report.warningCount) \(noun)")
        }
        if !report.overdue.isEmpty {
            let names = report.overdue.map(\.source).joined(separator: ", ")
            parts.append("overdue: \(names)")
        }
        parts.append(Shown.seconds(report.milliseconds))
        if report.status == .missingFile { parts.append("exit \(report.status.rawValue)") }
        return parts.joined(separator: " | ")
    }

    /// `418 stays served (data through 2026-10-31)`.
    static func served(_ generation: Int?, _ dataThrough: CivilDate?) -> String {
        guard let generation else { return "nothing is served yet" }
        let through = dataThrough.map { " (data through \($0.text))" } ?? ""
        return "\(generation) stays served\(through)"
    }

    /// `Oct 2026: 412,880 trips, in-house 41.11 % (40.79-41.55)`.
    static func monthLine(_ month: Month, _ sums: KPISums) -> String {
        let low = Shown.percent(sums.inHousePercentLowHundredths)
        let high = Shown.percent(sums.inHousePercentHighHundredths)
        return "\(Shown.monthShort(month)): \(Shown.count(sums.trips)) trips, in-house "
            + "\(Shown.percent(sums.inHousePercentHundredths)) % (\(low)-\(high))"
    }
}
