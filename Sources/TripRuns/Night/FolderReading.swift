import TripDomain
import TripEngine

/// The pipeline folder and its reference files as a night finds them: what of them can be used, and
/// the faults that keep the rest from it.
///
/// Somebody may be in the middle of an edit when the night begins. Where a generation is served, what
/// cannot be used is replaced by what that generation was made from, and held like any other edit.
struct FolderReading {
    /// The pipeline to go on with: the folder's, or the kept one where that has a fault.
    private(set) var pipeline: PipelineDefinition
    /// The reference files it names; one with a fault as it was kept.
    private(set) var references: [PipelineFile]
    /// Whether the pipeline is the kept one, because the folder's has a fault.
    private(set) var isKept = false
    /// What the folder says about steering a night; nil where it cannot be read.
    private(set) var steering: PipelineDefinition?
    /// What was found, one clause each.
    private(set) var faults: [String] = []

    /// What the served generation was made from.
    struct Kept {
        let pipeline: PipelineDefinition
        let references: [PipelineFile]
    }

    /// Takes what a generation was made from for a folder.
    init(_ kept: Kept) {
        pipeline = kept.pipeline
        references = kept.references
    }

    /// Reads the folder; any fault of it is an error.
    ///
    /// - Parameter options: Where the folders are.
    /// - Throws: ``PipelineFault`` at the first thing that cannot be understood, what
    ///   ``CompiledPipeline`` throws, or ``PipelineFaults`` where an example of a rule fails.
    init(_ options: RunOptions) throws {
        let read = try PipelineReader.read(path: options.pipelinePath)
        pipeline = read
        steering = read
        references = try read.referenceFileNames.map { name throws(PipelineFault) in
            try Self.reference(name, options)
        }
        try CompiledPipeline(read, references: references, dataThrough: nil).requireExamples()
    }

    /// Reads the folder beside what the served generation was made from.
    ///
    /// - Parameters:
    ///   - options: Where the folders are.
    ///   - kept: What the served generation was made from.
    /// - Throws: ``PipelineFault`` where a folder is not there at all: that is a wrong argument, and
    ///   no edit. ``RunError`` where the folder is that of another pipeline.
    init(_ options: RunOptions, kept: Kept) throws {
        pipeline = kept.pipeline
        references = []
        guard FileText.exists(PipelineReader.startPath(options.pipelinePath)) else {
            // Says that it is not there, and where it was looked for.
            _ = try PipelineReader.read(path: options.pipelinePath)
            return
        }
        do throws(PipelineFault) {
            pipeline = try PipelineReader.read(path: options.pipelinePath)
            steering = pipeline
        } catch {
            try Self.requireSameName(options, kept: kept)
            setAside([error], kept: kept)
        }
        references = try usableReferences(options, kept: kept)
        let isEdited =
            pipeline.files != kept.pipeline.files
            || references.contains { !kept.references.contains($0) }
        guard pipeline.name == kept.pipeline.name, isEdited else { return }
        checkMeasures(kept: kept)
        try compile(options, kept: kept)
    }

    /// Goes on with the kept pipeline.
    private mutating func setAside(_ found: [PipelineFault], kept: Kept) {
        pipeline = kept.pipeline
        isKept = true
        let more = found.count > 1 ? " and \(found.count - 1) more" : ""
        if let first = found.first {
            faults.append("the pipeline has a fault, \(first.clause)\(more); NOT applied")
        }
    }

    /// Checks take effect at once, so one that cannot be evaluated would stop the night.
    private mutating func checkMeasures(kept: Kept) {
        guard var read = steering else { return }
        let names = NightMeasures.names(
            lookups: (read.lookups + kept.pipeline.lookups).map(\.name)
        )
        for check in read.checks {
            do throws(PipelineFault) {
                _ = try CheckCondition.compile(check.condition, names: names)
            } catch {
                read.checks = kept.pipeline.checks
                steering = read
                if !isKept { setAside([error], kept: kept) }
                return
            }
        }
    }

    /// Replaces what cannot be compiled, one reference file after the other and then the pipeline.
    private mutating func compile(_ options: RunOptions, kept: Kept) throws {
        while true {
            do {
                try CompiledPipeline(pipeline, references: references, dataThrough: nil)
                    .requireExamples()
                return
            } catch {
                guard let found = PipelineFaults(error)?.faults, let first = found.first else {
                    throw error
                }
                if replace(first.file, because: first, kept: kept) { continue }
                guard !isKept else { return }
                setAside(found, kept: kept)
                references = try usableReferences(options, kept: kept)
            }
        }
    }

    /// Takes a reference file as it was kept; false where that is no other one.
    private mutating func replace(_ name: String, because fault: PipelineFault, kept: Kept) -> Bool
    {
        guard let index = references.firstIndex(where: { $0.path == name }),
            let before = kept.references.first(where: { $0.path == name }),
            before != references[index]
        else { return false }
        references[index] = before
        note(name, fault)
        return true
    }

    private mutating func note(_ name: String, _ fault: PipelineFault) {
        let text = "\(name) has a fault, \(fault.clause); NOT applied"
        if !faults.contains(text) { faults.append(text) }
    }

    /// The reference files the pipeline names, those that cannot be read as they were kept.
    private mutating func usableReferences(
        _ options: RunOptions,
        kept: Kept
    ) throws(PipelineFault) -> [PipelineFile] {
        var files: [PipelineFile] = []
        for name in pipeline.referenceFileNames {
            do throws(PipelineFault) {
                files.append(try Self.reference(name, options))
            } catch {
                guard FileText.exists(options.referencePath) else { throw error }
                guard let before = kept.references.first(where: { $0.path == name }) else {
                    // Named for the first time, and not there.
                    setAside([error], kept: kept)
                    return try usableReferences(options, kept: kept)
                }
                files.append(before)
                note(name, error)
            }
        }
        return files
    }

    private static func reference(
        _ name: String,
        _ options: RunOptions
    ) throws(PipelineFault) -> PipelineFile {
        PipelineFile(
            path: name,
            content: try FileText.read(options.referencePath + "/" + name, shown: name)
        )
    }

    /// A pipeline that cannot be read may still say whose it is.
    private static func requireSameName(_ options: RunOptions, kept: Kept) throws(RunError) {
        let path = PipelineReader.startPath(options.pipelinePath)
        // Where not even the bytes can be read, nothing speaks against it being the same one.
        let bytes = (try? FileText.read(path, shown: path)) ?? []
        let key = "pipeline:"
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix(key) }
        let name = line.map { $0.dropFirst(key.count).split { " \t\r\"'#".contains($0) } }?.first
        guard let name, name != kept.pipeline.name else { return }
        throw RunError.otherPipeline(
            options.martPath,
            holds: kept.pipeline.name,
            asked: String(name)
        )
    }
}

extension PipelineFault {
    /// The fault in one line: where, and what was found.
    var clause: String {
        description.split(separator: "\n").first.map(String.init) ?? message
    }
}

extension RunError {
    /// The refusal of a mart that belongs to another pipeline.
    static func otherPipeline(_ mart: String, holds: String, asked: String) -> RunError {
        RunError(
            .badPipeline,
            summary: "the mart belongs to another pipeline",
            what: "\(mart) holds the pipeline `\(holds)`; this is `\(asked)`.",
            remedies: ["Use a mart of its own: --mart data/mart/\(asked)"]
        )
    }
}
