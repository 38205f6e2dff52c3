import TripDomain
import TripMart

/// A run with its line in the list of runs, its screen and its exit status.
public struct RunSession {
    /// What a command prints and how it ends.
    public struct Ending: Sendable {
        /// The one line for stdout.
        public let summary: String
        /// The lines for stderr.
        public let details: [String]
        /// The effect of the edits, where stored trips were classified again; in the list of runs
        /// it comes before the details.
        public var plan: [String] = []
        /// Whether the user has already seen the plan.
        public var isPlanShown = false
        /// The status.
        public let status: ExitStatus
        /// Its number in the list of runs; nil where it is not listed.
        public internal(set) var runNumber: Int?
        /// The generation that is served at the end; nil where there is none, or where its file
        /// cannot be read.
        public internal(set) var generation: Int?
        /// Whether it published a generation.
        public internal(set) var isPublished = false

        /// The details and the summary as JSON, one object to a line.
        public func jsonDetails(now: Int64) -> [String] {
            let level = status.rawValue >= 11 || status.rawValue == 1 ? "error" : "info"
            let plan = isPlanShown || plan.isEmpty ? [] : [self.plan.joined(separator: "\n")]
            return (plan + details.filter { !$0.isEmpty } + [summary]).map { line in
                JSONValue.object([
                    ("time", .text(RunSession.stamp(now))), ("level", .text(level)),
                    ("exit_code", .integer(Int64(status.rawValue))), ("message", .text(line)),
                ]).json
            }
        }
    }

    private let options: RunOptions
    private let command: String
    private let isPlanShown: Bool
    /// Checks the arguments before anything is created.
    private let check: () throws -> Void
    /// Does the work; its argument is called with the number of a generation about to be published.
    private let work: (@escaping (Int) -> Void) throws -> RunReport

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - options: The options of the run.
    ///   - command: The command line, for the list of runs; flags and folders alone.
    ///   - progress: Where its progress is shown.
    public init(options: RunOptions, command: String, progress: Progress) {
        self.options = options
        self.command = command
        isPlanShown = false
        check = { try FirstRunCheck.check(options) }
        work = { announce in
            try NightlyRun(options: options, progress: progress, announce: announce).perform()
        }
    }

    /// Prepares to classify the stored trips again.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are.
    ///   - command: The command line, for the list of runs.
    ///   - plan: The plan the user approved; nil where none was shown or saved.
    ///   - progress: Where its progress is shown.
    ///   - permit: Called before anything is written; throws where nothing may be.
    public init(
        reclassifying options: RunOptions,
        command: String,
        plan: ApprovedPlan?,
        progress: Progress,
        permit: @escaping () throws -> Void = {}
    ) {
        self.options = options
        self.command = command
        if case .shown = plan { isPlanShown = true } else { isPlanShown = false }
        check = { _ = try ServedMart.open(MartFolder(path: options.martPath)) }
        work = { announce in
            try Reclassification(
                options: options,
                plan: plan,
                progress: progress,
                announce: announce,
                permit: permit
            ).perform()
        }
    }

    /// Prepares a rollback to an older generation.
    ///
    /// - Parameters:
    ///   - options: Where the mart is.
    ///   - generation: The generation to go back to.
    ///   - command: The command line, for the list of runs.
    ///   - progress: Where its progress is shown.
    public init(
        rollingBack options: RunOptions,
        to generation: Int,
        command: String,
        progress: Progress
    ) {
        self.options = options
        self.command = command
        isPlanShown = false
        check = { try Rollback.require(MartFolder(path: options.martPath)) }
        work = { announce in
            try Rollback(
                options: options,
                to: generation,
                progress: progress,
                announce: announce
            ).perform()
        }
    }

    /// Performs the run; never throws, because every failure has its screen.
    public func perform() -> Ending {
        let clock = Progress.milliseconds()
        var listed: RunListing?
        var fault: String?
        do {
            try check()
            if !options.isDryRun {
                listed = try RunListing(
                    MartFolder(path: options.martPath),
                    command: command,
                    startedAt: Self.stamp(options.now)
                )
            }
        } catch let error as RunListing.Unwritten {
            // The numbers matter more than the list of runs.
            fault = error.clause
        } catch {
            return ending(of: Failure(error), runNumber: nil)
        }
        let result = attempt(listed)
        let ending = whole(
            ending(of: result, runNumber: listed?.number, fault: fault),
            result,
            listed
        )
        guard let listed else { return ending }
        let spent = (Progress.milliseconds() - clock) / 1000
        do throws(MartError) {
            try listed.finish(
                ending,
                endedAt: Self.stamp(options.now + spent),
                outcome: result.outcome,
                generation: ending.generation
            )
            return ending
        } catch {
            let fault = RunListing.Unwritten(error).clause
            return whole(
                self.ending(of: result, runNumber: listed.number, fault: fault),
                result,
                listed
            )
        }
    }

    /// Adds the state of the mart to an ending, independent of the list of runs.
    private func whole(_ ending: Ending, _ result: Outcome, _ listed: RunListing?) -> Ending {
        var ending = ending
        (ending.runNumber, ending.generation) = (listed?.number, generation(of: result))
        ending.isPublished = result.isPublished
        return ending
    }

    /// The result of a run.
    private enum Outcome {
        case report(RunReport)
        case failure(Failure)

        var isPublished: Bool {
            if case .report(let report) = self { report.outcome == .published } else { false }
        }

        /// The word in the list of runs.
        var outcome: String {
            switch self {
            case .report(let report): report.outcome.rawValue
            case .failure: "withheld"
            }
        }
    }

    private func attempt(_ listed: RunListing?) -> Outcome {
        do {
            return .report(try work { listed?.announce($0) })
        } catch {
            return .failure(Failure(error))
        }
    }

    private func ending(of outcome: Outcome, runNumber: Int?, fault: String?) -> Ending {
        switch outcome {
        case .failure(let failure): return ending(of: failure, runNumber: runNumber)
        case .report(var report):
            report.unlisted = fault
            let screen = RunScreen(report)
            return Ending(
                summary: screen.summary,
                details: screen.details,
                plan: report.plan,
                isPlanShown: isPlanShown,
                status: report.status
            )
        }
    }

    /// The ending of a run that could not begin.
    static func ending(_ failure: Failure, _ options: RunOptions) -> Ending {
        RunSession(options: options, command: "", progress: Progress(isShown: false))
            .ending(of: failure, runNumber: nil)
    }

    private func ending(of failure: Failure, runNumber: Int?) -> Ending {
        // The served generation is shown. The link gives its number even where its file cannot be
        // read, which the failure is then about.
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
        return Ending(summary: screen.summary, details: screen.details, status: failure.status)
    }

    /// The generation that a run published, or found served.
    private func generation(of outcome: Outcome) -> Int? {
        if case .report(let report) = outcome { return report.generation }
        // Where the served file cannot be read, the failure itself names it.
        let served = try? ServedMart.openIfPublished(MartFolder(path: options.martPath))
        return served?.header.number
    }

    private static func stamp(_ seconds: Int64) -> String {
        CivilTime.text(ofSeconds: seconds) + "Z"
    }
}
