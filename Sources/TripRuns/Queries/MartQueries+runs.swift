import TripMart

extension MartQueries {
    /// `runs list`.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of runs.
    ///   - format: The format of the answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where the list cannot be read.
    public func runs(limit: Int, format: OutputFormat) throws -> String {
        RunsScreen(runs: try RunLog.openIfPresent(folder)?.list(limit: limit) ?? []).text(format)
    }

    /// `runs show`: everything a run printed.
    ///
    /// - Parameter number: The run.
    /// - Returns: The answer.
    /// - Throws: ``RunError`` where there is no such run; `MartError` where the list cannot be
    ///   read.
    public func run(_ number: Int) throws -> String {
        let log = try RunLog.openIfPresent(folder)
        guard let log, let last = try log.list(limit: 1).first?.number else {
            throw Self.noSuchRun("\(folder.path) has no list of runs.")
        }
        guard number >= 1, number <= last else {
            throw Self.noSuchRun(
                "\(folder.path) has no run \(number). Its numbers: "
                    + "\(NumberFormat.range(min(1, last)...last))."
            )
        }
        let run = try log.run(number)
        return [
            "Run \(run.number) · \(run.outcome)" + (run.exitCode.map { " · exit \($0)" } ?? ""),
            "Started \(run.startedAt)" + (run.endedAt.map { " · ended \($0)" } ?? ""),
            "Command \(run.command)", "", run.summary, run.details,
        ].joined(separator: "\n")
    }

    private static func noSuchRun(_ what: String) -> RunError {
        RunError(
            .notFound,
            summary: "no such run",
            what: what,
            remedies: ["See the runs: triptych runs list"]
        )
    }
}
