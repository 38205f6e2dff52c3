import Glibc
import TripDomain
import TripEngine
import TripSynthetic

/// `generate`: synthetic exports and the reference files that go with them.
public struct GenerateWork {
    private let folder: String
    private let options: SyntheticOptions
    private let layoutWord: String
    private let threadCount: Int

    /// Sets the options.
    ///
    /// - Parameters:
    ///   - folder: The folder to write to.
    ///   - tripCount: Trips in all.
    ///   - monthCount: Months of exports.
    ///   - seed: The seed.
    ///   - isCompressed: Whether every file is gzip.
    ///   - layout: `native`, `legacy` or `mixed`.
    ///   - plantsFaults: Whether known faults are inserted.
    ///   - isSample: Whether to write the files of `data/sample`; the other options are ignored
    ///     then.
    ///   - threadCount: Threads; nil uses all processors.
    public init(
        folder: String,
        tripCount: Int,
        monthCount: Int,
        seed: UInt64,
        isCompressed: Bool,
        layout: String,
        plantsFaults: Bool,
        isSample: Bool,
        threadCount: Int?
    ) {
        self.folder = folder
        var options = SyntheticOptions(tripCount: tripCount, monthCount: monthCount, seed: seed)
        options.packing = isCompressed ? .gzip : .plain
        options.layout = SyntheticLayout(rawValue: layout) ?? .native
        options.hasFaults = plantsFaults
        self.options = isSample ? .sample : options
        layoutWord = layout
        self.threadCount = threadCount ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Writes the exports and their reference files.
    ///
    /// - Returns: What was written.
    /// - Throws: ``RunError`` where the options are not valid; `SyntheticFault` where a file cannot
    ///   be written.
    public func perform() throws -> GeneratedExports {
        let problem =
            SyntheticLayout(rawValue: layoutWord) == nil
            ? "the layout must be native, legacy or mixed" : options.problem
        if let problem {
            throw RunError(
                .usage,
                summary: "the exports cannot be generated",
                what: "The options are not valid: "
                    + problem + ".",
                remedies: ["See triptych generate --help."]
            )
        }
        let startedAt = Progress.milliseconds()
        let summary = try SyntheticExport(options).write(to: folder, threadCount: threadCount)
        return GeneratedExports(
            recordCount: summary.recordCount,
            fileCount: summary.paths.count,
            folder: folder,
            seed: options.seed,
            milliseconds: max(1, Progress.milliseconds() - startedAt)
        )
    }
}

/// What `generate` wrote.
public struct GeneratedExports: Sendable {
    /// The number of records.
    public let recordCount: Int
    /// The number of exports.
    public let fileCount: Int
    /// The folder they are in.
    public let folder: String
    /// The seed.
    public let seed: UInt64
    /// Wall time, 1 at least.
    public let milliseconds: Int64
}
