import ArgumentParser
import TripRuns

/// `triptych resolve`: one part of the shuffle of a divided run.
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Decide which versions of trips are accepted, in one part of a divided run.",
        discussion: """
            Reads the versions frames of one part on standard input, in any order: all rows of \
            each trip that is in it, and of no other. A trip belongs to the part of the first four \
            bytes of its reference, little-endian, modulo the number of parts. Writes frames: the cells, the versions that are set aside, \
            and a report; docs/SHARDS.md has the form. It needs no key: trips are compared by \
            their references and digests.

            Example:
              triptych resolve --plan p.json --files f.json --part 0 --parts 4 - <in >out
            """
    )

    @OptionGroup var plan: PlanOptions

    @Option(help: "Which files are in force, as shard files wrote it.")
    var files: String

    @Option(help: "The index of the part, from 0.")
    var part: Int

    @Option(help: "The number of all parts.")
    var parts: Int

    @OptionGroup var threading: ThreadOptions
    @OptionGroup var pipe: PipeOptions

    func run() throws {
        try CommandEnding.catching {
            try ShardWork.resolve(
                plan: plan.plan,
                files: files,
                part: part,
                of: parts,
                threadCount: threading.count
            )
        }
    }
}
