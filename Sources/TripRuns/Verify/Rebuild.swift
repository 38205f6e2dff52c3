import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// Rebuilds a generation from the exports and the inputs that it names, outside the mart.
struct Rebuild {
    /// The record of its exports and inputs.
    private let base: any SummaryReading
    private let number: Int
    private let archive: Archive
    private let options: RunOptions
    private let progress: Progress

    /// - Parameters:
    ///   - base: The generation, or what is kept of it.
    ///   - number: The generation's number.
    ///   - archive: Where its exports are.
    ///   - options: The threads to use.
    ///   - progress: Where progress is shown.
    init(
        of base: any SummaryReading,
        number: Int,
        archive: Archive,
        _ options: RunOptions,
        progress: Progress
    ) {
        self.base = base
        self.number = number
        self.archive = archive
        self.options = options
        self.progress = progress
    }

    /// Reads and classifies everything again, and writes the result.
    ///
    /// - Parameters:
    ///   - scratch: Where it is written.
    ///   - keys: The mart's keys.
    /// - Returns: The files.
    /// - Throws: ``RunError`` where an export is missing or damaged, or the inputs can no longer be
    ///   read; `MartError` of the files.
    func write(to scratch: MartFolder, keys: MartKeys) throws -> BuiltGeneration {
        try base.requireExports(options)
        let setting = try setting()
        let entries = try KnownFiles.entries(
            base.files(),
            pipeline: setting.pipeline,
            archive: archive
        )
        let register = FileRegister(entries, sources: setting.pipeline.sources)
        let files = try register.entries.map { entry in
            guard let location = archive.path(hash: entry.archiveHash) else {
                throw RunError.knownFilesMissing([entry.path])
            }
            return FileIntake.File(entry: entry, location: location)
        }
        let exports = try ClassifiedExports(
            known: files,
            isGenerated: base.header.isSynthetic,
            setting,
            options,
            rejectTexts: RejectSpool(scratch),
            progress: progress
        )
        let state = try RunTotals(exports, setting, options, progress: progress)
        let clocks = try setting.clocks(arrived: [], served: nil, options: options)
        let contents = state.contents(
            header: setting.header(
                number,
                isSynthetic: state.isSynthetic,
                dataThrough: state.dataThrough,
                clocks: clocks,
                now: options.now
            ),
            setting: setting,
            clocks: clocks,
            checks: [],
            threadCount: options.threadCount
        )
        return try write(contents, to: scratch, keys: keys)
    }

    private func write(
        _ contents: GenerationContents,
        to scratch: MartFolder,
        keys: MartKeys
    ) throws(MartError) -> BuiltGeneration {
        progress.begin("writing")
        let total = Int64(contents.acceptedOrder.count)
        let built = try GenerationWriter(
            folder: scratch,
            keys: keys,
            programVersion: ProgramVersion.text,
            threadCount: options.threadCount
        ).write(contents) { done in
            progress.update(
                done: Int64(done),
                total: total,
                WorkProgress.Amount(Int64(done), "trip")
            )
        }
        progress.end(WorkProgress.Amount(total, "trip"))
        return built
    }

    /// The pipeline, rules and reference files of the generation, read again from their stored
    /// texts.
    private func setting() throws -> RunConfiguration {
        let remedies = ["Verify it with the version that published it."]
        let inputs = try PublishedInputs.readable(base, remedies: remedies)
        do {
            return try RunConfiguration(inputs)
        } catch {
            throw RunError.unreadable(number, error, remedies: remedies)
        }
    }
}
