import Glibc
import TripDomain
import TripPipeline

/// The options of a run, from flags and environment.
public struct RunOptions: Sendable {
    /// The folder of exports, unless another is named.
    public static let usualInputPath = "data/landing"
    /// The folder of the reference files, unless another is named.
    public static let usualReferencePath = "data/reference"

    /// The pipeline folder, or a pipeline file.
    public var pipelinePath: String
    /// The mart's folder.
    public var martPath: String
    /// The key file; nil stands for the mart's path with `.key` after it.
    public var keyPath: String?
    /// The base of the sources' file patterns.
    public var inputPath: String
    /// The folder of the reference files.
    public var referencePath: String
    /// Threads to use; results do not depend on it.
    public var threadCount: Int
    /// The time of the run, in seconds of UTC.
    public var now: Int64
    /// Rebuild from all known files even where nothing is new.
    public var isFull: Bool
    /// Do everything up to the checks and write nothing.
    public var isDryRun: Bool
    /// Publish edits of rules and reference files that would be held.
    public var appliesChanges: Bool
    /// The author of edits, as given by a flag.
    public var madeBy: String
    /// The approver of the edits that are to be published, as given by a flag; nil where none is
    /// named.
    public var approvedBy: String?
    /// Files not to take in, by their path below the input folder; what was taken in of them before
    /// still counts.
    public var skippedFiles: [String]
    /// Files that a rollback left out and that are to be taken in again, by their path; `all`
    /// stands for all of them.
    public var includedFiles: [String]
    /// Files that bring nothing, or far less than they replace, and are meant to; by their path
    /// below the input folder.
    public var acceptedFiles: [String]

    /// Creates the options of a plain run.
    ///
    /// - Parameters:
    ///   - pipelinePath: The pipeline folder, or a pipeline file.
    ///   - martPath: The mart's folder.
    ///   - inputPath: The base of the sources' file patterns.
    ///   - referencePath: The folder of the reference files.
    ///   - now: The time of the run, in seconds of UTC.
    public init(
        pipelinePath: String,
        martPath: String,
        inputPath: String,
        referencePath: String,
        now: Int64
    ) {
        self.pipelinePath = pipelinePath
        self.martPath = martPath
        keyPath = nil
        self.inputPath = inputPath
        self.referencePath = referencePath
        threadCount = 2
        self.now = now
        isFull = false
        isDryRun = false
        appliesChanges = false
        madeBy = ""
        approvedBy = nil
        skippedFiles = []
        includedFiles = []
        acceptedFiles = []
    }

    /// Whether a run keeps its trips, to find the accepted version of each and to write them.
    ///
    /// Where each trip occurs once, as the pipeline declares, and nothing is written, trips are
    /// summed up file by file, in memory that does not grow with their number. Two cases need all
    /// trips all the same: a source whose files replace nothing may send a trip again, and the last
    /// of all trips decides whether an override is in force.
    func keepsTrips(of pipeline: PipelineDefinition) -> Bool {
        !isDryRun || pipeline.tripIDs == .versioned || pipeline.overrides?.lines.isEmpty == false
            || pipeline.sources.contains { $0.replaces == .nothing }
    }

    /// The path of the key file.
    public var keyFilePath: String { keyPath ?? Self.defaultKeyPath(martPath: martPath) }

    /// The key file of a mart, unless another is named: beside the mart, not inside it.
    public static func defaultKeyPath(martPath: String) -> String {
        var path = martPath
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let isDots = path.split(separator: "/").last.map { $0 == "." || $0 == ".." } ?? true
        return (isDots ? FileText.resolved(path) : path) + ".key"
    }
}

/// The time of a run: the system's, or the one that a test gives.
public enum RunClock {
    /// Now, in seconds of UTC.
    public static func current() -> Int64 { Int64(time(nil)) }

    /// Reads `YYYY-MM-DDTHH:MM:SSZ` into seconds of UTC; nil for anything else.
    public static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A,
            bytes[19] == 0x5A, let date = CivilDate(text: String(text.prefix(10))),
            let hour = Int(text.dropFirst(11).prefix(2)), hour < 24,
            let minute = Int(text.dropFirst(14).prefix(2)), minute < 60,
            let second = Int(text.dropFirst(17).prefix(2)), second < 60
        else { return nil }
        return Int64(date.dayNumber) * CivilTime.daySeconds
            + Int64(hour * 3600 + minute * 60 + second)
    }
}
