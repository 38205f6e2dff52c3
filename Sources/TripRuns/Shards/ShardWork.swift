import Glibc
import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripText

/// The commands of a divided run.
public enum ShardWork {
    /// What a plan says, for people.
    public struct Planned: Sendable {
        /// The pipeline's name.
        public let pipeline: String
        /// The number of files to read, and their bytes.
        public let fileCount: Int
        /// The sum of their sizes.
        public let size: Int64
        /// Whether versions of trips are compared.
        public let comparesVersions: Bool
        /// Files that are refused for their names, with reason and remedy.
        public let refusals: [(path: String, reason: String, remedy: String)]
        /// Entries that are not read, and why.
        public let unread: [UnreadEntry]
        /// Files that no source claims.
        public let unclaimed: [String]
        /// Where the plan lies.
        public let path: String
    }

    /// Which files are in force, for people.
    public struct Decided: Sendable {
        /// The number of files of the plan, and of those in force.
        public let fileCount: Int
        /// The number of files in force.
        public let inForceCount: Int
        /// Files that are not taken in, with reason and remedy.
        public let refusals: [(path: String, reason: String, remedy: String)]
        /// Where the decision lies.
        public let path: String
    }

    /// Plans a divided run.
    ///
    /// - Parameters:
    ///   - options: The pipeline, the reference files, the mart and its key file, and the files to
    ///     leave out or to accept.
    ///   - list: The path of the list of files; `-` is standard input.
    ///   - path: Where the plan goes.
    /// - Returns: What it says.
    /// - Throws: ``RunError`` where it cannot be made; any error of the folder or the mart.
    public static func plan(_ options: RunOptions, list: String, to path: String) throws -> Planned
    {
        let text = list == "-" ? try standardInput() : try ShardFile.bytes(list)
        let name = list == "-" ? "the list on standard input" : list
        let plan = try ShardPlanning(options).plan(try FileList(text, name: name))
        try ShardFile.write(plan.text, to: path)
        return Planned(
            pipeline: plan.pipeline,
            fileCount: plan.files.count,
            size: plan.files.reduce(0) { $0 + $1.size },
            comparesVersions: plan.comparesVersions,
            refusals: plan.refusals.map { ($0.path, $0.reason, $0.remedy) },
            unread: plan.unread,
            unclaimed: plan.unclaimed,
            path: path
        )
    }

    /// Reads one file from standard input and writes its frames to standard output.
    ///
    /// - Parameters:
    ///   - planPath: The plan.
    ///   - file: The file's index in it.
    ///   - keyPath: The mart's key file.
    ///   - threadCount: Threads to use; the output does not depend on it.
    /// - Throws: What stops a run; a file that a run refuses is reported instead.
    public static func map(
        plan planPath: String,
        file: Int,
        keyPath: String,
        threadCount: Int
    ) throws {
        let plan = try ShardFile.plan(planPath)
        guard plan.files.indices.contains(file) else {
            throw RunError(
                .usage,
                summary: "no such file",
                what: "--file \(file): the plan has the files 0 to \(plan.files.count - 1).",
                remedies: ["Name a file by its index in the plan."]
            )
        }
        let keys = try MartKeys.open(keyFile: keyPath, checkValue: plan.keyCheck)
        try ShardMapping(
            try ShardSetting(plan),
            keys,
            fileIndex: file,
            threadCount: threadCount
        ).perform(from: STDIN_FILENO, to: FrameWriter.sink(to: STDOUT_FILENO))
    }

    /// Decides which files are in force.
    ///
    /// - Parameters:
    ///   - planPath: The plan.
    ///   - folder: Where the reports and rejects of all its files lie.
    ///   - path: Where the decision goes.
    /// - Returns: The decision.
    /// - Throws: ``RunError`` where a report is missing or does not fit, or where generated and
    ///   real exports come together.
    public static func files(
        plan planPath: String,
        results folder: String,
        to path: String
    ) throws -> Decided {
        let setting = try ShardSetting(try ShardFile.plan(planPath))
        let results = ShardResults(folder: folder)
        let reports = try results.reports(setting.plan)
        let rejects = try reports.map { report in
            // Which files are in force depends on no raw record.
            try results.rejects(report).map(\.reject)
        }
        let found = try FilesInForce(setting, reports, rejects: rejects, folder: folder)
        try ShardFile.write(found.decision.text, to: path)
        return Decided(
            fileCount: reports.count,
            inForceCount: found.decision.areInForce.count { $0 },
            refusals: found.decision.refusals.map {
                (setting.plan.files[$0.file].path, $0.reason, $0.remedy)
            },
            path: path
        )
    }

    /// Reads the versions of one part from standard input and writes what becomes of them to
    /// standard output.
    ///
    /// - Parameters:
    ///   - planPath: The plan.
    ///   - filesPath: Which of its files are in force.
    ///   - part: The index of the part.
    ///   - partCount: The number of all parts.
    ///   - threadCount: Threads to use; the output does not depend on it.
    /// - Throws: ``RunError`` where a file or frame does not fit, such as one with a trip of
    ///   another part, or the pipes fail.
    public static func resolve(
        plan planPath: String,
        files filesPath: String,
        part: Int,
        of partCount: Int,
        threadCount: Int
    ) throws {
        let part = try ShardPart(index: part, count: partCount)
        let setting = try ShardSetting(try ShardFile.plan(planPath))
        let files = try ShardFile.read(filesPath) { text throws(JSONFault) in
            try ShardFiles(text)
        }
        try ShardResolution(setting, files, part, threadCount: threadCount).perform(
            from: FrameReader.source(of: STDIN_FILENO),
            to: FrameWriter.sink(to: STDOUT_FILENO)
        )
    }

    private static func standardInput() throws(RunError) -> [UInt8] {
        let source = FrameReader.source(of: STDIN_FILENO)
        var (text, step) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = try step.withUnsafeMutableBufferPointer { buffer throws(RunError) in
                try source(UnsafeMutableRawBufferPointer(buffer))
            }
            text += step[..<count]
            if count < step.count { return text }
        }
    }
}
