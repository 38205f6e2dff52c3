import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules
import TripText

/// A plan with its pipeline compiled: what a task of a divided run works with.
struct ShardSetting {
    let plan: ShardPlan
    let configuration: RunConfiguration
    /// The columns of `versions` frames, and the shape of the trips they are resolved as.
    let versions: VersionColumns
    /// Per file of the plan, the index of its source.
    let sourceOfFile: [Int]

    var pipeline: PipelineDefinition { configuration.pipeline }
    var classifier: TripClassifier { configuration.classifier }

    /// Compiles the texts of a plan.
    ///
    /// - Parameter plan: The plan.
    /// - Throws: ``RunError`` where another version made it, or where it does not fit itself; any
    ///   error of `CompiledPipeline`.
    init(_ plan: ShardPlan) throws {
        guard plan.program == ProgramVersion.text else {
            throw RunError(
                .noUsableInput,
                summary: "another version made the plan",
                what: "The plan was made by triptych \(plan.program); this is "
                    + "\(ProgramVersion.text).",
                remedies: ["Use one version on the driver and on all workers."]
            )
        }
        self.plan = plan
        let kept = FolderReading.Kept(
            pipeline: try PipelineReader.read(files: plan.inputs.pipelineFiles),
            references: plan.inputs.referenceFiles
        )
        configuration = RunConfiguration(
            FolderReading(kept),
            try CompiledPipeline(kept.pipeline, references: kept.references, dataThrough: nil)
        )
        versions = VersionColumns(configuration.classifier.shape)
        let sources = configuration.pipeline.sources
        sourceOfFile = try plan.files.map { file throws(RunError) in
            guard let index = sources.firstIndex(where: { $0.name == file.source }) else {
                throw ShardFile.unfit("plan", "files[\(file.index)].source", "is no source of it")
            }
            return index
        }
    }

    /// The file of the plan as the register of a run has it.
    func entry(
        _ index: Int,
        contentHash: String = "",
        archiveHash: String = ""
    )
        -> FileRegister.Entry
    {
        let file = plan.files[index]
        return FileRegister.Entry(
            sourceIndex: sourceOfFile[index],
            path: file.path,
            sequence: 1,
            contentHash: contentHash,
            archiveHash: archiveHash,
            orderKey: file.orderKey,
            period: file.period,
            isNew: contentHash.isEmpty || contentHash != file.known?.contentHash,
            takenIn: contentHash.isEmpty
                ? file.takenIn : file.day(ofContent: contentHash, today: plan.today)
        )
    }

    /// The days on which files may have been taken in, in order.
    var days: [CivilDate] {
        let known = plan.files.compactMap(\.known?.takenIn)
        return Set(plan.files.map(\.takenIn) + known + [plan.today]).sorted()
    }
}

/// The files that commands of a divided run read and write.
enum ShardFile {
    /// Reads a plan.
    ///
    /// - Parameter path: Where it is.
    /// - Returns: The plan.
    /// - Throws: ``RunError`` with code `noUsableInput` where it cannot be read or is none.
    static func plan(_ path: String) throws -> ShardPlan {
        try read(path) { text throws(JSONFault) in try ShardPlan(text) }
    }

    /// Reads a file as some value.
    static func read<Value>(
        _ path: String,
        _ make: ([UInt8]) throws(JSONFault) -> Value
    ) throws -> Value {
        try read(path, bytes(path), make)
    }

    /// Reads the bytes of a file as some value.
    static func read<Value>(
        _ path: String,
        _ bytes: [UInt8],
        _ make: ([UInt8]) throws(JSONFault) -> Value
    ) throws -> Value {
        do throws(JSONFault) {
            return try make(bytes)
        } catch {
            throw unfit(path, error.place, error.finding)
        }
    }

    /// The bytes of a file.
    static func bytes(_ path: String) throws(RunError) -> [UInt8] {
        do throws(PipelineFault) {
            return try FileText.read(path, shown: path)
        } catch {
            throw RunError(
                .noUsableInput,
                summary: "a file of the divided run cannot be read",
                what: "\(path): \(error.message).",
                remedies: ["Name the file that the step before wrote."]
            )
        }
    }

    /// Writes a file, whole or not at all; other accounts cannot read it, since the plan has the
    /// trip ids of overrides.
    static func write(_ bytes: [UInt8], to path: String) throws(RunError) {
        do throws(MartError) {
            try PrivateFile.write(bytes, to: path)
        } catch {
            throw RunError(
                .cannotWrite,
                summary: "a file of the divided run cannot be written",
                what: "\(path) cannot be written: its folder is missing or not this account's, it "
                    + "is a folder itself, or the disk is full.",
                remedies: ["Name a file in a folder that this account can write to: --out FILE"],
                cause: error
            )
        }
    }

    /// The refusal of a file that is not what it should be.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - place: The place in it.
    ///   - finding: What was found there, and what was expected.
    /// - Returns: The error.
    static func unfit(_ path: String, _ place: String, _ finding: String) -> RunError {
        RunError(
            .noUsableInput,
            summary: "a file of the divided run does not fit",
            what: "\(path), \(place): \(finding).",
            remedies: ["Make it again with the step before, by the same plan and version."]
        )
    }
}
