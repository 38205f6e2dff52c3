import TripDomain
public import TripRuns

/// The screen of a run that published nothing, or of a query that has no answer.
public struct FailureScreen: Sendable {
    private let failure: Failure
    /// What readers see meanwhile; nil for a query, which changes nothing.
    private let served: ServedState?
    private let runNumber: Int?

    /// Shows why a query has no answer.
    ///
    /// - Parameter failure: What went wrong.
    public init(_ failure: Failure) {
        self.failure = failure
        served = nil
        runNumber = nil
    }

    /// Shows the failure of a run.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - served: What readers see meanwhile.
    ///   - runNumber: The run's number in the list of runs.
    public init(
        _ failure: Failure,
        served: ServedState,
        runNumber: Int?
    ) {
        self.failure = failure
        self.served = served
        self.runNumber = runNumber
    }

    /// The first line and the details.
    public var text: RunText { RunText(summary: summary, details: details) }

    /// The first line, which names the failure.
    public var summary: String {
        let ending = "\(failure.summary) | exit \(failure.status.rawValue)"
        guard let served else { return "FAILED | \(ending)" }
        guard !served.isUnknown else {
            return "NOT PUBLISHED | what is served cannot be read | \(ending)"
        }
        let word = served.generation == nil ? "NOT PUBLISHED" : "WITHHELD"
        return "\(word) | \(RunScreen.served(served.generation, served.dataThrough)) | "
            + ending
    }

    /// The details below it.
    public var details: [String] {
        var lines = Self.section("What", failure.what)
        if let account = failure.account {
            let text = LedgerText(account.ledger)
            lines +=
                Self.section("Items", [text.items])
                + Self.section("Money", text.money.map { [$0] } ?? [])
            if !account.rejects.isEmpty {
                lines += Self.section(
                    "Why",
                    account.rejects.lines(on: RunScreens.keptScreen.indented(by: 8))
                )
            }
        }
        if served != nil {
            lines += Self.section(
                "Safe?",
                ["Yes. Nothing was published and nothing needs to be undone."]
            )
        }
        lines += Self.section("Matter?", failure.matter.map { [Self.text($0)] } ?? [])
        let steps = failure.remedies
        lines += Self.section(
            "Do",
            steps.count == 1 ? steps : steps.enumerated().map { "\($0 + 1). \($1)" }
        )
        lines += Self.section("Also", failure.report.map { RunNotes($0).lines } ?? [])
        if let served, let staleAfter = served.staleAfter {
            lines += Self.section(
                served.isStale ? "Since" : "Until",
                [
                    served.isStale
                        ? "\(staleAfter) readers see \"stale\"."
                        : "Readers see \"stale\" from \(staleAfter) on."
                ]
            )
        }
        var more = "docs/OPERATIONS.md#\(failure.status.rawValue)"
        if let runNumber {
            more = "triptych runs show \(runNumber)\(served?.martFlags ?? "") · " + more
        }
        return lines + Self.section("More", [more])
    }

    private static func section(_ title: String, _ texts: [String]) -> [String] {
        let indent = String(repeating: " ", count: 8)
        return texts.flatMap { $0.split(separator: "\n").map(String.init) }.enumerated()
            .map { index, line in
                let head = title + String(repeating: " ", count: 8 - title.count)
                return (index == 0 ? head : indent) + line
            }
    }

    private static func text(_ matter: Failure.Matter) -> String {
        switch matter {
        case .without(let month, let sums):
            "If skipped, " + RunScreen.monthLine(month, sums) + "."
        case .wrongNumbers(let generation):
            "Readers of generation \(generation) may have read wrong numbers."
        }
    }
}
