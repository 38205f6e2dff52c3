import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// All valid trips of a run, and which of their versions are accepted.
struct ResolvedTrips {
    /// The trips, in order of exports.
    let batches: [PackedBatch]
    /// Which of them are accepted.
    let resolution: TripResolution
    /// The trips that were decided by hand; nil where there is no list of them.
    let overridden: OverriddenTrips?
}

/// The totals of a run: the accepted version of each trip, the account, and the KPIs.
struct RunTotals {
    let exports: ClassifiedExports
    let shape: TripShape
    private let sources: [SourceDefinition]
    let rules: [RuleEntry]
    /// The trips; nil where they were only summed up.
    let trips: ResolvedTrips?
    /// The number of accepted trips.
    let acceptedCount: Int
    let runLedger: RunLedger
    let cube: Cube
    let isSynthetic: Bool
    /// The last day of the data: the greatest pick-up date accepted that is not after the last day
    /// on which a file was taken in.
    ///
    /// Trips of the future, where they are allowed, show nothing of how fresh the data is. The days
    /// of the files decide and not the clock, so that the same files always give the same day.
    let dataThrough: CivilDate?
    /// The month of that day with its sums.
    var latestMonth: (month: Month, sums: KPISums)? { cube.latestMonth(of: dataThrough) }

    init(
        _ exports: ClassifiedExports,
        _ setting: RunConfiguration,
        _ options: RunOptions,
        progress: Progress
    ) throws {
        self.exports = exports
        shape = setting.classifier.shape
        sources = setting.pipeline.sources
        rules = setting.classifier.rules
        isSynthetic = exports.isSynthetic
        let trips =
            options.keepsTrips(of: setting.pipeline)
            ? Self.resolved(exports, setting, options, progress) : nil
        self.trips = trips
        runLedger = RunLedger(exports, trips, shape: shape)
        progress.begin("adding up")
        let valueMax = try BuiltInCheck.valueMax(in: setting.pipeline)
        if let trips {
            acceptedCount = trips.resolution.accepted.count
            cube = try Cube(
                batches: trips.batches,
                accepted: trips.resolution.accepted,
                shape: shape,
                rules: rules,
                threadCount: options.threadCount,
                valueMax: valueMax
            )
        } else {
            let totals = exports.currentTotals(rules: rules)
            acceptedCount = Int(totals.amount.items)
            cube = try Cube(totals, valueMax: valueMax)
        }
        dataThrough = Self.dataThrough(cube, trips, exports.lastDay, shape: shape)
        progress.end(WorkProgress.Amount(Int64(cube.cells.count), "cell"))
    }

    private static func dataThrough(
        _ cube: Cube,
        _ trips: ResolvedTrips?,
        _ lastDay: CivilDate?,
        shape: TripShape
    ) -> CivilDate? {
        guard let last = cube.lastPickupDate, let lastDay, last > lastDay else {
            return cube.lastPickupDate
        }
        // Only a dry run does not keep its trips; it stores no day.
        guard let trips else { return lastDay }
        let limit = (Int64(lastDay.dayNumber) + 1) * CivilTime.daySeconds
        var latest: Int64?
        for (index, batch) in trips.batches.enumerated() {
            let pickups = batch.columns[shape.pickupIndex].integers
            let leftOut = trips.resolution.accepted.leftOut(batch: index)
            for row in 0..<batch.count where leftOut.isEmpty || !leftOut[row] {
                guard let pickup = pickups.value(row), pickup < limit else { continue }
                latest = max(latest ?? .min, pickup)
            }
        }
        return latest.map { CivilTime.date(ofSeconds: $0) }
    }

