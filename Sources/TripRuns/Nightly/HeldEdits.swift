import TripDomain
import TripEngine
import TripMart
public import TripPipeline
import TripRules

/// The pipeline and the reference files that a run classifies with, and the edits it holds.
///
/// A run must not publish an edit whose effect has not been reviewed. It takes the rules and
/// reference files of the published generation, unless the pipeline says `apply`, the operator asks
/// for it, or there is no generation yet.
struct HeldEdits {
    /// The pipeline that the run uses: decisions from the generation, settings of the run from the
    /// folder.
    let pipeline: PipelineDefinition
    /// The files of that pipeline; the new generation stores them.
    let pipelineFiles: [PipelineFile]
    /// The reference files the run uses.
    let references: [PipelineFile]
    /// The held edits, one short clause each.
    let held: [String]
    /// Whether these decisions differ from those of the published generation.
    let changesDecisions: Bool

    /// Compares the folder with the published generation.
    ///
    /// - Parameters:
    ///   - folder: The pipeline and its reference files as the folder has them.
    ///   - published: The inputs of the served generation; nil where there is none.
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
        // The published policy counts, since an edit of `changes` is itself an unreviewed edit. The
        // folder's policy counts as well: a folder that holds edits does not want these published.
        let differences = DecisionText.differences(kept, folder.pipeline)
        let now = folder.runSettings ?? kept
        func isHeldBy(_ policy: (PipelineDefinition) -> PipelineDefinition.ChangePolicy) -> Bool {
            !appliesChanges && (policy(kept) == .hold || policy(now) == .hold)
        }
        // After a rollback that left edits out, they are published only on request, whatever the
        // policy.
        let isLeft = !appliesChanges && published.hasExcludedEdits
        let isHeld = (isHeldBy(\.ruleChanges) || isLeft) && !differences.isEmpty
        let holdsRules = isHeld || folder.isKept
        if isHeld {
            let parts = differences.joined(separator: ", ")
            held.append("\(parts): edited since \(published.number); NOT applied")
        }
        var pipeline = holdsRules ? kept : folder.pipeline
        if holdsRules, let runSettings = folder.runSettings {
            pipeline.takeRunSettings(from: runSettings)
        }
        let changedReferences = Self.changed(keptReferences, folder.references)
        let holdsReferences =
            (isHeldBy(\.referenceChanges) || isLeft)
            && !changedReferences.isEmpty
        if holdsReferences {
            for name in changedReferences {
                held.append("\(name) was edited since \(published.number); NOT applied")
            }
        }
        // Held lookups may need a file that the folder's pipeline no longer names, and vice versa,
        // so every file comes from the chosen side first.
        let needed = pipeline.referenceFileNames
        let first = holdsReferences ? keptReferences : folder.references
        let second = holdsReferences ? folder.references : keptReferences
        references = needed.compactMap { name in
            first.file(name) ?? second.file(name)
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
        let names = Set((left + right).map { ByteText($0.path) }).sorted().map(\.text)
        return names.filter { name in
            left.file(name)?.content != right.file(name)?.content
        }
    }
}

/// The inputs of the served generation, read again from the texts it stores.
struct PublishedInputs {
    /// The generation.
    let number: Int
    /// Its pipeline and its reference files.
    let kept: FolderReading.Kept
    /// Whether a rollback left edits out, and no edit was published since.
    let hasExcludedEdits: Bool

    /// Reads the inputs that a generation stores.
    ///
    /// - Throws: ``PipelineFault`` where its pipeline can no longer be read; `MartError` of the
    ///   file.
    init(_ served: some SummaryReading) throws {
        number = served.header.number
        hasExcludedEdits = try served.exclusions().contains { $0.kind != .file }
        let inputs = try served.inputs()
        kept = FolderReading.Kept(
            pipeline: try PipelineReader.read(files: inputs.pipelineFiles),
            references: inputs.referenceFiles
        )
    }

    /// Reads the inputs that a generation stores, and turns a fault in them into an error for the
    /// operator.
    ///
    /// - Parameters:
    ///   - base: The generation.
    ///   - remedies: What to do where they cannot be read.
    /// - Returns: The inputs.
    /// - Throws: ``RunError`` where this version finds a fault in them; `MartError` of the file.
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
    /// The files of the pipeline folder, the first one first.
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
        return Set(names.map(ByteText.init)).sorted().map(\.text)
    }

    /// Takes the settings that only control a run from another reading of the same pipeline.
    mutating func takeRunSettings(from other: PipelineDefinition) {
        checks = other.checks
        tripIDs = other.tripIDs
        for index in sources.indices {
            guard let source = other.sources.first(where: { $0.name == sources[index].name })
            else { continue }
            sources[index].expects = source.expects
            sources[index].onRefusedFile = source.onRefusedFile
            sources[index].settleSeconds = source.settleSeconds
            sources[index].expansion = source.expansion
            sources[index].rejects = source.rejects
        }
    }
}

extension RunError {
    /// The refusal of a published pipeline in which this version finds a fault.
    ///
    /// - Parameters:
    ///   - generation: The generation made by it.
    ///   - error: What was found.
    ///   - remedies: What to do.
    /// - Returns: The refusal; where the error is no fault of the pipeline, that error.
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
