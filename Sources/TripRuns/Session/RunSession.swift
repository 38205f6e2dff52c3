import TripDomain
import TripMart
import TripPipeline

/// A run with its line in the list of runs, what it prints and its exit status.
public struct RunSession {
    /// What a command prints and how it ends.
    public struct Ending: Sendable {
        /// The lines it prints.
        public let text: RunText
        /// The status.
        public let status: ExitStatus
        /// Whether the user has already seen the plan.
        public internal(set) var isPlanShown = false
        /// Its number in the list of runs; nil where it is not listed.
        public internal(set) var runNumber: Int?
        /// The generation that is served at the end; nil where there is none, or where its file
        /// cannot be read.
        public internal(set) var generation: Int?
        /// Whether it published a generation.
        public internal(set) var isPublished = false

        /// Ends a command.
        ///
        /// - Parameters:
        ///   - text: The lines it prints.
        ///   - status: The status.
        public init(_ text: RunText, status: ExitStatus) {
            self.text = text
            self.status = status
        }
    }

    private let options: RunOptions
    private let command: String
    private let output: any RunOutput
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
    ///   - output: What puts its result into words.
    ///   - progress: Where its progress is reported.
    public init(
        options: RunOptions,
        command: String,
        output: any RunOutput,
        progress: Progress
    ) {
        self.options = options
        self.command = command
        self.output = output
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
    ///   - output: What puts its result into words.
    ///   - progress: Where its progress is reported.
    ///   - permit: Called before anything is written; throws where nothing may be.
    public init(
        reclassifying options: RunOptions,
        command: String,
        plan: ApprovedPlan?,
        output: any RunOutput,
        progress: Progress,
        permit: @escaping () throws -> Void = {}
    ) {
        self.options = options
        self.command = command
        self.output = output
        if case .shown = plan { isPlanShown = true } else { isPlanShown = false }
        check = {
            try RunArguments.check(options)
            try ServedMart.open(MartFolder(path: options.martPath)).requireTrips(options)
        }
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
    ///   - output: What puts its result into words.
    ///   - progress: Where its progress is reported.
    public init(
        rollingBack options: RunOptions,
        to generation: Int,
        command: String,
        output: any RunOutput,
        progress: Progress
    ) {
        self.options = options
        self.command = command
        self.output = output
        isPlanShown = false
        check = { try Rollback.requireKept(generation, MartFolder(path: options.martPath)) }
        work = { announce in
            try Rollback(
                options: options,
                to: generation,
                progress: progress,
                announce: announce
            ).perform()
        }
    }

    /// Prepares to publish what a cluster added up.
    ///
    /// - Parameters:
    ///   - source: The plan, the results and the place of the trips.
    ///   - options: Where the mart is.
    ///   - command: The command line, for the list of runs.
    ///   - output: What puts its result into words.
    ///   - progress: Where its progress is reported.
    public init(
        importing source: CubeImport.Source,
        options: RunOptions,
        command: String,
        output: any RunOutput,
        progress: Progress
    ) {
        self.options = options
        self.command = command
        self.output = output
        isPlanShown = false
        check = {
            try MartFolder(path: options.martPath).requireFolder()
            try source.check()
            // What is wrong with results of a mart that is there is put on record by the run.
            guard !MartFolder(path: options.martPath).isBegun else { return }
            _ = try ImportedResults(plan: source.planPath, folder: source.resultsPath)
        }
        work = { announce in
            try CubeImport(source, options, progress: progress, announce: announce).perform()
        }
    }

    /// Performs the run; never throws, because every failure has its lines.
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
            return ending(of: failure(error), runNumber: nil)
        }
        let result = attempt(listed).noting(listed)
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

        /// The same, which says so where the list of runs was lost.
        func noting(_ listed: RunListing?) -> Outcome {
            guard let listed, listed.hasLostRuns else { return self }
            switch self {
            case .report(var report):
                report.hasLostRuns = true
                return .report(report)
            case .failure(var failure):
                failure.what.append(
                    "The list of runs, runs.sqlite, was missing or empty; another one begins."
                )
                return .failure(failure)
            }
        }

        /// The word in the list of runs.
        var outcome: String {
            switch self {
            case .report(let report): report.outcome.rawValue
            case .failure: RunReport.Outcome.withheld.rawValue
            }
        }
    }

