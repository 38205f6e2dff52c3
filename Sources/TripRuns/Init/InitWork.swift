import Glibc
import TripDomain
import TripEngine
import TripPipeline

/// `init`: looks at exports, writes a pipeline folder for them, and tries it.
public struct InitWork {
    /// The folder of pipelines, unless another is named.
    public static let usualFolder = "pipelines"

    private let paths: [String]
    private let folder: String
    private let name: String
    private let now: Int64
    private let threadCount: Int

    /// Sets the options.
    ///
    /// - Parameters:
    ///   - paths: The exports; at least one.
    ///   - folder: The folder to write; nil takes the pipeline's name below `pipelines`.
    ///   - name: The pipeline's name; nil takes it from the first file's.
    ///   - now: The time of the command, in seconds of UTC.
    ///   - threadCount: Threads of the trial.
    public init(paths: [String], folder: String?, name: String?, now: Int64, threadCount: Int) {
        self.paths = paths
        self.name = name ?? ExportNames.pipelineName(paths.first ?? "")
        self.folder = folder ?? Self.usualFolder + "/" + self.name
        self.now = now
        self.threadCount = threadCount
    }

    /// Writes the folder and tries it.
    ///
    /// - Returns: What was decided, what was not, and the numbers of the trial.
    /// - Throws: ``RunError`` where the arguments cannot be used, the files have two forms or are
    ///   no table, or the folder cannot be written; `SourceFault` where a file cannot be read.
    public func perform() throws -> InitReport {
        // 1. Refuse what must not be overwritten, and names that cannot be used.
        try checkArguments()

        // 2. Look at the files: dialect, header, every column.
        let exports = try SampledExports(paths)

        // 3. Decide what each field is read from.
        let draft = PipelineDraft(exports, name: name, patterns: ExportNames.patterns(of: paths))

        // 4. Write the folder.
        try write(DraftText.of(draft, folder: folder))

        // 5. Try it on the files, without publishing anything.
        let trial = draft.canRun ? try self.trial() : .notRunnable
        return InitReport(draft, folder: folder, trial: trial)
    }

    private func checkArguments() throws(RunError) {
        guard ExportNames.isName(name) else {
            throw RunError(
                .usage,
                summary: "the name cannot be used",
                what:
                    "'\(name)' is no name of a pipeline: lower-case letters, digits, `_` and `-`, "
                    + "beginning with a letter, 48 at most.",
                remedies: ["Name another: --name NAME"]
            )
        }
        guard !FileText.exists(folder) else {
            throw RunError(
                .cannotWrite,
                summary: "the folder exists",
                what: "\(folder) exists, and nothing is written over.",
                remedies: ["Name another folder: --out DIR"]
            )
        }
        guard Set(paths.map { FileText.resolved($0) }).count == paths.count else {
            throw RunError(
                .usage,
                summary: "a file is named twice",
                what: "Two of the names lead to one file, and its records would count twice.",
                remedies: ["Name each file once."]
            )
        }
    }

    /// Writes `pipeline.yaml` into the folder, which is made with those above it.
    private func write(_ text: String) throws(RunError) {
        var path = ""
        for (index, part) in folder.split(separator: "/", omittingEmptySubsequences: false)
            .enumerated()
        {
            path += (index == 0 ? "" : "/") + part
            guard !path.isEmpty, !FileText.exists(path) else { continue }
            guard mkdir(path, 0o777) == 0 else { throw Self.unwritable(path) }
        }
        let file = folder + "/pipeline.yaml"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.unwritable(file) }
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    descriptor,
                    buffer.baseAddress.map { $0 + written },
                    bytes.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let error = Self.unwritable(file)
                close(descriptor)
                throw error
            }
            written += count
        }
        guard close(descriptor) == 0 else { throw Self.unwritable(file) }
    }

    static func unwritable(_ path: String) -> RunError {
        RunError(
            .cannotWrite,
            summary: "the folder cannot be written",
            what: "\(path): \(FileText.systemMessage()).",
            remedies: ["Name a folder that this account may write: --out DIR"]
        )
    }

    // MARK: - The trial

    /// Does everything a first run of the folder would do up to the checks.
    ///
    /// The files are read where they are, through links in a folder that is removed again.
    private func trial() throws(RunError) -> InitReport.Trial {
        var folder = try TrialFolder()
        defer { folder.remove() }
        try folder.link(paths)
        let scratch = folder.path
        var options = RunOptions(
            pipelinePath: self.folder,
            martPath: scratch + "/mart",
            inputPath: scratch,
            referencePath: RunOptions.usualReferencePath,
            now: now
        )
        options.isDryRun = true
        options.threadCount = threadCount
        do {
            return .done(try NightlyRun(options: options, progress: Progress()).perform())
        } catch {
            return .failed(Failure(error), scratch: scratch)
        }
    }
}

