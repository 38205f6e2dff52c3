import TripDomain
import TripMart
public import TripRuns

/// The list of runs, newest first.
public struct RunsScreen {
    private let runs: PublishedRuns

    /// Shows some runs.
    ///
    /// - Parameter runs: The runs, newest first.
    public init(_ runs: PublishedRuns) {
        self.runs = runs
    }

    private var table: ReportTable<RunRecord> {
        ReportTable([
            TableColumn("run", "run") { .number($0.number) },
            // Programs get the time as it is kept, in UTC; seconds help no reader of a list.
            TableColumn("started", "started_at", .left) { [runs] run in
                let local = runs.localTime(run.startedAt)
                return TableCell(
                    shown: local.count == Self.timeLength
                        ? String(local.prefix(16) + local.suffix(7)) : local,
                    value: .text(run.startedAt)
                )
            },
            TableColumn(nil, "ended_at") { .text($0.endedAt) },
            TableColumn(nil, "command") { .text($0.command) },
            TableColumn("outcome", "outcome", .left, rank: 2) { .text($0.outcome) },
            TableColumn("exit", "exit_code") { .number($0.exitCode) },
            TableColumn("generation", "generation", rank: 3) { .number($0.generation) },
            TableColumn("summary", "summary", .prose) { .text($0.summary) },
        ])
    }

    /// The letters of `2026-11-01 02:14:05 -04:00`.
    private static let timeLength = 26

    /// The runs in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        guard format != .table || !runs.rows.isEmpty else {
            guard !runs.isLost else { return screen.text([lost]) }
            return screen.text([
                "\(runs.martPath) has no run yet. Start one: triptych run PIPELINE"
                    + "\(runs.martFlags) --input DIR"
            ])
        }
        guard format == .table else { return table.text(runs.rows, format, on: screen) }
        let cut = CutList.hint(shown: runs.rows.count, of: runs.total, "run")
        return screen.text(table.table(runs.rows).lines(on: screen) + cut)
    }

    /// What is missing: what `--limit` left out, as `20 of 75 runs; all: --limit 75`, or all runs
    /// where the list is lost; nil where nothing.
    public var cut: String? {
        runs.isLost ? lost : CutList.note(shown: runs.rows.count, of: runs.total, "run")
    }

    private var lost: String {
        "\(runs.martPath) has generations, and its list of runs is missing, or empty. Restore "
            + "runs.sqlite from a backup; without it, the next run begins another one."
    }

    /// Everything that the one run printed.
    ///
    /// - Parameter screen: What it is shown on.
    /// - Returns: The answer; empty without a run.
    public func details(on screen: Screen) -> String {
        guard let run = runs.rows.first else { return "" }
        let ended = run.endedAt.map { " · ended \(runs.localTime($0))" } ?? ""
        return screen.text([
            "Run \(run.number) · \(run.outcome)" + (run.exitCode.map { " · exit \($0)" } ?? ""),
            "Started \(runs.localTime(run.startedAt))\(ended)",
            "Command \(UnseenCharacters.named(in: run.command))", "", run.summary, run.details,
        ])
    }
}
