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
            lines.append("  " + CheckWords(check, report).line)
        }
        lines += RunNotes(report).lines.map { "  " + $0 }
        if report.rejectedCorrections > 0 {
            // The mart keeps the rejects of published runs alone.
            let hint =
                report.outcome == .published
                ? "   see: triptych rejects list --corrections\(report.martFlags)" : ""
            let versions = report.rejectedCorrections == 1 ? "version stays" : "versions stay"
            lines.append(
                "  rejected corrections: \(NumberFormat.count(report.rejectedCorrections)); "
                    + "the earlier \(versions)\(hint)"
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
        // A first run has nothing that the months could be compared with, and publishes nothing
        // that `kpi` could show.
        if report.outcome == .dryRun, report.previousGeneration == nil, !report.months.isEmpty {
            let screen = RunScreens.keptScreen.indented(by: 2)
            let months = MonthTable(report.months).table.lines(on: screen)
            lines += ([""] + months + measures(on: screen)).map { $0.isEmpty ? "" : "  " + $0 }
        }
        return lines + MonthMoves(report).lines.map { "  " + $0 }
    }

    /// What the pipeline declares of its own, of all trips, and of how many it is known where not
    /// of all.
    private func measures(on screen: Screen) -> [String] {
        guard !report.measures.isEmpty else { return [] }
        var table = TextTable([("measure", .left), ("all trips", .right), ("known trips", .right)])
        let trips = report.months.values.reduce(0) { $0 + $1.trips }
        for state in report.measures {
            let (measure, value) = (state.measure, state.value)
            let isOfAll = measure.kind == .count || value.knownTrips == trips
            table.add([
                measure.title, measure.text(value),
                isOfAll ? "" : NumberFormat.count(value.knownTrips),
            ])
        }
        return [""] + table.lines(on: screen)
    }

    private var checkSummary: String {
        func count(_ outcome: CheckResult.Outcome) -> Int {
            report.checks.count { $0.outcome == outcome }
        }
        var parts = ["\(count(.pass)) pass"]
        if count(.warn) > 0 { parts.append("\(count(.warn)) warn") }
        if count(.error) > 0 { parts.append("\(count(.error)) error") }
        let skipped = report.checks.filter { $0.outcome == .skipped }
        let young = skipped.count(where: Self.lacksHistory)
        if young > 0 { parts.append("\(young) without history yet") }
        // A file without records has no share of anything.
        let others = skipped.count - young
        if others > 0 { parts.append("\(others) with nothing to measure") }
        return
            "checking    \(Counted.text(report.checks.count, "check")): "
            + parts.joined(separator: ", ")
    }

    /// Whether a check compares with earlier generations, and there are too few of them.
    private static func lacksHistory(_ check: CheckResult) -> Bool {
        check.detail.split(separator: ", ").contains {
            $0.hasPrefix("median_") && $0.contains(" is not known yet")
        }
    }

    /// The ledger in items and in money, and the rejects by reason.
    private var accountLines: [String] {
        let account = LedgerText(report.ledger)
        var lines = ["  items    " + account.items]
        if let money = account.money { lines.append("  money    " + money) }
        if !report.rejects.isEmpty {
            let table = report.rejects.lines(on: RunScreens.keptScreen.indented(by: 2))
            lines += [""] + table.map { "  " + $0 }
        }
        return lines
    }

    /// The line with the result.
    public var summary: String {
        var parts: [String] = []
        switch report.outcome {
        case .published: parts.append("PUBLISHED \(report.generation ?? 0)")
        case .dryRun: parts.append("WOULD PUBLISH \(report.generation ?? 0)")
        case .withheld: parts.append("WITHHELD")
        case .nothingDue:
            let files = report.knownFileCount
            parts.append("NOTHING DUE")
            parts.append(Self.served(report.generation, report.dataThrough))
            guard report.reclassified == nil else {
                parts += ["no edit", NumberFormat.seconds(report.milliseconds)]
                return parts.joined(separator: " | ")
            }
            let refused = report.refused.count
            guard report.tripsAt == nil else {
                parts += [
                    "it has these results of \(Counted.text(files, "file"))",
                    NumberFormat.seconds(report.milliseconds),
                ]
                return parts.joined(separator: " | ")
            }
            parts.append(
                "\(Counted.text(files, "file")) known, "
                    + (refused == 0 ? "none new" : "\(NumberFormat.count(refused)) refused")
            )
            if !report.skipped.isEmpty {
                parts.append("\(Counted.text(report.skipped.count, "file")) skipped")
            }
            if !report.held.isEmpty {
                parts.append("\(Counted.text(report.held.count, "edit")) held")
            }
            if !report.exclusions.isEmpty {
                parts.append("\(Counted.text(report.exclusions.count, "file")) held")
            }
            if !report.doubts.isEmpty {
                let count = report.doubts.count
                parts.append(Counted.text(count, "entry", plural: "entries") + " not read")
            }
            return (parts + [NumberFormat.seconds(report.milliseconds)]).joined(separator: " | ")
        }
        parts += MonthMoves(report).summary
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

    /// `+1,204 trips, 3 rejected`; where trips of before are gone or replaced as well,
    /// `+8 trips (32 from new files, 24 of before replaced or withdrawn), 3 rejected`.
    private var taken: String {
        let change = report.trips - report.previousTrips
        let leaving = report.takenTrips - change
        let parts =
            leaving > 0 && report.takenTrips > 0
            ? " (\(NumberFormat.count(report.takenTrips)) from new files, "
                + "\(NumberFormat.count(leaving)) of before replaced or withdrawn)" : ""
        return "\(NumberFormat.change(change)) \(Counted.noun(change, "trip"))\(parts), "
            + report.rejects.clause(items: report.ledger[.rejected].items)
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
    /// `$13,402,118.20 read = $13,331,090.45 + …`, with the amounts that could not be read; nil
    /// where no amount was read at all.
    ///
    /// Where lines of claims were merged, the dollars of the trips follow: those of two terms.
    let money: String?

    init(_ ledger: Ledger) {
        let terms = LedgerTerm.allCases.filter { $0 == .accepted || ledger[$0].items > 0 }
        let counts = terms.map { "\(NumberFormat.count(ledger[$0].items)) \($0.rawValue)" }
        let amounts = terms.map { NumberFormat.dollars(ledger[$0].cents) }
        let unreadable = terms.filter { ledger[$0].unpriced > 0 }
            .map { "\(NumberFormat.count(ledger[$0].unpriced)) \($0.rawValue)" }
            .joined(separator: ", ")
        items =
            "\(NumberFormat.count(ledger.read.items)) read = " + counts.joined(separator: " + ")
        let hasMoney = ([ledger.read] + terms.map { ledger[$0] }).contains {
            $0.cents != 0 || $0.unpriced > 0
        }
        let (accepted, merged) = (ledger[.accepted].cents, ledger[.merged].cents)
        let trips =
            ledger[.merged].items == 0
            ? "" : "   (trips: \(NumberFormat.dollars(accepted + merged)) = accepted + merged)"
        money =
            !hasMoney
            ? nil
            : "\(NumberFormat.dollars(ledger.read.cents)) read = "
                + amounts.joined(separator: " + ")
                + trips + (unreadable.isEmpty ? "" : "   (\(unreadable): amount unreadable)")
    }
}
