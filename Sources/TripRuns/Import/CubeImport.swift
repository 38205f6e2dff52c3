import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// `import-cube`: publishes the numbers that the machines of a cluster added up, as a run publishes
/// those of its own trips.
///
/// The trips stay where the cluster wrote them. Everything else is as with any run: the same
/// checks, the same decision, the same recount of the finished file, the same publication.
public struct CubeImport {
    /// What is imported.
    public struct Source: Sendable {
        /// The plan of the job.
        public let planPath: String
        /// The folder of its reports and cells.
        public let resultsPath: String
        /// Where its trips lie.
        public let trips: String

        /// Names the parts.
        public init(planPath: String, resultsPath: String, trips: String) {
            (self.planPath, self.resultsPath) = (planPath, resultsPath)
            // A path is read later from other folders than this one.
            let isPath = trips.firstRange(of: "://") == nil
            self.trips = isPath && FileText.exists(trips) ? FileText.resolved(trips) : trips
        }
    }

    private let source: Source
    private let options: RunOptions
    private let progress: Progress
    private let announce: (Int) -> Void
    private let startedAt = Progress.milliseconds()

    /// Prepares to import.
    ///
    /// - Parameters:
    ///   - source: What is imported.
    ///   - options: Where the mart is, who approves, and whether anything is written.
    ///   - progress: Where progress is shown.
    ///   - announce: Called with the number of a generation that is about to be published.
    init(
        _ source: Source,
        _ options: RunOptions,
        progress: Progress,
        announce: @escaping (Int) -> Void
    ) {
        self.source = source
        self.options = options
        self.progress = progress
        self.announce = announce
    }

    /// Checks and publishes.
    ///
    /// - Returns: Its report.
    /// - Throws: ``RunError`` where the results are incomplete, contradict each other or belong to
    ///   another mart; ``Failure`` where a file or a check withholds them; `SumOverflow`;
    ///   `MartError` of the files. After any of them, the served generation is unchanged.
    func perform() throws -> RunReport {
        // 1. Lock the mart, and read what the machines found.
        let mart = try RunMart(options, command: "import-cube")
        defer { mart.release() }
        progress.begin("reading")
        let results = try ImportedResults(plan: source.planPath, folder: source.resultsPath)
        progress.end(WorkProgress.Amount(Int64(results.reports.count), "file"))
        if let report = try importedBefore(results, mart) { return report }
        try requireBound(results.plan, mart)
        let keys = try mart.requireKeys(results.plan.keyCheck)

        // 2. Read the pipeline and the reference files of the plan.
        let setting = try RunConfiguration(results.plan, options, served: mart.served)
        let approval = try self.approval(setting, mart)
        let exclusions = try exclusions(results, setting, mart)

        // 3. Add up the parts.
        progress.begin("adding up")
        let totals = try ImportedTotals(results, setting, keys: keys)
        progress.end(WorkProgress.Amount(Int64(totals.cube.cells.count), "cell"))

        // 4. Check what would be published.
        let clocks = try setting.clocks(
            arrived: totals.newSources,
            served: mart.served,
            options: options
        )
        var report = RunReport(outcome: .published, options, mart)
        report.again = options.clusterRun
        report.nextRun = options.clusterRun
        report.tripsAt = source.trips
        report.generation = mart.nextNumber
        report.previousGeneration = mart.served?.header.number
        try totals.describe(in: &report, since: mart)
        report.exclusions = exclusions.files
        report.overdue = clocks.overdue(now: options.now)
        report.localZone = setting.localZone
        report.approval = approval
        let checks = try RunChecks(
            totals.measured,
            setting,
            mart.folder,
            now: options.now,
            tripIDs: totals.tripIDCheck
        )
        (report.checks, report.damagedHistory) = (checks.results, checks.damagedHistory)
        try PublicationDecision(report, refusals: totals.refusals, options).pass()
        guard !options.isDryRun else {
            report.outcome = .dryRun
            report.takeMeasures(setting, totals.cube)
            report.milliseconds = Progress.milliseconds() - startedAt
            return report
        }

        // 5. Write the generation to a new file, recount it from its own numbers, publish it.
        let header = setting.header(
            mart.nextNumber,
            isSynthetic: totals.isSynthetic,
            dataThrough: totals.dataThrough,
            clocks: clocks,
            now: options.now
        )
        var contents = totals.contents(header, setting, clocks, checks.results, at: source.trips)
        contents.summary.approval = approval
        contents.summary.exclusions = exclusions
        try mart.publish(contents, progress: progress, now: options.now, announce: announce)
        report.unfinished = mart.unfinished
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }

    /// The report where the served generation has these results already; nil where it has not.
    private func importedBefore(_ results: ImportedResults, _ mart: RunMart) throws -> RunReport? {
        guard let served = mart.served, let location = try served.tripLocation(),
            location.resultsHash == results.hash, location.uri == source.trips
        else { return nil }
        var report = RunReport(outcome: .nothingDue, options, mart)
        report.generation = served.header.number
        report.dataThrough = served.header.dataThrough
        report.knownFileCount = results.reports.count
        report.tripsAt = source.trips
        report.milliseconds = Progress.milliseconds() - startedAt
        return report
    }

