public import TripMart

/// The list of runs, newest first.
public struct RunsScreen {
    private let runs: [RunRecord]

    /// Shows some runs.
    public init(runs: [RunRecord]) {
        self.runs = runs
    }

    /// The runs in one format.
    public func text(_ format: OutputFormat) -> String {
        switch format {
        case .table: lines.joined(separator: "\n")
        case .json: rowSet.json
        case .csv: rowSet.csv
        }
    }

    private var lines: [String] {
        guard !runs.isEmpty else {
            return ["No run yet. Start one: triptych run pipelines/ambulance"]
        }
        var table = TextTable([
            ("run", .right), ("started", .left), ("outcome", .left), ("exit", .right),
            ("generation", .right), ("summary", .left),
        ])
        for run in runs {
            table.add([
                String(run.number), run.startedAt, run.outcome,
                run.exitCode.map(String.init) ?? "–", run.generation.map(String.init) ?? "–",
                run.summary,
            ])
        }
        return table.lines
    }

    private var rowSet: RowSet {
        var set = RowSet([
            "run", "started_at", "ended_at", "command", "outcome", "exit_code", "generation",
            "summary",
        ])
        for run in runs {
            set.add([
                .integer(Int64(run.number)), .text(run.startedAt), .text(run.endedAt),
                .text(run.command), .text(run.outcome), .integer(run.exitCode.map(Int64.init)),
                .integer(run.generation.map(Int64.init)), .text(run.summary),
            ])
        }
        return set
    }
}
