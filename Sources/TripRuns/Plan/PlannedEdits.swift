import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The edits of a folder since a generation was published, ready to classify its trips again.
struct PlannedEdits {
    let served: ServedMart
    /// The current folder.
    let folder: FolderReading
    let edits: FolderEdits
    /// The folder's pipeline.
    let compiled: CompiledPipeline
    /// The plan's id: digits of the hash of the generation's number, the pipeline and the reference
    /// files.
    let id: String
    /// Whether a second person must approve them.
    let dualControl: DualControl
    private let kept: FolderReading.Kept

    /// Reads the folder and compares it with the inputs that the generation stores.
    ///
    /// - Parameters:
    ///   - options: Where the folders are.
    ///   - served: The generation.
    /// - Throws: ``PipelineFault`` or ``PipelineFaults`` where the folder cannot be used;
    ///   ``RunError`` where its edits need the exports to be read again.
    init(_ options: RunOptions, _ served: ServedMart) throws {
        self.served = served
        let published = try PublishedInputs(served)
        folder = try FolderReading(options)
        guard served.header.pipeline == folder.pipeline.name else {
            throw RunError.otherPipeline(
                options.martPath,
                expected: served.header.pipeline,
                asked: folder.pipeline.name
            )
        }
        edits = try FolderEdits(published.kept, folder)
        compiled = try CompiledPipeline(
            folder.pipeline,
            references: folder.references,
            dataThrough: served.header.dataThrough
        )
        try StoredFields(served, published.kept, compiled, edits, command: options.runWords)
            .require()
        kept = published.kept
        id = Self.id(served.header.number, folder)
        dualControl = try DualControl(published.kept.pipeline, folder.pipeline)
            .with(served.exclusions(), MartFolder(path: options.martPath))
    }

    /// The edits, each made alone.
    var single: SingleEdits {
        let day = served.header.dataThrough
        return SingleEdits(kept, folder, compiled.classifier, edits, dataThrough: (day, day))
    }

    /// Classifies the trips again.
    ///
    /// - Parameters:
    ///   - options: The threads to use.
    ///   - progress: Where progress is shown.
    ///   - isKept: Whether the decisions are to be published.
    /// - Returns: The decisions with the sums of all trips.
    /// - Throws: The errors of ``StoredDecisions``.
    func decide(
        _ options: RunOptions,
        progress: Progress,
        isKept: Bool = false
    ) throws -> StoredDecisions {
        try StoredDecisions(
            served,
            compiled.classifier,
            single: single,
            threadCount: options.threadCount,
            progress: progress,
            isKept: isKept
        )
    }

    /// The effect of the edits.
    ///
    /// - Parameter decisions: The decisions of all trips after the edits.
    /// - Returns: The plan.
    /// - Throws: `MartError` of the file.
    func plan(_ decisions: StoredDecisions) throws -> Plan {
        Plan(
            id: id,
            header: served.header,
            edits: edits,
            overrideNotes: try OverrideNotes(compiled.classifier.overrides, served).clauses,
            oldRules: try served.rules(),
            newRules: compiled.classifier.rules,
            oldCube: try served.cube(),
            measures: try measures(decisions),
            decisions: decisions
        )
    }

    /// The declared measures of all trips, now and by the decisions after the edits: what a query
    /// of all trips answers before and after they are published.
    private func measures(_ decisions: StoredDecisions) throws(MartError) -> [MeasureChange] {
        let now = try served.kpi(KPIQuery())
        let planned = DeclaredKPIs(compiled.classifier.shape.declared, decisions.cube.declared)
        return MeasureChange.all(now.states(of: now.total), planned.totals)
    }

    /// The binding of a plan of the edits.
    ///
    /// - Parameter options: The author, the time, and the folders.
    /// - Returns: The binding.
    /// - Throws: `MartError` of the generation's sums.
    func binding(_ options: RunOptions) throws(MartError) -> PlanBinding {
        PlanBinding(
            id: id,
            pipeline: folder.pipeline.name,
            isSynthetic: served.header.isSynthetic,
            generation: served.header.number,
            generationSum: try SumFile.written(for: served.file.path),
            inputs: RunConfiguration(folder, compiled).inputs,
            madeAt: CivilTime.text(ofSeconds: options.now) + "Z",
            madeBy: options.madeBy,
            pipelinePath: options.pipelinePath,
            referencePath: options.referencePath
        )
    }

