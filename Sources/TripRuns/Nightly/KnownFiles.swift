import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// The files of the served generation, as entries of the next register.
enum KnownFiles {
    /// Makes entries of all files ever taken in.
    ///
    /// - Parameters:
    ///   - files: The files as the served generation lists them.
    ///   - pipeline: The pipeline in force.
    ///   - archive: Where their bytes are kept.
    /// - Returns: One entry per file, in the order given.
    /// - Throws: ``RunError`` where a file's bytes are missing, or its source or order no longer
    ///   exists.
    static func entries(
        _ files: [SourceFileEntry],
        pipeline: PipelineDefinition,
        archive: Archive
    ) throws(RunError) -> [FileRegister.Entry] {
        var missing: [String] = []
        var entries: [FileRegister.Entry] = []
        for file in files {
            if !archive.contains(hash: file.archiveHash) { missing.append(file.path) }
            guard let index = pipeline.sources.firstIndex(where: { $0.name == file.source }),
                let orderKey = FileRegister.orderKey(
                    path: file.path,
                    source: pipeline.sources[index]
                ),
                let period = FileRegister.period(path: file.path, source: pipeline.sources[index])
            else {
                throw RunError(
                    .badPipeline,
                    summary: "a known file fits no source of the pipeline",
                    what: "\(file.path) was taken in by the source `\(file.source)`, which the "
                        + "pipeline no longer has or now orders by another pattern.",
                    remedies: ["Keep the source and its patterns as long as its files count."]
                )
            }
            entries.append(
                FileRegister.Entry(
                    sourceIndex: index,
                    path: file.path,
                    sequence: file.sequence,
                    contentHash: file.contentHash,
                    archiveHash: file.archiveHash,
                    orderKey: orderKey,
                    period: period,
                    isNew: false
                )
            )
        }
        guard missing.isEmpty else { throw RunError.knownFilesMissing(missing) }
        return entries
    }
}

extension RunError {
    /// The refusal to go on without files that were taken in before.
    static func knownFilesMissing(_ paths: [String]) -> RunError {
        RunError(
            .knownFileMissing,
            summary: paths.count == 1
                ? "a known file is missing"
                : Counted.text(paths.count, "known file") + " are missing",
            what: "The mart's archive no longer has: "
                + paths.prefix(10).joined(separator: ", ") + ".",
            remedies: [
                "Restore the mart's archive folder from its backup.", "Run the command again.",
            ]
        )
    }
}
