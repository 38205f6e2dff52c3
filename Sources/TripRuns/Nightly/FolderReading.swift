import TripDomain
import TripEngine
import TripPipeline
import TripRules

/// The pipeline folder and its reference files as a run finds them: the parts that can be used, and
/// the faults of the others.
///
/// An analyst may be in the middle of an edit when the run begins. Where a generation is served, a
/// part that cannot be used is replaced by the part that generation was made from, and held like
/// any other edit.
struct FolderReading {
    /// The pipeline to use: the folder's, or the stored one where the folder's has a fault.
    private(set) var pipeline: PipelineDefinition
    /// The reference files it names; a file with a fault is replaced by the stored one.
    private(set) var references: [PipelineFile]
    /// Whether the pipeline is the stored one, because the folder's has a fault.
    private(set) var isKept = false
    /// The folder's settings that only control a run; nil where they cannot be read.
    private(set) var runSettings: PipelineDefinition?
    /// The faults found, one clause each.
    private(set) var faults: [String] = []

    /// The inputs that the served generation stores.
    struct Kept {
        let pipeline: PipelineDefinition
        let references: [PipelineFile]
    }

    /// Uses the inputs that a generation stores instead of a folder.
    init(_ kept: Kept) {
        pipeline = kept.pipeline
        references = kept.references
    }

    /// Reads the folder; any fault of it is an error.
    ///
    /// - Parameter options: Where the folders are.
    /// - Throws: ``RunError`` where there is no such folder; ``PipelineFaults`` with every fault of
    ///   the files, any error of ``CompiledPipeline``,
    ///   or ``PipelineFaults`` where an example of a rule fails.
    init(_ options: RunOptions) throws {
        do {
            try self.init(reading: options)
        } catch {
            guard PipelineFaults(error) != nil else { throw error }
            // A stage that finds a fault ends the reading; `check` goes on and finds them all.
            do {
                let check = PipelineCheck(
                    options: options,
                    examinesTrips: false,
                    progress: Progress()
                )
                _ = try check.compile()
            } catch let all where PipelineFaults(all) != nil {
                throw all
            } catch {}
            throw error
        }
    }

    private init(reading options: RunOptions) throws {
        try RunArguments.requirePipeline(options.pipelinePath)
        let read = try PipelineReader.read(path: options.pipelinePath)
        try RunArguments.requireReferences(read.referenceFileNames, options.referencePath)
        pipeline = read
        runSettings = read
        references = try read.referenceFileNames.map { name throws(PipelineFault) in
            try Self.reference(name, options)
        }
        try CompiledPipeline(read, references: references, dataThrough: nil).requireExamples()
    }

    /// Reads the folder, with the inputs of the served generation to replace faulty parts.
    ///
    /// - Parameters:
    ///   - options: Where the folders are.
    ///   - kept: The inputs that the served generation stores.
    /// - Throws: ``RunError`` where a folder does not exist, which is a wrong argument and no edit,
    ///   or where the folder is that of another pipeline.
    init(_ options: RunOptions, kept: Kept) throws {
        pipeline = kept.pipeline
        references = []
        try RunArguments.requirePipeline(options.pipelinePath)
        do throws(PipelineFaults) {
            pipeline = try PipelineReader.read(path: options.pipelinePath)
            runSettings = pipeline
        } catch {
            try Self.requireSameName(options, kept: kept)
            setAside(error.faults, kept: kept)
        }
        try RunArguments.requireReferences(
            pipeline.referenceFileNames,
            options.referencePath,
            mayBeEmpty: true
        )
        references = try usableReferences(options, kept: kept)
        let isEdited =
            pipeline.files != kept.pipeline.files
            || references.contains { !kept.references.contains($0) }
        guard pipeline.name == kept.pipeline.name, isEdited else { return }
        checkMeasures(kept: kept)
        try compile(options, kept: kept)
    }

    /// Uses the stored pipeline from here on.
    private mutating func setAside(_ found: [PipelineFault], kept: Kept) {
        pipeline = kept.pipeline
        isKept = true
        let more = found.count > 1 ? " and \(found.count - 1) more" : ""
        if let first = found.first {
            let isOfSystem = PipelineFaults(faults: found).isOfSystem
            let words = isOfSystem ? "the pipeline cannot be read" : "the pipeline has a fault"
            faults.append("\(words), \(first.clause)\(more); NOT applied")
        }
    }

    /// Checks take effect at once, so one that cannot be evaluated would stop the run.
    private mutating func checkMeasures(kept: Kept) {
        guard var read = runSettings else { return }
        let names = CheckMeasures.names(
            lookups: (read.lookups + kept.pipeline.lookups).map(\.name)
        )
        for check in read.checks {
            do throws(PipelineFault) {
                _ = try CheckCondition.compile(check.condition, names: names)
            } catch {
                read.checks = kept.pipeline.checks
                runSettings = read
                if !isKept { setAside([error], kept: kept) }
                return
            }
        }
    }

    /// Replaces the parts that cannot be compiled: one reference file after the other, then the
    /// pipeline.
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

    /// Replaces a reference file by the stored one; false where there is no other one.
    private mutating func replace(_ name: String, because fault: PipelineFault, kept: Kept) -> Bool
    {
        guard let index = references.index(of: name),
            let before = kept.references.file(name),
            before != references[index]
        else { return false }
        references[index] = before
        note(name, fault)
        return true
    }

    private mutating func note(_ name: String, _ fault: PipelineFault) {
        let words = fault.isOfSystem ? "cannot be read" : "has a fault"
        let text = "\(name) \(words), \(fault.clause); NOT applied"
        if !faults.contains(text) { faults.append(text) }
    }

    /// The reference files that the pipeline names; the stored one where a file cannot be read.
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
                guard let before = kept.references.file(name) else {
                    // The pipeline names it for the first time, and it does not exist.
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
            content: try FileText.read(name, in: options.referencePath)
        )
    }

    /// Refuses a pipeline that cannot be read but whose text names another pipeline.
    private static func requireSameName(_ options: RunOptions, kept: Kept) throws(RunError) {
        let path = PipelineReader.startPath(options.pipelinePath)
        // Where not even the bytes can be read, it counts as the same pipeline.
        let bytes = (try? FileText.read(path, shown: path)) ?? []
        let key = "pipeline:"
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix(key) }
        let name = line.map { $0.dropFirst(key.count).split { " \t\r\"'#".contains($0) } }?.first
        guard let name, name != kept.pipeline.name else { return }
        throw RunError.otherPipeline(
            options.martPath,
            expected: kept.pipeline.name,
            asked: String(name)
        )
    }
}

extension PipelineFault {
    /// The fault in one line: its position, and what was found.
    var clause: String {
        description.split(separator: "\n").first.map(String.init) ?? message
    }
}

extension RunError {
    /// The refusal of a mart that belongs to another pipeline.
    static func otherPipeline(_ mart: String, expected: String, asked: String) -> RunError {
        RunError(
            .badPipeline,
            summary: "the mart belongs to another pipeline",
            what: "\(mart) holds the pipeline `\(expected)`; this is `\(asked)`.",
            remedies: ["Use a mart of its own: --mart data/mart/\(asked)"]
        )
    }
}
