import TripDomain
import TripMart

/// A night with everything around it: its entry in the list of runs, its screen, its status.
public struct NightSession {
    /// What a command prints and how it ends.
    public struct Ending: Sendable {
        /// The one line for stdout.
        public let summary: String
        /// The lines for stderr.
        public let details: [String]
        /// The status.
        public let status: ExitStatus

        /// The details and the summary as JSON, one object to a line.
        public func jsonDetails(now: Int64) -> [String] {
            let level = status.rawValue >= 11 || status.rawValue == 1 ? "error" : "info"
            return (details.filter { !$0.isEmpty } + [summary]).map { line in
                JSONValue.object([
                    ("time", .text(NightSession.stamp(now))), ("level", .text(level)),
                    ("exit_code", .integer(Int64(status.rawValue))), ("message", .text(line)),
                ]).json
            }
        }
    }

    private let options: RunOptions
    private let command: String
    private let progress: Progress

    /// Prepares a night.
    ///
    /// - Parameters:
    ///   - options: What it is asked to do.
    ///   - command: The command line, for the list of runs; flags and folders alone.
    ///   - progress: Where its progress is shown.
    public init(options: RunOptions, command: String, progress: Progress) {
        self.options = options
        self.command = command
        self.progress = progress
    }

    /// Carries the night out; never throws, because every failure has its screen.
    public func perform() -> Ending {
        let startedAt = Self.stamp(options.now)
        let clock = Progress.milliseconds()
        var log: RunLog?
        var number: Int?
        if !options.isDryRun {
            // A mart that cannot keep a list of runs cannot take a generation either; the night
            // itself finds that out and says why.
            log = try? openLog()
            number = log.flatMap { try? $0.begin(command: command, startedAt: startedAt) }
        }
        let (ending, outcome, generation) = attempt(runNumber: number)
        if let log, let number {
            let spent = (Progress.milliseconds() - clock) / 1000
            // The night is over whether or not its line in the list can be written.
            try? log.finish(
                number,
                endedAt: Self.stamp(options.now + spent),
                exitCode: Int(ending.status.rawValue),
                outcome: outcome,
                generation: generation,
                summary: ending.summary,
                details: ending.details.joined(separator: "\n")
            )
        }
        return ending
    }

    private func openLog() throws -> RunLog {
        let folder = MartFolder(path: options.martPath)
        try folder.create()
        return try RunLog(folder)
    }

    private func attempt(
        runNumber: Int?
    ) -> (ending: Ending, outcome: String, generation: Int?) {
        do {
            let report = try NightlyRun(options: options, progress: progress).perform()
            let screen = NightScreen(report)
            let ending = Ending(
                summary: screen.summary,
                details: screen.details,
                status: report.status
            )
            return (ending, report.outcome.rawValue, report.generation)
        } catch {
            let failure = Failure(error)
            // What readers see meanwhile. The link tells the number even where the file it leads to
            // cannot be read, which is then what the failure is about.
            let folder = MartFolder(path: options.martPath)
            let served = try? ServedMart.openIfPublished(folder)
            let number = try? folder.servedNumber()
            let screen = FailureScreen(
                failure,
                served: (
                    number ?? served?.header.number, served?.header.dataThrough,
                    served?.header.staleAfter
                ),
                runNumber: runNumber
            )
            let ending = Ending(
                summary: screen.summary,
                details: screen.details,
                status: failure.status
            )
            return (ending, "withheld", served?.header.number)
        }
    }

    private static func stamp(_ seconds: Int64) -> String {
        CivilTime.text(ofSeconds: seconds) + "Z"
    }
}