    private static func id(_ generation: Int, _ folder: FolderReading) -> String {
        let files = (folder.pipeline.files + folder.references).map {
            "\($0.path)\n\(ContentHash.of($0.content))\n"
        }
        return String(ContentHash.of(Array("\(generation)\n\(files.joined())".utf8)).prefix(8))
    }
}

/// Whether stored trips can be classified by an edited pipeline without reading the exports again.
///
/// The mart stores the values of a record's fields, of lines of claims those of the joined trips.
/// An edit of how they are read, of a station's time zone, or of what the kind of a line or the
/// cost is derived from, would have given other values.
struct StoredFields {
    /// Parts of a pipeline that define how exports are read.
    private static let readingParts: Set = ["time_zone", "zone_from", "sources", "fields"]

    private let served: ServedMart
    private let kept: FolderReading.Kept
    private let compiled: CompiledPipeline
    private let edits: FolderEdits
    private let command: String

    /// - Parameters:
    ///   - served: The generation whose trips are to be classified.
    ///   - kept: The inputs that it stores.
    ///   - compiled: The folder's pipeline.
    ///   - edits: The differences.
    ///   - command: The arguments of a run of the pipeline.
    init(
        _ served: ServedMart,
        _ kept: FolderReading.Kept,
        _ compiled: CompiledPipeline,
        _ edits: FolderEdits,
        command: String
    ) {
        self.served = served
        self.kept = kept
        self.compiled = compiled
        self.edits = edits
        self.command = command
    }

    /// Refuses edits that cannot be applied to the stored trips.
    ///
    /// - Throws: ``RunError`` with the command to use instead; `MartError` of the file.
    func require() throws {
        let parts = edits.parts.filter { Self.readingParts.contains($0) }
        guard parts.isEmpty else {
            throw refusal("`\(parts.joined(separator: "` and `"))` of the pipeline changed")
        }
        guard kept.pipeline.kpis.costField == compiled.pipeline.kpis.costField else {
            throw refusal("`kpis` names another field for the cost")
        }
        guard compiled.classifier.readsFields(of: served.shape) else {
            throw refusal("the fields are not those the trips are stored with")
        }
        try requireSources(
            of: "which the kind of lines of claims is read from",
            DerivedSources.ofLineKinds
        )
        try requireSources(
            of: "which the cost is derived from: that of rejected and superseded records "
                + "changes too",
            DerivedSources.ofCost
        )
        let before = try CompiledPipeline(
            kept.pipeline,
            references: kept.references,
            dataThrough: nil
        )
        try requireClocks(before.zones, compiled.zones)
    }

    /// Refuses edits of what a value of the stored account or the stored trips is derived from.
    ///
    /// - Parameters:
    ///   - what: What is derived from it, as the end of a sentence.
    ///   - sources: What it is derived from in a pipeline.
    /// - Throws: ``RunError`` with the command to use instead.
    private func requireSources(
        of what: String,
        _ sources: (PipelineDefinition) -> DerivedSources
    ) throws {
        let (before, now) = (sources(kept.pipeline), sources(compiled.pipeline))
        // What only one of them reads is read by something that both define, in another way.
        let names = Set(before.definitions.keys).intersection(now.definitions.keys)
            .filter { before.definitions[$0] != now.definitions[$0] }
        let files = before.files.union(now.files).filter { edits.references[$0] != nil }
        let edited = names.union(files).map(ByteText.init).sorted().map(\.text)
        guard edited.isEmpty else {
            throw refusal("`\(edited.joined(separator: "` and `"))` changed, \(what)")
        }
    }

    /// Refuses another time zone for a station that has trips: their times were read by the old
    /// one.
    private func requireClocks(_ before: ZoneResolver, _ now: ZoneResolver) throws {
        guard let others = before.facilitiesOnOtherClocks(than: now) else { return }
        guard let field = others.field else { throw refusal("places get other time zones") }
        let found = try others.places.sorted().first { place in
            try served.hasTrip(where: field, is: place)
        }
        if let found { throw refusal("trips of \(field) \(found) get another time zone") }
    }

    private func refusal(_ what: String) -> RunError {
        let isShared = DualControl(kept.pipeline, compiled.pipeline).isRequired
        return RunError(
            .badPipeline,
            summary: "the edits need the exports",
            what: "The mart stores only the fields of the exports, and \(what).",
            remedies: [
                "See the effect: triptych run \(command) --full --apply-changes --dry-run",
                "Publish it: triptych run \(command) --full --apply-changes"
                    + (isShared ? " --approved-by NAME" : ""),
            ]
        )
    }
}
