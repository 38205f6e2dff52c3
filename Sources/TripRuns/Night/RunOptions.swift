/// What a run is asked to do, as flags and environment say it.
public struct RunOptions: Sendable {
    /// The mart's folder, unless another is named.
    public static let usualMartPath = "data/mart"
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
    /// Who works, as they give their name.
    public var madeBy: String
    /// Who approved the edits that are to be published, as they give their name; nil where nobody is
    /// named.
    public var approvedBy: String?
    /// Files not to take in, by their path below the input folder; what was taken in of them before
    /// still counts.
    public var skippedFiles: [String]
    /// Files to take in again that a rollback left out, by their path; `all` stands for all that are missed.
    public var includedFiles: [String]

    /// Describes a plain night.
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
    }

    /// Whether a run keeps its trips: to find the version of each that stands, and to write them.
    ///
    /// Where each occurs once, as the pipeline declares, and nothing is written, they are added up file
    /// by file, in memory that does not grow with their number.
    /// A source whose files replace nothing may send a file again with trips that it sent before; an
    /// override is in force or not by the last of all trips.
    func keepsTrips(of pipeline: PipelineDefinition) -> Bool {
        !isDryRun || pipeline.tripIDs == .versioned || pipeline.overrides?.lines.isEmpty == false
            || pipeline.sources.contains { $0.replaces == .nothing }
    }

    /// Where the key file is.
    public var keyFilePath: String { keyPath ?? Self.defaultKeyPath(martPath: martPath) }

    /// The key file of a mart, unless another is named: beside the mart, not inside it.
    public static func defaultKeyPath(martPath: String) -> String {
        var path = martPath
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let isDots = path.split(separator: "/").last.map { $0 == "." || $0 == ".." } ?? true
        return (isDots ? FileText.resolved(path) : path) + ".key"
    }
}