/// What `init` decided, what it did not, and what a run of the folder would publish.
public struct InitReport: Sendable {
    /// One decision.
    public struct Decision: Sendable {
        /// The field.
        public let field: String
        /// The columns it is read from, as messages quote them.
        public let source: String
        /// What the decision rests on.
        public let evidence: String
    }

    /// The first run of the folder, up to the checks.
    public enum Trial: Sendable {
        /// It would publish.
        case done(RunReport)
        /// It would not; its files were read through links in a folder that is gone.
        case failed(Failure, scratch: String)
        /// The folder cannot run before a question is answered.
        case notRunnable
    }

    /// The folder that was written.
    public let folder: String
    /// The pipeline's name.
    public let name: String
    /// What was looked at, as a sentence.
    public let looked: String
    /// What was decided.
    public let decisions: [Decision]
    /// What was not decided: the field or key, and the question.
    public let questions: [(name: String, text: String)]
    /// Columns that are not read, since a cell may name a patient.
    public let personal: [String]
    /// The number of columns that no field reads for want of a use.
    public let otherCount: Int
    /// Whether some rule decides the class of trips.
    public let hasRules: Bool
    /// The first run.
    public let trial: Trial

    init(_ draft: PipelineDraft, folder: String, trial: Trial) {
        self.folder = folder
        name = draft.name
        looked = Self.looked(draft.exports)
        decisions = draft.fields.filter { !$0.isComment && $0.constant == nil }.map {
            Decision(field: $0.name, source: $0.source, evidence: $0.evidence)
        }
        questions = draft.questions
        personal = draft.personal
        otherCount = draft.others.count
        hasRules = !draft.ownValues.isEmpty
        self.trial = trial
    }

    /// The status the command ends with.
    public var status: ExitStatus {
        if case .failed(let failure, _) = trial { return failure.status }
        return questions.isEmpty ? .published : .publishedWithWarnings
    }

    /// `trips.csv: 8 records of 6 columns, divided by commas, utf-8, header in line 1`.
    private static func looked(_ exports: SampledExports) -> String {
        let shape = exports.shape
        var parts = [
            Counted.text(exports.table.recordCount, "record") + " of "
                + Counted.text(shape.names.count, "column"),
            "divided by " + shape.delimiterWords,
            shape.dialect.encoding.word + (exports.hasCompressed ? " in gzip" : ""),
        ]
        switch shape.header {
        case .named: parts.append("header in line \(shape.preambleLineCount + 1)")
        case .missing: parts.append("no header")
        case .replaced(let reason): parts.append("the header cannot be used: \(reason)")
        }
        if !exports.isWhole { parts.append("of the beginning alone") }
        let blanks = exports.table.blankCount
        if blanks > 0 {
            parts.append("\(Counted.text(blanks, "line")) \(blanks == 1 ? "has" : "have") no value")
        }
        let rejects = exports.table.rejectCount
        if rejects > 0 {
            parts.append(
                "\(Counted.text(rejects, "line")) \(rejects == 1 ? "is" : "are") no record"
            )
        }
        if exports.strayLineCount > 0 {
            parts.append("\(Counted.text(exports.strayLineCount, "line")) in another encoding")
        }
        let files =
            exports.paths.count == 1
            ? UnseenCharacters.named(in: ExportNames.fileName(exports.paths[0]))
            : Counted.text(exports.paths.count, "file")
        return files + ": " + parts.joined(separator: ", ")
    }
}
