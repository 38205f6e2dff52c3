import ArgumentParser
import TripReports
import TripRuns
import TripText

/// `triptych shard`: what the driver of a divided run asks for.
struct ShardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shard",
        abstract: "Plan a run that a cluster divides, and decide which of its files are in force.",
        discussion: """
            A divided run is a full rebuild over a list of files: shard plan, then map for each \
            file, shard files, resolve for each part, and import-cube. docs/SHARDS.md describes \
            the files and streams between them.
            """,
        subcommands: [Plan.self, Files.self]
    )
}

extension ShardCommand {
    /// `triptych shard plan PIPELINE`.
    struct Plan: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plan",
            abstract: "Plan a divided run from a list of files.",
            discussion: """
                Reads no export: names, sizes and the mart decide which source claims a file, which is \
                later, and which are refused. Writes the plan with the texts of the pipeline and its \
                reference files; keep it as private as these. Makes a key file where the mart has no \
                generation and there is none. Ends with 10 where a file is refused or left aside.

                Examples:
                  triptych shard plan pipelines/ambulance --files list.jsonl --out plan.json
                  echo '{"path": "claims.csv", "size": 4711}' |
                      triptych shard plan pipelines/ambulance --files - --out plan.json
                """
        )

        @Argument(help: "The pipeline folder, or a pipeline file.")
        var pipeline: String

        @Option(help: "The list of files, a JSON object on each line; - reads standard input.")
        var files: String

        @Option(help: "Where the plan goes.")
        var out: String

        @OptionGroup var mart: MartOptions
        @OptionGroup var reference: ReferenceOptions
        @OptionGroup var work: WorkOptions

        @Flag(help: "Take edits of rules and reference files that the mart has not published.")
        var applyChanges = false

        @Flag(help: "The job publishes nothing: its edits need no approver yet.")
        var dryRun = false

        @OptionGroup var approval: ApprovalOptions

        @Option(
            name: .customLong("skip"),
            help:
                "Do not read this file, named by its path in the list. May be given several times."
        )
        var skips: [String] = []

        @Option(
            name: .customLong("accept-smaller"),
            help: """
                Take this file although it has no record, or far fewer items or dollars than the one \
                it replaces; named by its path in the list. May be given several times.
                """
        )
        var acceptedFiles: [String] = []

        func run() throws {
            try CommandEnding.catching {
                var options = work.runOptions(mart, pipeline: pipeline, reference: reference.path)
                options.appliesChanges = applyChanges
                options.isDryRun = dryRun
                approval.name(in: &options)
                options.skippedFiles = skips
                options.acceptedFiles = acceptedFiles
                let planned = try ShardWork.plan(options, list: files, to: out)
                try ShardEnding.show(ShardScreen.lines(of: planned))
            }
        }
    }

    /// `triptych shard files`.
    struct Files: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "files",
            abstract: "Decide which files of a divided run are in force.",
            discussion: """
                Reads the report and the rejects of every file of the plan, as map wrote them to \
                file-NNNNN.report.json and file-NNNNN.rejects.jsonl. A refused file leaves the one \
                before it in force. Ends with 10 where a file is refused.

                Example:
                  triptych shard files --plan plan.json --results results --out files.json
                """
        )

        @Option(help: "The plan.")
        var plan: String

        @Option(help: "The folder of the reports and rejects.")
        var results: String

        @Option(help: "Where the decision goes.")
        var out: String

        func run() throws {
            try CommandEnding.catching {
                let decided = try ShardWork.files(plan: plan, results: results, to: out)
                try ShardEnding.show(ShardScreen.lines(of: decided))
            }
        }
    }

    /// The ending of a command of a divided run.
    private enum ShardEnding {
        static func show(_ lines: (line: String, notes: [String], isInDoubt: Bool)) throws {
            Output.line(lines.line, to: .standardOutput)
            guard lines.isInDoubt || !lines.notes.isEmpty else { return }
            throw CommandEnding(
                status: lines.isInDoubt ? .publishedWithWarnings : .published,
                details: lines.notes
            )
        }
    }
}
