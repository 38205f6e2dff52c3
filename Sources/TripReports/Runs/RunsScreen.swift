public import TripMart

/// The list of runs, newest first.
public struct RunsScreen {
    private let table = ReportTable<RunRecord>([
        TableColumn("run", "run") { .number($0.number) },
        TableColumn("started", "started_at", .left) { .text($0.startedAt) },
        TableColumn(nil, "ended_at") { .text($0.endedAt) },
        TableColumn(nil, "command") { .text($0.command) },
        TableColumn("outcome", "outcome", .left) { .text($0.outcome) },
        TableColumn("exit", "exit_code") { .number($0.exitCode) },
        TableColumn("generation", "generation") { .number($0.generation) },
        TableColumn("summary", "summary", .left) { .text($0.summary) },
    ])

    private let runs: [RunRecord]

    /// Shows some runs.
    ///
    /// - Parameter runs: The runs, newest first.
    public init(runs: [RunRecord]) {
        self.runs = runs
    }

    /// The runs in one format.
    ///
    /// - Parameter format: The format.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat) -> String {
        guard format != .table || !runs.isEmpty else {
            return "No run yet. Start one: triptych run pipelines/ambulance"
        }
        return table.text(runs, format)
    }

    /// Everything that one run printed.
    ///
    /// - Parameter run: The run.
    /// - Returns: The answer.
    public static func text(_ run: RunRecord) -> String {
        [
            "Run \(run.number) · \(run.outcome)" + (run.exitCode.map { " · exit \($0)" } ?? ""),
            "Started \(run.startedAt)" + (run.endedAt.map { " · ended \($0)" } ?? ""),
            "Command \(run.command)", "", run.summary, run.details,
        ].joined(separator: "\n")
    }
}
