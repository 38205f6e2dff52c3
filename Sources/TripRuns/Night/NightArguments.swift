import TripMart

/// Looks at what a first night was given before it makes anything: a misspelt folder must not leave an
/// empty mart behind.
enum NightArguments {
    /// Refuses folders that cannot be read.
    ///
    /// A mart that is there already is left to the run itself, which writes down what it met.
    ///
    /// - Parameter options: What the run is asked to do.
    /// - Throws: ``PipelineFault`` or ``RunError`` of the first folder that cannot be used.
    static func check(_ options: RunOptions) throws {
        let folder = MartFolder(path: options.martPath)
        guard !FileText.exists(folder.generationsPath) else { return }
        try NightMart.requireOutside(options.martPath, keyPath: options.keyFilePath)
        let pipeline = try FolderReading(options).pipeline
        let delivery = try Delivery(
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
