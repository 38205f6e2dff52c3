import ArgumentParser
import TripRuns

/// `triptych resolve`: one part of the shuffle of a divided run.
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Decide which versions of trips are accepted, in one part of a divided run.",
        discussion: """
            Reads the versions frames of one part on standard input, in any order: all rows of \
            each trip that is in it. Writes frames: the cells, the versions that are set aside, \
            and a report; docs/SHARDS.md has the form. It needs no key: trips are compared by \
            their references and digests.

            Example:
              triptych resolve --plan plan.json --files files.json - <part.frames >part.out
            """
    )

    @OptionGroup var plan: PlanOptions

    @Option(help: "Which files are in force, as shard files wrote it.")
    var files: String

    @OptionGroup var threading: ThreadOptions
    @OptionGroup var pipe: PipeOptions

    func run() throws {
        try CommandEnding.catching {
            try ShardWork.resolve(
                plan: plan.plan,
                files: files,
                threadCount: threading.count
            )
        }
    }
}
