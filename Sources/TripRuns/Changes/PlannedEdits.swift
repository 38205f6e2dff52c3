import TripDomain
import TripEngine
import TripMart

/// The edits of a folder since a generation was published, ready to decide its trips anew.
struct PlannedEdits {
    let served: ServedMart
    /// The folder as it is.
    let folder: FolderReading
    let edits: FolderEdits
    /// The folder's pipeline.
    let compiled: CompiledPipeline
    /// The digits of what the edits are bound to: the generation, the pipeline and the reference files.
    let id: String
    /// Whether somebody else must approve of them.
    let secondPerson: SecondPerson
    private let kept: FolderReading.Kept

    /// Reads the folder and compares it with what the generation was made from.
    ///
    /// - Parameters:
    ///   - options: Where the folders are.
    ///   - served: The generation.
    /// - Throws: ``PipelineFault`` or ``PipelineFaults`` where the folder cannot be used; ``RunError`` where
    ///   its edits ask for the exports to be read again.
    init(_ options: RunOptions, _ served: ServedMart) throws {
        self.served = served
        let published = try PublishedInputs(served)
        folder = try FolderReading(options)
        guard served.header.pipeline == folder.pipeline.name else {
            throw RunError.otherPipeline(
                options.martPath,
                holds: served.header.pipeline,
                asked: folder.pipeline.name
            )
        }
        edits = try FolderEdits(published.kept, folder)
        compiled = try CompiledPipeline(
            folder.pipeline,
            references: folder.references,
            dataThrough: served.header.dataThrough
        )
        try StoredFields(served, published.kept, compiled, edits, command: options.pipelineWords)
            .require()
        kept = published.kept
        id = Self.id(served.header.number, folder)
        secondPerson = try SecondPerson(published.kept.pipeline, folder.pipeline)
            .with(served.holds(), MartFolder(path: options.martPath))
    }

    /// The edits one after the other; each state between is compiled.
    var steps: EditSteps {
        let day = served.header.dataThrough
        return EditSteps(kept, folder, edits, dataThrough: (day, day))
    }

    /// Decides the trips anew.
    ///
    /// - Parameters:
    ///   - options: The threads to use.
    ///   - progress: Where progress is shown.
    ///   - isKept: Whether the decisions are to be published.
    /// - Returns: What all trips come to.
    /// - Throws: As ``StoredDecisions``.
    func decide(
        _ options: RunOptions,
        progress: Progress,
        isKept: Bool = false
    ) throws -> StoredDecisions {
        try StoredDecisions(
            served,
            compiled.classifier,
            steps: steps,
            threadCount: options.threadCount,
            progress: progress,
            isKept: isKept
        )
    }

    /// What the edits do.
    ///
    /// - Parameter decisions: The trips as the edits have them.
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
            decisions: decisions
        )
    }

    /// What a plan of the edits is bound to.
    ///
    /// - Parameter options: Who makes it, when, and where the folders are.
    /// - Returns: The binding.
    /// - Throws: `MartError` of the generation's sums.
    func binding(_ options: RunOptions) throws(MartError) -> PlanBinding {
        PlanBinding(
            id: id,
            pipeline: folder.pipeline.name,
            isSynthetic: served.header.isSynthetic,
            generation: served.header.number,
            generationSum: try SumFile.written(for: served.file.path),
            inputs: NightSetting(folder, compiled).inputs,
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

extension RunOptions {
    /// The folder as a command names it, with what is not where a command looks by itself.
    var pipelineWords: String {
        var words = [Shown.shell(pipelinePath)] + martWords
        if referencePath != RunOptions.usualReferencePath {
            words += ["--reference", Shown.shell(referencePath)]
        }
        return words.joined(separator: " ")
    }

    /// A saved plan as a command names it.
    func planWords(_ path: String) -> String {
        (["--plan", Shown.shell(path)] + martWords).joined(separator: " ")
    }

    /// The mart as a command names it, where it is not where a command looks by itself.
    var martWords: [String] {
        var words: [String] = []
        if martPath != RunOptions.usualMartPath { words += ["--mart", Shown.shell(martPath)] }
        if let path = keyPath { words += ["--key-file", Shown.shell(path)] }
        return words
    }
}
