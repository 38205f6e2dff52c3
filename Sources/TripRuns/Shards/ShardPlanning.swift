import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// Plans a divided run: what names, sizes and the mart tell, before a byte of an export is read.
struct ShardPlanning {
    private let options: RunOptions
    /// Whether the results are to be published, and not only tried out.
    private let isForPublication: Bool

    /// Prepares a plan.
    ///
    /// - Parameter options: The folders, the mart, its key file, the files that the operator leaves
    ///   out or accepts, who approves edits, and whether the job is a dry run.
    init(_ options: RunOptions) {
        isForPublication = !options.isDryRun
        var options = options
        (options.isFull, options.isDryRun) = (true, true)
        self.options = options
    }

    /// Makes the plan.
    ///
    /// - Parameter list: The files.
    /// - Returns: The plan, with its hash.
    /// - Throws: ``RunError`` where the mart, the pipeline or the list does not allow it; any error
    ///   of the folder or the mart. A key file is made where the mart has none and no generation.
    func plan(_ list: FileList) throws -> ShardPlan {
        try RunArguments.requirePipeline(options.pipelinePath)
        let mart = try RunMart(options)
        let setting = try RunConfiguration(options, served: mart.served)
        try Self.refuseLines(setting.pipeline)
        try Self.refuseTakenNames(setting)
        try refuseHeldEdits(setting, served: mart.served)
        if isForPublication { try setting.requireApprover(options, served: mart.served) }
        let entries = try list.entries(setting.pipeline.sources)
        try RunFiles.checkNames("--skip", options.skippedFiles, entries)
        let known = try mart.served?.files() ?? []
        try checkAccepted(entries, known)
        let matched = try MatchedFiles(
            entries: entries,
            sources: setting.pipeline.sources,
            now: options.now,
            skipped: PathSet(options.skippedFiles),
            known: known.map(\.path)
        )
        let today = LocalTime.day(options.now, zone: setting.localZone)
        let (files, refusals) = files(
            matched,
            setting,
            KnownContents(known, listed: list.contents, today: today)
        )
        guard !files.isEmpty else { throw nothingToRead(list, matched, setting) }
        let keys =
            try MartKeys.open(keyFile: options.keyFilePath, for: mart.folder)
            ?? MartKeys.create(keyFile: options.keyFilePath)
        let shape = setting.classifier.shape
        return ShardPlan(
            program: ProgramVersion.text,
            pipeline: setting.pipeline.name,
            now: options.now,
            today: today,
            keyCheck: keys.checkValue,
            served: try mart.served.map {
                ShardPlan.Served($0.header, hash: try mart.requireServedHash(), known)
            },
            comparesVersions: options.keepsTrips(of: setting.pipeline),
            inputs: setting.inputs,
            overrides: Self.overrides(setting.classifier),
            versionColumns: VersionColumns(shape).all,
            tripColumns: TripColumns(shape).all,
            files: files,
            refusals: refusals,
            unread: matched.unread,
            unclaimed: matched.unclaimed,
            skipped: options.skippedFiles.sorted(),
            acceptedSmaller: options.acceptedFiles.sorted()
        ).hashed()
    }

    /// Refuses to accept a file that neither the list nor the served generation has.
    private func checkAccepted(
        _ entries: [LandingEntry],
        _ known: [SourceFileEntry]
    ) throws(RunError) {
        let served = PathSet(known.filter { $0.status == .current }.map(\.path))
        let others = options.acceptedFiles.filter { !served.contains($0) }
        try RunFiles.checkNames("--accept-smaller", others, entries)
    }

    /// Refuses sources whose lines are joined into trips: the lines of a claim lie in several
    /// files.
    private static func refuseLines(_ pipeline: PipelineDefinition) throws(RunError) {
        guard let source = pipeline.sources.first(where: { $0.lines != nil }) else { return }
        let place = source.silentLinesPosition ?? source.globsPosition
        throw RunError(
            .badPipeline,
            summary: "claim lines cannot be joined by a divided run",
            what: "\(place.file): the source `\(source.name)` has the key `lines`, which joins "
                + "the lines of a claim across files; a divided run reads each file for itself.",
            remedies: ["Run it on one machine, with triptych run."]
        )
    }

    /// Refuses fields with the names of columns that a divided run writes beside them.
    private static func refuseTakenNames(_ setting: RunConfiguration) throws(RunError) {
        var seen: Set<String> = []
        let names = TripColumns(setting.classifier.shape).all.map { $0.name.lowercased() }
        guard let name = names.first(where: { !seen.insert($0).inserted }) else { return }
        throw RunError(
            .badPipeline,
            summary: "a name that a divided run needs",
            what: "The pipeline has a field or derived column `\(name)`, and the trips of a "
                + "divided run have a column of that name.",
            remedies: ["Rename the field or derived column."]
        )
    }