    /// Refuses a plan that was made for another state of the mart.
    private func requireBound(_ plan: ShardPlan, _ mart: RunMart) throws {
        let number = mart.served?.header.number
        let isThisNumber = plan.served?.generation == number
        if isThisNumber {
            guard let served = plan.served, try mart.requireServedHash() != served.hash else {
                return
            }
        }
        func text(_ number: Int?) -> String {
            number.map { "generation \($0) was served" } ?? "nothing was published"
        }
        throw RunError(
            .planMismatch,
            summary: isThisNumber ? "the plan is that of another mart" : "the plan is outdated",
            what: "\(source.planPath) was made when \(text(plan.served?.generation)); now "
                + (isThisNumber
                    ? "another generation of this number is served."
                    : number.map { "generation \($0) is served." } ?? "nothing is published."),
            remedies: [
                "Make a plan of the mart as it is now, and run the job by it: \(options.clusterRun)"
            ]
        )
    }

    private func approval(
        _ setting: RunConfiguration,
        _ mart: RunMart
    ) throws(RunError) -> ChangeApproval? {
        guard setting.changesDecisions, mart.served != nil, !options.isDryRun else { return nil }
        try setting.requireApprover(options, served: mart.served)
        return DualControl.approval(options, nil)
    }

    // MARK: Exclusions

    /// The exclusions of rollbacks that stay.
    ///
    /// - Throws: ``RunError`` with code `withheld` where a file of the plan was left out by a
    ///   rollback and is not asked for.
    private func exclusions(
        _ results: ImportedResults,
        _ setting: RunConfiguration,
        _ mart: RunMart
    ) throws -> [Exclusion] {
        let all = try mart.served?.exclusions() ?? []
        let included = PathSet(options.includedFiles)
        let takesAll = options.includedFiles.contains("all")
        var again: [Exclusion] = []
        let left = all.filter { exclusion in
            guard exclusion.kind == .file else { return !setting.changesDecisions }
            let isThere = results.reports.contains { report in
                let file = results.plan.files[report.file]
                return results.files.planned.contains(report.file)
                    && PathKey(source: file.source, path: file.path) == PathKey(exclusion)
                    && exclusion.isContent(
                        archiveHash: report.archiveHash,
                        contentHash: report.contentHash
                    )
            }
            guard isThere else { return true }
            if takesAll || included.contains(exclusion.path) { return false }
            again.append(exclusion)
            return true
        }
        guard !again.isEmpty else { return left }
        throw leftOut(again, since: results.plan.served?.files ?? [])
    }

    /// The refusal of files that a rollback left out, with what to do for each of them.
    private func leftOut(_ again: [Exclusion], since inForce: [ShardPlan.ServedFile]) -> RunError {
        // A path that is in force had another content before the one that was left out.
        let keys = Set(inForce.map { PathKey(source: $0.source, path: $0.path) })
        let changed = again.filter { keys.contains(PathKey($0)) }.map(\.path)
        let new = again.filter { !keys.contains(PathKey($0)) }.map(\.path)
        var remedies: [String] = []
        if !changed.isEmpty {
            remedies.append(
                "Put what \(changed.joined(separator: ", ")) held before back in its place, and "
                    + "run the job again."
            )
        }
        if !new.isEmpty {
            let flags = new.map { RunOptions.flag("--skip", $0) }.joined(separator: " ")
            remedies.append(
                "Leave \(new.joined(separator: ", ")) out of the job: \(options.clusterRun) \(flags)"
            )
        }
        let include = again.map { RunOptions.flag("--include", $0.path) }.joined(separator: " ")
        return RunError(
            .withheld,
            summary: "a rollback left out \(Counted.text(again.count, "file")) of the plan",
            what: "Left out since then, and read by the job: "
                + again.map(\.path).joined(separator: ", ") + ".",
            remedies: remedies + [
                "Or take \(again.count == 1 ? "it" : "them") in again: add  \(include)"
            ]
        )
    }
}

extension CubeImport.Source {
    /// Refuses a place that cannot be kept as it is, or that is not there.
    ///
    /// - Throws: ``RunError`` with code `usage` or `noUsableInput`.
    func check() throws(RunError) {
        let start = trips.firstRange(of: "://").map { trips[$0.upperBound...] } ?? trips[...]
        let authority = start.prefix { $0 != "/" }
        // Azure's URIs begin with CONTAINER@ACCOUNT, which is no user's name.
        let isAzure = ["abfs://", "abfss://"].contains { trips.hasPrefix($0) }
        let hasSecret = authority.contains(isAzure ? ":" : "@")
        guard !trips.isEmpty, !trips.unicodeScalars.contains(where: \.isUnseen),
            start.startIndex == trips.startIndex
                || !hasSecret && !start.contains(where: { "?#".contains($0) })
        else {
            throw RunError(
                .usage,
                summary: "no place of trips",
                what: "--trips names a folder, or a URI without a name, a password or a key in it "
                    + "and without a query: it is stored, and shown to users who ask for a trip.",
                remedies: ["Name the folder of the Parquet files: --trips s3://BUCKET/FOLDER"]
            )
        }
        guard start.startIndex == trips.startIndex, !FileText.exists(trips) else { return }
        throw RunError(
            .noUsableInput,
            summary: "no such folder of trips",
            what: "There is no \(trips).",
            remedies: ["Name the folder of the Parquet files: --trips URI"]
        )
    }
}
