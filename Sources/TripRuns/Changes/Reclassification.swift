import TripDomain
import TripEngine
import TripMart

/// `reclassify`: the stored trips are decided by the folder as it is, and published; no export is read.
///
/// What comes out is what a run over all exports with the same folder would publish.
struct Reclassification {
    private let options: RunOptions
    private let agreed: AgreedPlan?
    private let progress: Progress
    private let announce: (Int) -> Void
    private let permit: () throws -> Void
    private let startedAt = Progress.milliseconds()

    /// Prepares to decide anew.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are.
    ///   - plan: The plan somebody agreed to; nil where none was shown or saved.
    ///   - progress: Where progress is shown.
    ///   - announce: Called with the number of a generation that is about to be published.
    ///   - permit: Asked before anything is written; throws where nothing is to be.
    init(
        options: RunOptions,
        plan: AgreedPlan?,
        progress: Progress,
        announce: @escaping (Int) -> Void = { _ in },
        permit: @escaping () throws -> Void = {}
    ) {
        self.options = options
        agreed = plan
        self.progress = progress
        self.announce = announce
        self.permit = permit
    }

    /// Decides, checks and publishes.
    ///
    /// - Returns: What it did.
    /// - Throws: As ``PlannedEdits`` and ``StoredDecisions``; ``RunError`` with code `planMismatch` where the
    ///   agreed plan is no longer the one of now; ``Failure`` where a check withholds it; `MartError` of
    ///   what could not be written. Whatever is thrown, the served generation is unchanged.
    func perform() throws -> NightReport {
        // 1. Take the mart, and see what it serves.
        let mart = try NightMart(options, command: "reclassify")
        defer { mart.release() }
        let served = try mart.served ?? ServedMart.open(mart.folder)

        // 2. Read the folder, and see what was edited since.
        try agreed?.requireBound(served, options)
        let planned = try PlannedEdits(options, served)
        try agreed?.requireSame(planned, options)
        guard planned.edits.count > 0 else { return nothingToDo(served) }
        try planned.secondPerson.requirePlan(agreed?.binding, options)
        let setting = NightSetting(planned.folder, planned.compiled)

        // 3. Decide every stored trip.
        let decisions = try planned.decide(options, progress: progress, isKept: true)
        try agreed?.requireSame(decisions.cube, options)
        let plan = try planned.plan(decisions)
        let clocks = try setting.clocks(arrived: [], served: served, options: options)
        var report = try self.report(mart, served, plan, decisions)

        // 4. Check what would be published.
        report.checks = try NightChecks(
            measured(served, decisions),
            setting,
            mart.folder,
            now: options.now
        ).results
        try NightGate(report, refusals: [], isDryRun: false).pass()

        try permit()

        // 5. Write the generation beside the served one, recount it from its own pages, publish it.
        var summary = setting.summary(
            header: setting.header(
                mart.nextNumber,
                isSynthetic: served.header.isSynthetic,
                dataThrough: decisions.cube.dataThrough,
                clocks: clocks,
                now: options.now
            ),
            files: try served.files(),
            clocks: clocks,
            cube: decisions.cube,
            checks: report.checks
        )
        // Whoever publishes edits has asked for those that a rollback left.
        summary.holds = try served.holds().files
        summary.approval = SecondPerson.approval(options, agreed?.binding)
        try mart.publish(
            GenerationRevision(
                of: decisions.stored,
                summary: summary,
                shape: planned.compiled.classifier.shape,
                batches: decisions.batches
            ),
            progress: progress,
            now: options.now,
            announce: announce
        )
        report.unfinished = mart.unfinished
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }

    private func measured(
        _ served: ServedMart,
        _ decisions: StoredDecisions
    ) throws(MartError) -> MeasuredTrips {
        MeasuredTrips(
            areAll: true,
            ledger: try served.ledger(),
            records: try served.files().reduce(0) { $0 + $1.recordCount },
            sums: decisions.cube.total,
            regions: decisions.regions,
            tallies: decisions.tallies,
            dataThrough: decisions.cube.dataThrough,
            latestMonth: decisions.cube.latestMonth
        )
    }

    private func report(
        _ mart: NightMart,
        _ served: ServedMart,
        _ plan: Plan,
        _ decisions: StoredDecisions
    ) throws -> NightReport {
        var report = NightReport(outcome: .published)
        report.pipelineText = Shown.shell(options.pipelinePath)
        report.generation = mart.nextNumber
        report.previousGeneration = served.header.number
        report.ledger = try served.ledger()
        report.trips = mart.previousTrips
        report.previousTrips = mart.previousTrips
        report.redecided = plan.changedTrips
        report.dataThrough = decisions.cube.dataThrough
        report.latestMonth = decisions.cube.latestMonth
        report.overflows = decisions.overflows
        report.overrides = plan.overrideNotes
        report.holds = try served.holds().files.unmended(by: served.files())
        report.plan = try Planning(options: options, progress: progress)
            .screen(plan, served)
            .publishedLines(by: SecondPerson.approval(options, agreed?.binding))
        return report
    }

    private func nothingToDo(_ served: ServedMart) -> NightReport {
        var report = NightReport(outcome: .nothingDue)
        report.generation = served.header.number
        report.dataThrough = served.header.dataThrough
        report.redecided = 0
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }
}
