import TripDomain
import TripEngine
import TripMart
import TripRules

/// The nightly run: it reads the new exports, classifies and sums up all known ones, and publishes
/// the result, or nothing.
///
/// Every run recomputes the whole state from the archived files. That is what makes it a pure
/// function of them: no order of arrival, no interrupted night and no earlier number can leave a
/// trace. `docs/decisions/0002-every-run-rebuilds-the-state.md` says what it costs, and why.
public struct NightlyRun {
    let options: RunOptions
    let progress: Progress
    let announce: (Int) -> Void
    let startedAt: Int64

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - options: The options of the run.
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

    /// Performs the run.
    ///
    /// - Returns: Its report.
    /// - Throws: ``RunError``, ``PipelineFault``, `MartError`, `SumOverflow` or `SourceFault`;
    ///   whichever is thrown, the served generation is unchanged.
    public func perform() throws -> RunReport {
        // 1. Lock the mart, and open the served generation.
        let mart = try RunMart(options)
        defer { mart.release() }
        try mart.served?.requireExports(options)

        // 2. Read the pipeline and its reference files, and hold edits that were not reviewed.
        let setting = try RunConfiguration(options, served: mart.served)
        let approval = try setting.approval(options, served: mart.served)

        // 3. Find the new files, keep their bytes, and put all known files in order of exports.
        let intake = try RunFiles(options, setting: setting, mart: mart, progress: progress)
        guard intake.isDue(options, setting) else { return try nothingDue(mart, setting, intake) }

        // 4. Read every export: records become typed, joined and classified trips.
        let exports = try ClassifiedExports(intake, setting, options, progress: progress)
        if let conflict = exports.conflict { throw conflict }

        let isWithheld = exports.refusals.contains(where: \.isWithholding)
        let isDue = options.isFull || setting.changesDecisions || intake.servesOlder
        guard exports.hasNewExports || isDue || isWithheld else {
            return try onlyRefusals(mart, setting, intake, exports)
        }

        // 5. Find the accepted version of each trip, and sum up the KPIs.
        let state = try RunTotals(exports, setting, options, progress: progress)

        // 6. Check what would be published.
        let clocks = try setting.clocks(
            arrived: exports.newSources(setting.pipeline),
            served: mart.served,
            options: options
        )
        var report = self.report(mart, setting, intake, exports, state)
        report.overdue = clocks.overdue(now: options.now)
        report.localZone = setting.localZone
        let checks = try RunChecks(state, setting, mart: mart, options: options)
        (report.checks, report.damagedHistory) = (checks.results, checks.damagedHistory)
        try PublicationDecision(report, refusals: exports.refusals, options).pass()
        guard !options.isDryRun else {
            report.outcome = .dryRun
            report.takeMeasures(setting, state.cube)
            report.milliseconds = Progress.milliseconds() - startedAt
            return report
        }

        // 7. Write the generation to a new file, recount it from its own pages, publish it.
        var contents = state.contents(
            header: setting.header(
                mart.nextNumber,
                isSynthetic: state.isSynthetic,
                dataThrough: state.dataThrough,
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
        _ mart: RunMart,
        _ setting: RunConfiguration,
        _ intake: RunFiles,
        refused: [(path: String, reason: String)] = []
    ) throws -> RunReport {
        try intake.requirePublished(options, served: mart.served)
        let clocks = try setting.clocks(arrived: [], served: mart.served, options: options)
        var report = RunReport(outcome: .nothingDue, options, mart)
        report.generation = mart.served?.header.number
        report.dataThrough = mart.served?.header.dataThrough
        report.knownFileCount = intake.register.entries.count { !$0.isNew }
        report.held = setting.held
        if let served = mart.trips {
            report.overrides = try OverrideNotes(
                setting.classifier.overrides,
                served,
                isHeld: setting.holdsOverrides
            ).clauses
        }
        report.exclusions = try intake.missed(mart.served)
        report.hasFaultyEdit = setting.hasFaultyEdit
        report.refused = refused
        report.unread = intake.unread
        (report.unclaimed, report.widerPattern) = (intake.unclaimed, intake.widerPattern)
        report.skipped = intake.skipped
        report.overdue = clocks.overdue(now: options.now)
        report.localZone = setting.localZone
        report.milliseconds = Progress.milliseconds() - startedAt
        // A missing export must not pass as a success.
        guard report.overdue.isEmpty else {
            throw OverdueFailure(report: report, inputPath: options.inputPath).failure
        }
        return report
    }

    /// The result of a run that found only files that cannot be read: nothing new to publish.
    private func onlyRefusals(
        _ mart: RunMart,
        _ setting: RunConfiguration,
        _ intake: RunFiles,
        _ exports: ClassifiedExports
    ) throws -> RunReport {
        try nothingDue(
            mart,
            setting,
            intake,
            refused: exports.refusals.map { ($0.path, $0.reason) }
        )
    }

    private func report(
        _ mart: RunMart,
        _ setting: RunConfiguration,
        _ intake: RunFiles,
        _ exports: ClassifiedExports,
        _ state: RunTotals
    ) -> RunReport {
        var report = RunReport(outcome: .published, options, mart)
        report.generation = mart.nextNumber
        report.previousGeneration = mart.served?.header.number
        report.rebuilt = mart.damage == nil ? nil : mart.served?.header.number
        report.isPreviousDamaged = mart.damage != nil
        let isShown = exports.files.map { options.isFull || $0.entry.isNew }
        for (ledger, isShown) in zip(state.runLedger.ledgers, isShown) where isShown {
            report.ledger += ledger
        }
        report.files = zip(exports.files, zip(state.runLedger.ledgers, isShown))
            .filter { $1.1 }.map { ($0.entry.path, $1.0) }
        let rejects = state.runLedger.rejects.lazy.filter { isShown[$0.fileIndex] }
        report.rejects = RejectTally.of(rejects, paths: exports.files.map(\.entry.path))
        report.rejectedCorrections = rejects.count(where: \.isCorrection)
        report.newFileCount = exports.files.count { $0.entry.isNew }
        report.knownFileCount = exports.files.count - report.newFileCount
        report.trips = Int64(state.acceptedCount)
        report.previousTrips = mart.previousTrips
        report.takenTrips = zip(state.runLedger.ledgers, exports.files).reduce(0) { sum, file in
            sum + (file.1.entry.isNew ? file.0[.accepted].items : 0)
        }
        report.dataThrough = state.dataThrough
        report.latestMonth = state.latestMonth
        report.months = state.cube.monthSums
        report.moves = MonthMove.since(mart.served, state.cube.monthGroups)
        report.held = setting.held
        report.overrides = state.overrideNotes(setting)
        report.exclusions = exports.excludedExports
        report.hasFaultyEdit = setting.hasFaultyEdit
        report.refused = exports.refusals.map { ($0.path, $0.reason) }
        report.skipped = intake.skipped
        report.acceptedSmaller = exports.acceptedSmaller
        report.unread = intake.unread + exports.changed
        (report.unclaimed, report.widerPattern) = (intake.unclaimed, intake.widerPattern)
        report.replaced = exports.replaced
        report.overflows = exports.overflows
        report.takesTripIDsAsUnique = state.trips == nil
        return report
    }
}
