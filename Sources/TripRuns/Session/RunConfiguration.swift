import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The configuration of a run: pipeline, reference tables, zones and compiled expressions.
struct RunConfiguration {
    let pipeline: PipelineDefinition
    let classifier: TripClassifier
    let zones: ZoneResolver
    let lookups: [LookupIndex]
    /// Labels per dimension.
    let labels: [String: [String: String]]
    /// The held edits.
    let held: [String]
    /// Whether the list of overrides is not the folder's, because its edits are held.
    let holdsOverrides: Bool
    /// Whether a held edit has a fault.
    let hasFaultyEdit: Bool
    /// Whether the run classifies by other rules or reference files than the published generation.
    let changesDecisions: Bool
    /// The rule that a second person must approve edits before they are published.
    let dualControl: DualControl
    let inputs: [GenerationInput]
    let localZone: TimeZoneRules
    /// Lookups that a check may name: those in force, and those of held edits.
    let lookupNames: [String]

    init(_ options: RunOptions, served: (any SummaryReading)?) throws {
        let published = try Self.published(served, options)
        // An operator who asks for the folder as it is needs an error where it cannot be used.
        let isTolerant = !options.isFull && !options.appliesChanges
        let folder =
            if let published, isTolerant {
                try FolderReading(options, kept: published.kept)
            } else {
                try FolderReading(options)
            }
        if let served, served.header.pipeline != folder.pipeline.name {
            throw RunError.otherPipeline(
                options.martPath,
                expected: served.header.pipeline,
                asked: folder.pipeline.name
            )
        }
        let edits = HeldEdits(
            folder: folder,
            published: published,
            appliesChanges: options.appliesChanges
        )
        let named = folder.pipeline.lookups + (folder.runSettings?.lookups ?? [])
        self.init(
            try CompiledPipeline(
                edits.pipeline,
                references: edits.references,
                dataThrough: nil
            ),
            files: edits.pipelineFiles,
            references: edits.references,
            held: edits.held,
            holdsOverrides: edits.pipeline.overrides?.content
                != (folder.runSettings ?? edits.pipeline).overrides?.content,
            hasFaultyEdit: !folder.faults.isEmpty,
            changesDecisions: edits.changesDecisions,
            dualControl: try
                (published.map { DualControl($0.kept.pipeline, folder.pipeline) }
                ?? DualControl(unread: served, folder.pipeline))
                .with(served?.exclusions() ?? [], MartFolder(path: options.martPath)),
            lookupNames: Set((named + edits.pipeline.lookups).map(\.name)).sorted()
        )
    }

    /// Uses the inputs of a plan for a cluster, which held the edits of its folder or applied them.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - options: Where the mart is.
    ///   - served: The generation that is served.
    /// - Throws: ``RunError`` where the mart belongs to another pipeline, or its inputs can no
    ///   longer be read; any error of ``CompiledPipeline``.
    init(_ plan: ShardPlan, _ options: RunOptions, served: (any SummaryReading)?) throws {
        let kept = FolderReading.Kept(
            pipeline: try PipelineReader.read(files: plan.inputs.pipelineFiles),
            references: plan.inputs.referenceFiles
        )
        if let served, served.header.pipeline != kept.pipeline.name {
            throw RunError.otherPipeline(
                options.martPath,
                expected: served.header.pipeline,
                asked: kept.pipeline.name
            )
        }
        var applying = options
        applying.appliesChanges = true
        let published = try Self.published(served, applying)
        let folder = FolderReading(kept)
        let edits = HeldEdits(folder: folder, published: published, appliesChanges: true)
        self.init(
            try CompiledPipeline(kept.pipeline, references: kept.references, dataThrough: nil),
            files: kept.pipeline.files,
            references: kept.references,
            held: [],
            holdsOverrides: false,
            hasFaultyEdit: false,
            changesDecisions: edits.changesDecisions,
            dualControl: try
                (published.map { DualControl($0.kept.pipeline, kept.pipeline) }
                ?? DualControl(unread: served, kept.pipeline))
                .with(served?.exclusions() ?? [], MartFolder(path: options.martPath)),
            lookupNames: kept.pipeline.lookups.map(\.name).sorted()
        )
    }

    /// Uses a folder as it is.
    init(_ folder: FolderReading, _ compiled: CompiledPipeline) {
        self.init(
            compiled,
            files: folder.pipeline.files,
            references: folder.references,
            held: [],
            holdsOverrides: false,
            hasFaultyEdit: false,
            changesDecisions: true,
            dualControl: DualControl(folder.pipeline, folder.pipeline),
            lookupNames: folder.pipeline.lookups.map(\.name).sorted()
        )
    }

    /// Uses the inputs that a generation stores.
    ///
    /// - Parameter published: The generation's inputs.
    /// - Throws: Any error of ``CompiledPipeline``, where this version finds a fault in them.
    init(_ published: PublishedInputs) throws {
        let kept = published.kept
        self.init(
            try CompiledPipeline(kept.pipeline, references: kept.references, dataThrough: nil),
            files: kept.pipeline.files,
            references: kept.references,
            held: [],
            holdsOverrides: false,
            hasFaultyEdit: false,
            changesDecisions: false,
            dualControl: DualControl(kept.pipeline, kept.pipeline),
            lookupNames: kept.pipeline.lookups.map(\.name).sorted()
        )
    }