    private static func resolved(
        _ exports: ClassifiedExports,
        _ setting: RunConfiguration,
        _ options: RunOptions,
        _ progress: Progress
    ) -> ResolvedTrips {
        let batches = exports.currentBatches
        let shape = setting.classifier.shape
        progress.begin("resolving")
        let resolution = TripResolution(
            batches: batches,
            shape: shape,
            order: versionOrder(exports, setting.pipeline, shape: shape),
            threadCount: options.threadCount
        )
        progress.end(
            WorkProgress.Amount(Int64(resolution.accepted.count), "trip"),
            finding: "one version each"
        )
        guard let list = setting.classifier.overrides, !list.overrides.isEmpty else {
            return ResolvedTrips(batches: batches, resolution: resolution, overridden: nil)
        }
        let overridden = OverriddenTrips(
            list,
            in: batches,
            accepted: resolution.accepted,
            shape: shape,
            lastDay: exports.lastDay,
            threadCount: options.threadCount
        )
        return ResolvedTrips(
            batches: overridden.deciding(batches, by: setting.classifier),
            resolution: resolution,
            overridden: overridden
        )
    }

    /// Decisions made by hand that need attention.
    func overrideNotes(_ setting: RunConfiguration) -> [String] {
        // A run that only sums trips up has no list, or an empty one.
        guard let overridden = trips?.overridden else { return [] }
        return OverrideNotes(
            setting.classifier.overrides,
            isHeld: setting.holdsOverrides,
            dataThrough: overridden.dataThrough
        ) { overridden.positions[$0] != nil }.clauses
    }

    /// The contents of the generation.
    func contents(
        header: GenerationHeader,
        setting: RunConfiguration,
        clocks: SourceClocks,
        checks: [CheckResult],
        threadCount: Int
    ) -> GenerationContents {
        guard let trips else { preconditionFailure("a run that publishes keeps its trips") }
        guard let rejectTexts = exports.rejectTexts else {
            preconditionFailure("a run that publishes keeps the records it rejects")
        }
        precondition(cube.isWhole, "a check withholds a run with more values than are grouped by")
        var summary = setting.summary(
            header: header,
            files: sourceFiles(setting.pipeline),
            clocks: clocks,
            cube: cube,
            checks: checks
        )
        summary.exclusions = exports.exclusions
        return GenerationContents(
            summary: summary,
            shape: shape,
            batches: trips.batches,
            acceptedOrder: trips.resolution.storedOrder(threadCount: threadCount),
            versions: runLedger.versions,
            rejects: runLedger.rejects,
            rejectTexts: SpooledTexts(rejectTexts, runLedger.rejectTexts)
        )
    }

    private func sourceFiles(_ pipeline: PipelineDefinition) -> [SourceFileEntry] {
        exports.files.enumerated().map { index, file in
            let contentHash = file.summary.digest.contentHash ?? file.entry.contentHash
            precondition(!contentHash.isEmpty, "a run that publishes knows what it read")
            var entry = SourceFileEntry(
                source: pipeline.sources[file.entry.sourceIndex].name,
                path: file.entry.path,
                sequence: file.entry.sequence,
                contentHash: contentHash,
                archiveHash: file.entry.archiveHash,
                archiveSize: Int64(file.summary.digest.archiveSize),
                expandedSize: Int64(file.summary.digest.expandedSize),
                orderKey: file.entry.orderKey,
                period: file.entry.period,
                layout: file.summary.layoutName,
                recordCount: Int64(file.summary.counts.records + file.summary.counts.rejects),
                lineCount: Int64(file.summary.counts.physicalLines),
                blankLineCount: Int64(file.summary.counts.blankLines),
                status: exports.isCurrent[index] ? .current : .withdrawn,
                ledger: runLedger.ledgers[index]
            )
            entry.takenIn = file.entry.takenIn
            return entry
        }
    }

    /// The order of the versions of each source: by its files, or by the field it names.
    private static func versionOrder(
        _ exports: ClassifiedExports,
        _ pipeline: PipelineDefinition,
        shape: TripShape
    ) -> VersionOrder {
        VersionOrder(
            sourceOfFile: exports.files.map(\.entry.sourceIndex),
            orderColumns: pipeline.sources.map { $0.orderColumn(in: shape) }
        )
    }
}