    private func attempt(_ listed: RunListing?) -> Outcome {
        do {
            return .report(try work { listed?.announce($0) })
        } catch {
            return .failure(failure(error))
        }
    }

    /// An error in words; the times of a lock in the zone of what is served, as all others.
    private func failure(_ error: any Error) -> Failure {
        guard let error = error as? MartError, error.lockOwner != nil else { return Failure(error) }
        // The lock matters more than the zone its time is shown in.
        let served = try? ServedMart.openIfPublished(MartFolder(path: options.martPath))
        return Failure(error, zone: LocalTime.zone(of: served))
    }

    private func ending(of outcome: Outcome, runNumber: Int?, fault: String?) -> Ending {
        switch outcome {
        case .failure(let failure): return ending(of: failure, runNumber: runNumber)
        case .report(var report):
            report.unlisted = fault
            var ending = Ending(output.text(of: report), status: report.status)
            ending.isPlanShown = isPlanShown
            return ending
        }
    }

    /// The ending of a run that could not begin.
    static func ending(
        _ failure: Failure,
        _ options: RunOptions,
        _ output: any RunOutput
    ) -> Ending {
        RunSession(options: options, command: "", output: output, progress: Progress())
            .ending(of: failure, runNumber: nil)
    }

    private func ending(of failure: Failure, runNumber: Int?) -> Ending {
        // The served generation is shown. The link gives its number even where its file cannot be
        // read, which the failure is then about.
        let folder = MartFolder(path: options.martPath)
        var number: Int?
        var isUnknown = false
        do throws(MartError) {
            number = try folder.servedNumber()
        } catch {
            isUnknown = error.code == .notPermitted
        }
        // The failure that is shown matters more than one of what is kept.
        let served = number.flatMap { try? Rollback.kept($0, folder) }
        let zone = LocalTime.zone(of: served)
        var state = ServedState(
            generation: number ?? served?.header.number,
            dataThrough: served?.header.dataThrough,
            staleAfter: served?.header.staleAfter.map { utc in
                zone.map { LocalTime.text(utc, zone: $0) } ?? utc + " UTC"
            }
        )
        state.isUnknown = isUnknown
        let now = CivilTime.text(ofSeconds: options.now)
        state.isStale = served?.header.staleAfter.map { $0 <= now } ?? false
        state.martFlags = options.martFlags
        return Ending(
            output.text(of: failure, served: state, runNumber: runNumber),
            status: failure.status
        )
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

/// Checks the arguments of a first run before it creates anything.
///
/// A misspelt folder must not leave an empty mart behind.
enum FirstRunCheck {
    /// Refuses folders that cannot be read.
    ///
    /// An existing mart is left to the run itself, which records what it finds.
    ///
    /// - Parameter options: The options of the run.
    /// - Throws: ``PipelineFault`` or ``RunError`` of the first folder that cannot be used.
    static func check(_ options: RunOptions) throws {
        try RunArguments.check(options)
        guard !MartFolder(path: options.martPath).isBegun else { return }
        try RunMart.requireOutside(options.martPath, keyPath: options.keyFilePath)
        let pipeline = try FolderReading(options).pipeline
        let delivery = try MatchedFiles(
            entries: try LandingFolder(path: options.inputPath).entries(),
            sources: pipeline.sources,
            now: options.now,
            skipped: PathSet(options.skippedFiles)
        )
        guard delivery.arrivals.isEmpty else { return }
        throw RunError.nothingToRead(
            options,
            delivery.unread,
            delivery.unreadable,
            unclaimed: delivery.unclaimed,
            patterns: pipeline.sources.flatMap(\.globs)
        )
    }
}
