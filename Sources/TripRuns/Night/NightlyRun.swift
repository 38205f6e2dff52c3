import TripDomain
import TripEngine
import TripMart

/// One night: what has arrived is taken in, everything known is classified and added up, and the
/// result is published, or nothing is.
///
/// Every run recomputes the whole state from the archived files. That is what makes it a pure
/// function of them: no order of arrival, no interrupted night and no earlier number can leave a
/// trace. `docs/decisions/0003-every-run-rebuilds.md` says what it costs and why it is worth it.
public struct NightlyRun {
    let options: RunOptions
    let progress: Progress
    let announce: (Int) -> Void
    let startedAt: Int64

    /// Prepares a night.
    ///
    /// - Parameters:
    ///   - options: What it is asked to do.
    ///   - progress: Where its progress is shown.
    ///   - announce: Called with the number of a generation that is about to be published.
    public init(
        options: RunOptions,
        progress: Progress,
        announce: @escaping (Int) -> Void = { _ in }
    ) {
        self.options = options
        self.progress = progress
        self.announce = announce
        startedAt = Progress.milliseconds()
    }

    /// Carries the night out.
    ///
    /// - Returns: What it did.
    /// - Throws: ``RunError``, ``PipelineFault``, `MartError`, `EngineError` or `SourceFault`;
    ///   whatever is thrown, the served generation is unchanged.
    public func perform() throws -> NightReport {
        // 1. Take the mart for this run, and see what it serves.
        let mart = try NightMart(options)
        defer { mart.release() }

        // 2. Read the pipeline and its reference files, and hold back edits nobody has seen.
        let setting = try NightSetting(options, served: mart.served)
        let approval = try setting.approval(options, served: mart.served)

        // 3. See what has arrived, keep its bytes, and put everything known in order of exports.
        let intake = try NightIntake(
            options,
            setting: setting,
            mart: mart,
            progress: progress
        )
        guard intake.isDue(options, setting) else { return try nothingDue(mart, setting, intake) }

        // 4. Read every export: records become typed, joined and classified trips.
        let exports = try NightExports(intake, setting, options, progress: progress)
        if let conflict = exports.conflict { throw conflict }

        let isWithheld = exports.refusals.contains(where: \.isWithholding)
        let isDue = options.isFull || setting.changesDecisions || intake.servesOlder
        guard exports.hasNews || isDue || isWithheld else {
            return try onlyRefusals(mart, setting, intake, exports)
        }

        // 5. Decide which version of each trip stands, and add up the KPIs.
        let state = try NightState(exports, setting, options, progress: progress)

        // 6. Check what would be published.
        let clocks = try setting.clocks(
            arrived: exports.newSources(setting.pipeline),
            served: mart.served,
            options: options
        )
        var report = self.report(mart, setting, intake, exports, state)
        report.overdue = clocks.overdue(now: options.now)
        report.checks = try NightChecks(state, setting, mart: mart, options: options).results
        try NightGate(report, refusals: exports.refusals, isDryRun: options.isDryRun).pass()
        guard !options.isDryRun else {
            report.outcome = .dryRun
            report.milliseconds = Progress.milliseconds() - startedAt
            return report
        }

        // 7. Write the generation beside the served one, recount it from its own pages, publish it.
        var contents = state.contents(
            header: setting.header(
                mart.nextNumber,
                isSynthetic: state.isSynthetic,
                dataThrough: state.cube.dataThrough,
                clocks: clocks,
                now: options.now
            ),
            setting: setting,
            clocks: clocks,
            checks: report.checks,
            threadCount: options.threadCount
        )
        contents.summary.approval = approval
        report.approval = approval
        try mart.publish(contents, progress: progress, now: options.now, announce: announce)
        report.unfinished = mart.unfinished
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }

    private func nothingDue(
        _ mart: NightMart,
        _ setting: NightSetting,
        _ intake: NightIntake,
        refused: [(path: String, reason: String)] = []
    ) throws -> NightReport {
        try intake.requirePublished(options, served: mart.served)
        let clocks = try setting.clocks(arrived: [], served: mart.served, options: options)
        var report = NightReport(outcome: .nothingDue)
        report.pipelineText = Shown.shell(options.pipelinePath)
        report.generation = mart.served?.header.number
        report.dataThrough = mart.served?.header.dataThrough
        report.knownFileCount = intake.register.entries.count { !$0.isNew }
        report.held = setting.held
        if let served = mart.served {
            report.overrides = try OverrideNotes(
                setting.classifier.overrides,
                served,
                isHeld: setting.holdsOverrides
            ).clauses
        }
        report.holds = try intake.missed(mart.served)
        report.hasFaultyEdit = setting.hasFaultyEdit
        report.refused = refused
        report.waiting = intake.waiting
        report.unclaimed = intake.unclaimed
        report.skipped = intake.skipped
        report.overdue = clocks.overdue(now: options.now)
        report.milliseconds = Progress.milliseconds() - startedAt
        // Silence is not success.
        guard report.overdue.isEmpty else {
            throw Overdue(report: report, inputPath: options.inputPath).failure
        }
        return report
    }

    /// A night that brought nothing but files that cannot be read: nothing new to publish.
    private func onlyRefusals(
        _ mart: NightMart,
        _ setting: NightSetting,
        _ intake: NightIntake,
        _ exports: NightExports
    ) throws -> NightReport {
        try nothingDue(
            mart,
            setting,
            intake,
            refused: exports.refusals.map { ($0.path, $0.reason) }
        )
    }

    private func report(
        _ mart: NightMart,
        _ setting: NightSetting,
        _ intake: NightIntake,
        _ exports: NightExports,
        _ state: NightState
    ) -> NightReport {
        var report = NightReport(outcome: .published)
        report.pipelineText = Shown.shell(options.pipelinePath)
        report.generation = mart.nextNumber
        report.previousGeneration = mart.served?.header.number
        let isShown = exports.files.map { options.isFull || $0.entry.isNew }
        for (ledger, isShown) in zip(state.accounting.ledgers, isShown) where isShown {
            report.ledger += ledger
        }
        let rejects = state.accounting.rejects.filter { isShown[$0.fileIndex] }
        report.rejects = RejectTally.of(rejects, paths: exports.files.map(\.entry.path))
        report.rejectedCorrections = rejects.count(where: \.isCorrection)
        report.newFileCount = exports.files.count { $0.entry.isNew }
        report.knownFileCount = exports.files.count - report.newFileCount
        report.trips = Int64(state.acceptedCount)
        report.previousTrips = mart.previousTrips
        report.dataThrough = state.cube.dataThrough
        report.latestMonth = state.cube.latestMonth
        report.held = setting.held
        report.overrides = state.overrideNotes(setting)
        report.holds = exports.heldExports
        report.hasFaultyEdit = setting.hasFaultyEdit
        report.refused = exports.refusals.map { ($0.path, $0.reason) }
        report.skipped = intake.skipped
        report.waiting = intake.waiting
        report.unclaimed = intake.unclaimed
        report.replaced = exports.replaced
        report.overflows = exports.overflows
        report.takesTripIDsAsUnique = state.trips == nil
        return report
    }
}