    private init(
        _ compiled: CompiledPipeline,
        files: [PipelineFile],
        references: [PipelineFile],
        held: [String],
        holdsOverrides: Bool,
        hasFaultyEdit: Bool,
        changesDecisions: Bool,
        dualControl: DualControl,
        lookupNames: [String]
    ) {
        self.held = held
        self.holdsOverrides = holdsOverrides
        self.hasFaultyEdit = hasFaultyEdit
        self.changesDecisions = changesDecisions
        self.dualControl = dualControl
        self.lookupNames = lookupNames
        pipeline = compiled.pipeline
        classifier = compiled.classifier
        zones = compiled.zones
        lookups = compiled.lookups
        labels = compiled.labels
        localZone = compiled.localZone
        inputs =
            files.map { file in
                let isList = file.path == compiled.pipeline.overrides?.path
                return Self.input(isList ? .override : .pipeline, file)
            }
            + references.map { Self.input(.reference, $0) }
    }

    /// The inputs of the served generation.
    ///
    /// Nil where nothing is served, and where the inputs can no longer be read and the operator
    /// asked for the folder's pipeline instead.
    private static func published(
        _ served: (any SummaryReading)?,
        _ options: RunOptions
    ) throws -> PublishedInputs? {
        guard let served else { return nil }
        do {
            return try PublishedInputs(served)
        } catch {
            if PipelineFaults(error) != nil, options.appliesChanges { return nil }
            throw RunError.unreadable(
                served.header.number,
                error,
                remedies: [
                    "Correct the folder until this finds no fault: triptych check "
                        + options.pipelineWords,
                    "Then publish it: triptych run \(options.runWords) --apply-changes",
                    "Or run with the version that published the generation.",
                ]
            )
        }
    }

    /// The generation's own row.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - isSynthetic: Whether its exports are generated.
    ///   - dataThrough: The greatest pick-up date accepted.
    ///   - clocks: When its sources are overdue.
    ///   - now: The time of the run, in seconds of UTC.
    /// - Returns: The row.
    func header(
        _ number: Int,
        isSynthetic: Bool,
        dataThrough: CivilDate?,
        clocks: SourceClocks,
        now: Int64
    ) -> GenerationHeader {
        GenerationHeader(
            number: number,
            pipeline: pipeline.name,
            isSynthetic: isSynthetic,
            publishedAt: LocalTime.text(now, zone: localZone),
            dataThrough: dataThrough,
            staleAfter: clocks.staleAfter,
            settlesAfterDays: pipeline.kpis.settlesAfterDays,
            suppressBelow: pipeline.kpis.suppressBelow,
            rulesHash: ContentHash.of(Array(DecisionText.rules(of: pipeline).utf8)),
            referenceHash: ContentHash.of(
                inputs.filter { $0.role == .reference }.flatMap { Array(($0.path + $0.hash).utf8) }
            )
        )
    }

    /// The small tables of a generation made with this configuration.
    ///
    /// - Parameters:
    ///   - header: Its own row.
    ///   - files: All files ever taken in, in order of exports.
    ///   - clocks: When its sources are overdue.
    ///   - cube: The sums of its trips.
    ///   - checks: The results of the checks.
    /// - Returns: The tables.
    func summary(
        header: GenerationHeader,
        files: [SourceFileEntry],
        clocks: SourceClocks,
        cube: Cube,
        checks: [CheckResult]
    ) -> GenerationSummary {
        func labelled(_ values: [String], _ dimension: String) -> [DimensionLabel] {
            values.map { DimensionLabel(value: $0, label: labels[dimension]?[$0] ?? $0) }
        }
        var summary = GenerationSummary(
            header: header,
            files: files,
            clocks: clocks.clocks,
            rules: classifier.rules,
            cube: cube.cells,
            basisCells: cube.basisCells,
            regions: labelled(cube.regions, "region"),
            tripTypes: labelled(cube.tripTypes, "trip_type"),
            references: lookups.map(\.table) + [classifier.overrides?.table].compactMap(\.self),
            inputs: inputs,
            checks: checks
        )
        summary.goals = pipeline.kpis.goals
        summary.declared = DeclaredKPIs(classifier.shape.declared, cube.declared)
        summary.fiscalYearStart = pipeline.kpis.fiscalYearStart
        return summary
    }

    /// The clocks after a run that took in new files of some sources.
    func clocks(
        arrived: Set<String>,
        served: (any SummaryReading)?,
        options: RunOptions
    ) throws(MartError) -> SourceClocks {
        SourceClocks(
            pipeline.sources,
            before: try served?.clocks() ?? [],
            arrived: arrived,
            now: options.now,
            zone: localZone
        )
    }

    private static func input(
        _ role: GenerationInput.Role,
        _ file: PipelineFile
    ) -> GenerationInput {
        GenerationInput(
            role: role,
            path: file.path,
            hash: ContentHash.of(file.content),
            content: file.content
        )
    }
}
