import TripDomain
public import TripMart

extension MartQueries {
    /// `runs list`.
    ///
    /// - Parameter limit: The maximum number of runs.
    /// - Returns: The runs, newest first.
    /// - Throws: `MartError` where the list cannot be read.
    public func runs(limit: Int) throws -> [RunRecord] {
        try RunLog.openIfPresent(folder)?.list(limit: limit) ?? []
    }

    /// `runs show`: everything a run printed.
    ///
    /// - Parameter number: The run's number.
    /// - Returns: The run.
    /// - Throws: ``RunError`` where there is no such run; `MartError` where the list cannot be
    ///   read.
    public func run(_ number: Int) throws -> RunRecord {
        let log = try RunLog.openIfPresent(folder)
        guard let log, let last = try log.list(limit: 1).first?.number else {
            throw Self.noSuchRun("\(folder.path) has no list of runs.")
        }
        guard number >= 1, number <= last else {
            throw Self.noSuchRun(
                "\(folder.path) has no run \(number). Its numbers: "
                    + "\(Counted.range(min(1, last)...last))."
            )
        }
        return try log.run(number)
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
