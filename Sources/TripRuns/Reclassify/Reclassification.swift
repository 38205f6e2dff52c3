import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// `reclassify`: classifies the stored trips by the current folder, and publishes the result; it
/// reads no export.
///
/// The result is the one that a run over all exports with the same folder would publish.
struct Reclassification {
    private let options: RunOptions
    private let agreed: ApprovedPlan?
    private let progress: Progress
    private let announce: (Int) -> Void
    private let permit: () throws -> Void
    private let startedAt = Progress.milliseconds()

    /// Prepares to classify again.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are.
    ///   - plan: The plan the user approved; nil where none was shown or saved.
    ///   - progress: Where progress is shown.
    ///   - announce: Called with the number of a generation that is about to be published.
    ///   - permit: Called before anything is written; throws where nothing may be.
    init(
        options: RunOptions,
        plan: ApprovedPlan?,
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

    /// Classifies, checks and publishes.
    ///
    /// - Returns: Its report.
    /// - Throws: The errors of ``PlannedEdits`` and ``StoredDecisions``; ``RunError`` with code
    ///   `planMismatch` where the approved plan no longer matches; ``Failure`` where a check
    ///   withholds it; `MartError` where files cannot be written. After any of them, the served
    ///   generation is unchanged.
    func perform() throws -> RunReport {
        // 1. Lock the mart, and open the served generation.
        let mart = try RunMart(options, command: "reclassify")
        defer { mart.release() }
        let served = try mart.trips ?? ServedMart.open(mart.folder)
        try served.requireTrips(options)

        // 2. Read the folder, and find its edits.
        try agreed?.requireBound(served, options)
        let planned = try PlannedEdits(options, served)
        try agreed?.requireSame(planned, options)
        guard planned.edits.count > 0 else { return nothingToDo(served, mart) }
        try planned.dualControl.requirePlan(agreed?.binding, options)
        let setting = RunConfiguration(planned.folder, planned.compiled)

        // 3. Classify every stored trip.
        let decisions = try planned.decide(options, progress: progress, isKept: true)
        try agreed?.requireSame(decisions.cube, options)
        let plan = try planned.plan(decisions)
        let clocks = try setting.clocks(arrived: [], served: served, options: options)
        var report = try self.report(mart, served, plan, decisions)

        // 4. Check what would be published.
        let checks = try RunChecks(
            measured(served, decisions),
            setting,
            mart.folder,
            now: options.now
        )
        (report.checks, report.damagedHistory) = (checks.results, checks.damagedHistory)
        try PublicationDecision(report, refusals: [], options).pass()

        try permit()

        // 5. Write the generation to a new file, recount it from its own pages, publish it.
        var summary = setting.summary(
            header: setting.header(
                mart.nextNumber,
                isSynthetic: served.header.isSynthetic,
                dataThrough: served.header.dataThrough,
                clocks: clocks,
                now: options.now
            ),
            files: try served.files(),
            clocks: clocks,
            cube: decisions.cube,
            checks: report.checks
        )
        // Publishing edits includes those that a rollback left out.
        summary.exclusions = try served.exclusions().files
        summary.approval = DualControl.approval(options, agreed?.binding)
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
            unitless: try served.rejectGroups().reduce(0) {
                $0 + ($1.reason == .noUnit ? Int64($1.itemCount) : 0)
            },
            records: try served.files().reduce(0) { $0 + $1.recordCount },
            sums: decisions.cube.total,
            regions: decisions.regions,
            tallies: decisions.tallies,
            dataThrough: served.header.dataThrough,
            latestMonth: decisions.cube.latestMonth(of: served.header.dataThrough),
            total: decisions.cube.extent,
            repeats: nil,
            cutFiles: nil,
            cutClaims: nil,
            replacements: nil,
            contents: nil,
            rejectedFiles: nil
        )
    }

    private func report(
        _ mart: RunMart,
        _ served: ServedMart,
        _ plan: Plan,
        _ decisions: StoredDecisions
    ) throws -> RunReport {
        var report = RunReport(outcome: .published, options, mart)
        report.generation = mart.nextNumber
        report.previousGeneration = served.header.number
        report.ledger = try served.ledger()
        report.trips = mart.previousTrips
        report.previousTrips = mart.previousTrips
        report.reclassified = plan.changedTrips
        report.dataThrough = served.header.dataThrough
        report.latestMonth = decisions.cube.latestMonth(of: served.header.dataThrough)
        report.moves = MonthMove.since(served, decisions.cube.monthGroups)
        report.overflows = decisions.overflows
        report.overrides = plan.overrideNotes
        report.exclusions = try served.exclusions().files.withoutReplacement(by: served.files())
        var answer = try Planning(options: options, progress: progress).answer(plan, served)
        answer.approval = DualControl.approval(options, agreed?.binding)
        report.plan = answer
        return report
    }

    private func nothingToDo(_ served: ServedMart, _ mart: RunMart) -> RunReport {
        var report = RunReport(outcome: .nothingDue, options, mart)
        report.generation = served.header.number
        report.dataThrough = served.header.dataThrough
        report.reclassified = 0
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }
}
