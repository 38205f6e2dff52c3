import TripDomain
import TripEngine
import TripMart

/// Which pipeline and which reference files a run classifies with, and which edits it leaves out.
///
/// A night must not publish an edit nobody has seen the effect of. So a run takes the rules and
/// reference files of the published generation, unless the pipeline says `apply`, the operator asks
/// for it, or there is no generation yet.
struct HeldEdits {
    /// The pipeline the run uses: what decides from the generation, what steers from the folder.
    let pipeline: PipelineDefinition
    /// The files that pipeline was read from, as they are kept with the new generation.
    let pipelineFiles: [PipelineFile]
    /// The reference files the run uses.
    let references: [PipelineFile]
    /// The edits left out, one short clause each.
    let held: [String]
    /// Whether what is used differs from what the published generation used.
    let changesDecisions: Bool

    /// Compares the folder with the published generation.
    ///
    /// - Parameters:
    ///   - folder: The pipeline and its reference files as the folder has them.
    ///   - published: What the served generation was made from; nil where there is none.
    ///   - appliesChanges: Whether the operator asked for edits to be published.
    init(folder: FolderReading, published: PublishedInputs?, appliesChanges: Bool) {
        guard let published else {
            pipeline = folder.pipeline
            pipelineFiles = folder.pipeline.files
            references = folder.references
            held = []
            changesDecisions = true
            return
        }
        let kept = published.kept.pipeline
        let keptReferences = published.kept.references
        var held = folder.faults
        // The published policy holds, since an edit of `changes` is itself an edit nobody has seen; and
        // who asks in the folder for edits to be held does not want these to be published.
        let differences = DecisionText.differences(kept, folder.pipeline)
        let now = folder.steering ?? kept
        func holds(_ policy: (PipelineDefinition) -> PipelineDefinition.ChangePolicy) -> Bool {
            !appliesChanges && (policy(kept) == .hold || policy(now) == .hold)
        }
        // Where a rollback left edits, none is published but by whoever asks for it, whatever the policy.
        let isLeft = !appliesChanges && published.hasLeftEdits
        let isHeld = (holds(\.ruleChanges) || isLeft) && !differences.isEmpty
        let holdsRules = isHeld || folder.isKept
        if isHeld {
            let parts = differences.joined(separator: ", ")
            held.append("\(parts): edited since \(published.number); NOT applied")
        }
        var pipeline = holdsRules ? kept : folder.pipeline
        if holdsRules, let steering = folder.steering { pipeline.takeSteering(from: steering) }
        let changedReferences = Self.changed(keptReferences, folder.references)
        let holdsReferences =
            (holds(\.referenceChanges) || isLeft)
            && !changedReferences.isEmpty
        if holdsReferences {
            for name in changedReferences {
                held.append("\(name) was edited since \(published.number); NOT applied")
            }
        }
        // Held lookups may need a file the folder's pipeline no longer names, and the other way
        // round: whatever the chosen pipeline names is taken from the chosen side first.
        let needed = pipeline.referenceFileNames
        let first = holdsReferences ? keptReferences : folder.references
        let second = holdsReferences ? folder.references : keptReferences
        references = needed.compactMap { name in
            first.first { $0.path == name } ?? second.first { $0.path == name }
        }
        self.pipeline = pipeline
        pipelineFiles = holdsRules ? kept.files : folder.pipeline.files
        self.held = held
        changesDecisions =
            (!differences.isEmpty && !holdsRules)
            || (!changedReferences.isEmpty && !holdsReferences)
    }

    /// The names of files that were added, removed or changed.
    private static func changed(_ left: [PipelineFile], _ right: [PipelineFile]) -> [String] {
        let names = Set(left.map(\.path)).union(right.map(\.path))
        return names.filter { name in
            left.first { $0.path == name }?.content != right.first { $0.path == name }?.content
        }.sorted()
    }
}

/// What the served generation was made from, read again from the texts it keeps.
struct PublishedInputs {
    /// The generation.
    let number: Int
    /// Its pipeline and its reference files.
    let kept: FolderReading.Kept
    /// Whether a rollback left edits, and nobody has published any since.
    let hasLeftEdits: Bool

    /// Reads what a generation keeps.
    ///
    /// - Throws: ``PipelineFault`` where its pipeline can no longer be read; `MartError` of the file.
    init(_ served: some SummaryReading) throws {
        number = served.header.number
        hasLeftEdits = try served.holds().contains { $0.kind != .file }
        let inputs = try served.inputs()
        kept = FolderReading.Kept(
            pipeline: try PipelineReader.read(files: inputs.pipelineFiles),
            references: inputs.referenceFiles
        )
    }

    /// Reads what a generation keeps; what this version cannot read is an error for people.
    ///
    /// - Parameters:
    ///   - base: The generation.
    ///   - remedies: What to do where it cannot be read.
    /// - Returns: What it keeps.
    /// - Throws: ``RunError`` where this version finds a fault in it; `MartError` of the file.
    static func readable(
        _ base: some SummaryReading,
        remedies: [String] = ["Use the version that published it."]
    ) throws -> PublishedInputs {
        do {
            return try PublishedInputs(base)
        } catch {
            throw RunError.unreadable(base.header.number, error, remedies: remedies)
        }
    }
}

extension [GenerationInput] {
    /// The files of the pipeline folder, the one to begin with first.
    var pipelineFiles: [PipelineFile] { files(.pipeline) + files(.override) }

    /// The reference files.
    var referenceFiles: [PipelineFile] { files(.reference) }

    private func files(_ role: GenerationInput.Role) -> [PipelineFile] {
        filter { $0.role == role }.map { PipelineFile(path: $0.path, content: $0.content) }
    }
}

extension PipelineDefinition {
    /// The reference files the pipeline names, each once, by name.
    public var referenceFileNames: [String] {
        let names = lookups.map(\.file) + labels.values.map(\.file)
        return Array(Set(names)).sorted()
    }

    /// Takes what only steers a night from another reading of the same pipeline.
    mutating func takeSteering(from other: PipelineDefinition) {
        checks = other.checks
        tripIDs = other.tripIDs
        for index in sources.indices {
            guard let source = other.sources.first(where: { $0.name == sources[index].name })
            else { continue }
            sources[index].expects = source.expects
            sources[index].onRefusedFile = source.onRefusedFile
            sources[index].settleSeconds = source.settleSeconds
            sources[index].expansion = source.expansion
        }
    }
}

extension RunError {
    /// The refusal of a pipeline that another version published.
    ///
    /// - Parameters:
    ///   - generation: What was made by it.
    ///   - error: What was found.
    ///   - remedies: What to do.
    /// - Returns: The refusal; where the error is none of the pipeline, that error.
    static func unreadable(
        _ generation: Int,
        _ error: any Error,
        remedies: [String]
    ) -> any Error {
        guard let fault = PipelineFaults(error)?.faults.first else { return error }
        return RunError(
            .badPipeline,
            summary: "the published pipeline can no longer be read",
            what: "Generation \(generation) was made by a pipeline in which this version finds a "
                + "fault: \(fault.clause).",
            remedies: remedies
        )
    }
}
