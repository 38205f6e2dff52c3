import TripDomain
public import TripRuns

/// What `init` decided and why, what it left open, and the first numbers.
public struct InitScreen {
    private let report: InitReport
    private var folder: String { ShellWord.quoted(report.folder) }

    /// The questions that are shown; the file has all of them.
    private static let questionMax = 8

    /// Shows one drafted pipeline.
    public init(_ report: InitReport) {
        self.report = report
    }

    /// The answer for people.
    ///
    /// - Parameter screen: What it is shown on.
    /// - Returns: The text.
    public func text(on screen: Screen) -> String {
        let parts = [
            [report.looked], decisions(on: screen), questions, unread, trial(on: screen), ending,
        ]
        return parts.filter { !$0.isEmpty }.map { screen.text($0) }.joined(separator: "\n\n")
    }

    private func decisions(on screen: Screen) -> [String] {
        var table = TextTable([("", .left), ("", .left), ("", .prose)])
        for one in report.decisions {
            table.add([one.field, "<- \(one.source)", one.evidence])
        }
        return table.isEmpty ? [] : table.lines(on: screen)
    }

    private var questions: [String] {
        guard !report.questions.isEmpty else { return [] }
        let shown = report.questions.prefix(Self.questionMax)
        let rest = report.questions.count - shown.count
        return ["Not decided; the file says TO ANSWER there:"]
            + shown.map { "  \($0.name): \($0.text)" }
            + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    private var unread: [String] {
        var lines: [String] = []
        if !report.personal.isEmpty {
            let names = report.personal.prefix(6).map { "`\(UnseenCharacters.named(in: $0))`" }
            let rest = report.personal.count - names.count
            lines.append(
                "Not read, since a cell may name a patient: " + names.joined(separator: ", ")
                    + (rest > 0 ? " and \(rest) more" : "")
            )
        }
        if report.otherCount > 0 {
            let columns = Counted.text(report.otherCount, "further column")
            lines.append(
                "\(columns) \(report.otherCount == 1 ? "stands" : "stand") there as comments"
            )
        }
        return lines
    }

    // MARK: - The trial

    private func trial(on screen: Screen) -> [String] {
        switch report.trial {
        case .notRunnable: return []
        case .failed(let failure, let scratch):
            let lines = FailureScreen(failure).text
            return ["A dry run of it:"]
                + ([lines.summary] + lines.details).map { line in
                    "  " + line.split(separator: scratch + "/").joined()
                }
        case .done(let run):
            let rejects = run.rejects.isEmpty ? [] : run.rejects.lines(on: screen.indented(by: 2))
            return ["A dry run of it, which publishes nothing:", ""]
                + MonthTable(run.months).table.lines(on: screen) + [
                    "", "items  " + LedgerText(run.ledger).items,
                ]
                + rejects.map { "  " + $0 }
        }
    }

    // MARK: - What to do next

    private var ending: [String] {
        let file = UnseenCharacters.named(in: report.folder) + "/pipeline.yaml"
        var lines = ["Written: \(file)   read its comments, then"]
        if case .notRunnable = report.trial {
            lines.append("  answer what is not decided: it cannot run before")
        } else if !report.hasRules {
            lines.append("  write the rules at its end: without one, all trips are undetermined")
        }
        return lines + [
            "  triptych check \(folder)",
            "  triptych run \(folder) --mart data/mart/\(report.name) --input FOLDER --dry-run",
        ]
    }
}
