import TripDomain
import TripMart

/// A night with everything around it: its listed in the list of runs, its screen, its status.
public struct NightSession {
    /// What a command prints and how it ends.
    public struct Ending: Sendable {
        /// The one line for stdout.
        public let summary: String
        /// The lines for stderr.
        public let details: [String]
        /// What the edits do, where stored trips were decided anew: it stands in the list of runs before
        /// the details.
        public var plan: [String] = []
        /// Whether somebody has been shown the plan before.
        public var isPlanShown = false
        /// The status.
        public let status: ExitStatus
        /// Its number in the list of runs; nil where it is not listed.
        public internal(set) var runNumber: Int?
        /// The generation that is served in the end; nil where none is, or its file cannot be read.
        public internal(set) var generation: Int?
        /// Whether it published a generation.
        public internal(set) var isPublished = false

        /// The details and the summary as JSON, one object to a line.
        public func jsonDetails(now: Int64) -> [String] {
            let level = status.rawValue >= 11 || status.rawValue == 1 ? "error" : "info"
            let plan = isPlanShown || plan.isEmpty ? [] : [self.plan.joined(separator: "\n")]
            return (plan + details.filter { !$0.isEmpty } + [summary]).map { line in
                JSONValue.object([
                    ("time", .text(NightSession.stamp(now))), ("level", .text(level)),
                    ("exit_code", .integer(Int64(status.rawValue))), ("message", .text(line)),
                ]).json
            }
        }
    }

    private let options: RunOptions
    private let command: String
    private let isPlanShown: Bool
    /// Looks at what it was given before anything is made.
    private let check: () throws -> Void
    /// Does the work; receives who is to be told the number of a generation about to be published.
    private let work: (@escaping (Int) -> Void) throws -> NightReport

    /// Prepares a night.
    ///
    /// - Parameters:
    ///   - options: What it is asked to do.
    ///   - command: The command line, for the list of runs; flags and folders alone.
    ///   - progress: Where its progress is shown.
    public init(options: RunOptions, command: String, progress: Progress) {
        self.options = options
        self.command = command
        isPlanShown = false
        check = { try NightArguments.check(options) }
        work = { announce in
            try NightlyRun(options: options, progress: progress, announce: announce).perform()
        }
    }

    /// Prepares to decide the stored trips anew.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are.
    ///   - command: The command line, for the list of runs.
    ///   - plan: The plan somebody agreed to; nil where none was shown or saved.
    ///   - progress: Where its progress is shown.
    ///   - permit: Asked before anything is written; throws where nothing is to be.
    public init(
        reclassifying options: RunOptions,
        command: String,
        plan: AgreedPlan?,
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

    /// Prepares to go back to an older generation.
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

    /// Carries the night out; never throws, because every failure has its screen.
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

    /// An ending with what became of the mart, whatever became of the list of runs.
    private func whole(_ ending: Ending, _ result: Outcome, _ listed: RunListing?) -> Ending {
        var ending = ending
        (ending.runNumber, ending.generation) = (listed?.number, generation(of: result))
        ending.isPublished = result.isPublished
        return ending
    }

    /// What a night came to.
    private enum Outcome {
        case report(NightReport)
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
            let screen = NightScreen(report)
            return Ending(
                summary: screen.summary,
                details: screen.details,
                plan: report.plan,
                isPlanShown: isPlanShown,
                status: report.status
            )
        }
    }

    /// How a run ends that could not even begin.
    static func ending(_ failure: Failure, _ options: RunOptions) -> Ending {
        NightSession(options: options, command: "", progress: Progress(isShown: false))
            .ending(of: failure, runNumber: nil)
    }

    private func ending(of failure: Failure, runNumber: Int?) -> Ending {
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
        return Ending(summary: screen.summary, details: screen.details, status: failure.status)
    }

    /// The generation a run published, or found served.
    private func generation(of outcome: Outcome) -> Int? {
        if case .report(let report) = outcome { return report.generation }
        // Where the served file cannot be read, the failure itself is about that.
        let served = try? ServedMart.openIfPublished(MartFolder(path: options.martPath))
        return served?.header.number
    }

    private static func stamp(_ seconds: Int64) -> String {
        CivilTime.text(ofSeconds: seconds) + "Z"
    }
}