    /// Refuses edits that a run would hold: a divided run takes the folder as it is.
    private func refuseHeldEdits(
        _ setting: RunConfiguration,
        served: (any SummaryReading)?
    ) throws {
        guard let served, !setting.held.isEmpty else { return }
        // Edits are tried on trips, which this mart may not have.
        let hasTrips = try served.tripLocation() == nil
        throw RunError(
            .badPipeline,
            summary: "edits that are not published",
            what: "Generation \(served.header.number) was made by other rules or reference files: "
                + setting.held.joined(separator: "; ") + ".",
            remedies: hasTrips
                ? [
                    "Publish them first: triptych plan \(options.pipelineWords), then triptych "
                        + "reclassify.",
                    "Or let the divided run publish them: --apply-changes.",
                ]
                : [
                    "Let the divided run take them: --apply-changes. Then triptych import-cube "
                        + "--dry-run shows what would be published."
                ]
        )
    }

    private func nothingToRead(
        _ list: FileList,
        _ matched: MatchedFiles,
        _ setting: RunConfiguration
    ) -> RunError {
        var options = options
        options.inputPath = list.name
        return RunError.nothingToRead(
            options,
            matched.unread,
            matched.unreadable,
            unclaimed: matched.unclaimed,
            patterns: setting.pipeline.sources.flatMap(\.globs)
        )
    }

    /// The files to read in order of exports, and those refused for their names.
    private func files(
        _ matched: MatchedFiles,
        _ setting: RunConfiguration,
        _ known: KnownContents
    ) -> ([ShardPlan.File], [ShardPlan.Refusal]) {
        let sources = setting.pipeline.sources
        var twins: [PathKey: [String]] = [:]
        for arrival in matched.arrivals {
            let key = PathKey(
                source: sources[arrival.sourceIndex].name,
                path: arrival.file.path
            )
            twins[key, default: []].append(arrival.file.path)
        }
        var refusals: [ShardPlan.Refusal] = []
        var landed: [(entry: FileRegister.Entry, file: LandingFile)] = []
        for arrival in matched.arrivals {
            let (source, file) = (sources[arrival.sourceIndex], arrival.file)
            func refuse(_ reason: String, _ remedy: String) {
                refusals.append(
                    ShardPlan.Refusal(
                        path: file.path,
                        source: source.name,
                        reason: reason,
                        remedy: remedy
                    )
                )
            }
            let same = twins[PathKey(source: source.name, path: file.path)] ?? []
            guard same.count == 1 else {
                refuse(
                    FileIntake.sameExport(as: same.filter { $0 != file.path }),
                    "Keep the right one in the list, or leave the others out with --skip: a "
                        + "divided run does not compare them."
                )
                continue
            }
            guard let orderKey = FileRegister.orderKey(path: file.path, source: source) else {
                refuse(FileIntake.misfit("order"), FileIntake.nameAdvice)
                continue
            }
            guard let period = FileRegister.period(path: file.path, source: source) else {
                refuse(FileIntake.misfit("period"), FileIntake.nameAdvice)
                continue
            }
            let entry = FileRegister.Entry(
                sourceIndex: arrival.sourceIndex,
                path: file.path,
                sequence: 1,
                contentHash: "",
                archiveHash: "",
                orderKey: orderKey,
                period: period,
                isNew: true,
                takenIn: known.day(file, source.name)
            )
            landed.append((entry, file))
        }
        return (Self.ordered(landed, sources, known), refusals)
    }

    private static func ordered(
        _ landed: [(entry: FileRegister.Entry, file: LandingFile)],
        _ sources: [SourceDefinition],
        _ known: KnownContents
    ) -> [ShardPlan.File] {
        let fileOfEntry = Dictionary(landed.map { ($0.entry, $0.file) }) { first, _ in first }
        let register = FileRegister(landed.map(\.entry), sources: sources)
        return register.entries.enumerated().map { index, entry in
            guard let file = fileOfEntry[entry], let takenIn = entry.takenIn else {
                preconditionFailure("every entry was made of a file and a day")
            }
            let source = sources[entry.sourceIndex].name
            return ShardPlan.File(
                index: index,
                path: file.path,
                listed: file.location,
                size: file.state.size,
                source: source,
                orderKey: entry.orderKey,
                period: entry.period,
                takenIn: takenIn,
                known: known.latest(file.path, source)
            )
        }
    }

    private static func overrides(_ classifier: TripClassifier) -> [ShardPlan.Override] {
        (classifier.overrides?.overrides ?? []).map { override in
            let number = Int(classifier.ruleNumber(of: override))
            return ShardPlan.Override(
                tripClass: override.tripClass,
                basis: override.basis,
                rule: classifier.rules[number - 1].id,
                ruleNumber: number,
                expires: override.expires
            )
        }
    }
}

extension ShardPlan.Served {
    fileprivate init(_ header: GenerationHeader, hash: String, _ known: [SourceFileEntry]) {
        self.init(
            generation: header.number,
            hash: hash,
            isSynthetic: header.isSynthetic,
            files: known.filter { $0.status == .current }.map { file in
                let rejected = file.ledger[.rejected]
                return ShardPlan.ServedFile(
                    source: file.source,
                    path: file.path,
                    orderKey: file.orderKey,
                    period: file.period,
                    contentHash: file.contentHash,
                    valid: LedgerAmount(
                        items: file.ledger.read.items - rejected.items,
                        cents: file.ledger.read.cents - rejected.cents
                    )
                )
            }
        )
    }
}
