import TripMart
import TripPipeline

/// Checks the arguments of a first run before it creates anything.
///
/// A misspelt folder must not leave an empty mart behind.
enum FirstRunCheck {
    /// Refuses folders that cannot be read.
    ///
    /// An existing mart is left to the run itself, which records what it finds.
    ///
    /// - Parameter options: The options of the run.
    /// - Throws: ``PipelineFault`` or ``RunError`` of the first folder that cannot be used.
    static func check(_ options: RunOptions) throws {
        let folder = MartFolder(path: options.martPath)
        guard !FileText.exists(folder.generationsPath) else { return }
        try RunMart.requireOutside(options.martPath, keyPath: options.keyFilePath)
        let pipeline = try FolderReading(options).pipeline
        let delivery = try MatchedFiles(
            files: try LandingFolder(path: options.inputPath).files(),
            sources: pipeline.sources,
            now: options.now,
            skipped: PathSet(options.skippedFiles)
        )
        guard delivery.arrivals.isEmpty else { return }
        throw RunError.nothingToRead(
            options,
            delivery.waiting.map { ($0.path, $0.reason.rawValue) }
        )
    }
}
