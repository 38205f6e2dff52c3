import TripDomain
public import TripRuns

/// What `generate` wrote, in one line.
public enum GeneratedScreen {
    /// The line.
    ///
    /// - Parameter exports: What was written.
    /// - Returns: The records and files, the seed, the time and the rate.
    public static func line(_ exports: GeneratedExports) -> String {
        let rate = Int64(exports.recordCount) * 1000 / exports.milliseconds
        return "GENERATED \(Counted.text(exports.recordCount, "record")) | "
            + "\(Counted.text(exports.fileCount, "file")) in \(exports.folder) | "
            + "seed \(exports.seed) | \(NumberFormat.seconds(exports.milliseconds)) | "
            + "\(Counted.text(rate, "record"))/s"
    }
}