extension RunTotals {
    /// The input of the checks, for some of the files.
    ///
    /// - Parameters:
    ///   - files: The indexes of the files in order of exports.
    ///   - areAll: Whether they are all files, and were known before.
    /// - Returns: Their account, sums and look-ups.
    func measured(files: Set<Int>, areAll: Bool) -> MeasuredTrips {
        var ledger = Ledger()
        var (records, unitless): (Int64, Int64) = (0, 0)
        var tallies: [TripClassifier.LookupTally] = []
        for (index, file) in exports.files.enumerated() where files.contains(index) {
            ledger += runLedger.ledgers[index]
            records += Int64(file.summary.counts.records + file.summary.counts.rejects)
            for reject in file.rejects where exports.isCurrent[index] && reject.reason == .noUnit {
                unitless += Int64(reject.itemCount)
            }
            if tallies.isEmpty {
                tallies = file.content.lookupTallies
            } else {
                for (lookup, tally) in file.content.lookupTallies.enumerated() {
                    tallies[lookup] += tally
                }
            }
        }
        let rejected = exports.files.indices.filter { index in
            files.contains(index) && exports.isCurrent[index]
                && runLedger.ledgers[index].isMostlyRejected
        }
        let checked = zip(exports.files, exports.isCurrent).map { CheckedFile($0, isCurrent: $1) }
        return MeasuredTrips(
            areAll: areAll,
            ledger: ledger,
            unitless: unitless,
            records: records,
            sums: countedSums(files: files),
            regions: exports.inForce(among: files).reduce(into: RegionComparison()) {
                $0 += $1.content.regions
            },
            tallies: tallies,
            dataThrough: dataThrough,
            latestMonth: latestMonth,
            total: cube.extent,
            repeats: areAll ? nil : repeats(of: files),
            cutFiles: areAll ? nil : CutFiles(of: files, checked),
            cutClaims: areAll ? nil : CutClaims(of: files, exports),
            replacements: areAll ? nil : UnmatchedReplacements(of: files, exports, sources),
            contents: areAll ? nil : RepeatedContents(of: files, checked, sources),
            rejectedFiles: areAll ? [] : rejected.map { exports.files[$0].entry.path }
        )
    }

    /// What the trip ids of some files show; of a pipeline whose ids are unique, that none repeats.
    private func repeats(of files: Set<Int>) -> RepeatedIDs {
        trips.map { RepeatedIDs(of: files, exports, $0, sources) } ?? .ofUniqueIDs
    }

    /// The sums of the counted trips in force that come from some of the files.
    private func countedSums(files: Set<Int>) -> KPISums {
        // In the first run, and in every full one, the cube has these sums already.
        if files.count == exports.files.count { return cube.total }
        guard let trips else {
            return exports.inForce(among: files).compactMap(\.content.totals)
                .reduce(into: KPISums()) { $0 += $1.counted }
        }
        let classOfRule = [TripClass.undetermined] + rules.map(\.tripClass)
        var sumsOfRule = [TripSums](repeating: TripSums(), count: classOfRule.count)
        for (index, batch) in trips.batches.enumerated() where files.contains(batch.fileIndex) {
            let view = KPIView(batch, shape: shape)
            let leftOut = trips.resolution.accepted.leftOut(batch: index)
            for row in 0..<batch.count
            where (leftOut.isEmpty || !leftOut[row]) && view.isCounted(row) {
                sumsOfRule[view.ruleNumber(row)]
                    .add(cost: view.cost(row), miles: view.miles(row))
            }
        }
        return zip(sumsOfRule, classOfRule).reduce(into: KPISums()) { $0.add($1.0, of: $1.1) }
    }
}

extension ClassifiedExports {
    /// The files among these whose records are in force, in order of exports.
    func inForce(among indexes: Set<Int>) -> [ExportsReading.ReadFile] {
        files.indices.filter { isCurrent[$0] && indexes.contains($0) }.map { files[$0] }
    }
}
