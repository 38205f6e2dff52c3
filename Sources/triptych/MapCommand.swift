import ArgumentParser
import TripRuns
import TripText

/// `triptych map`: one task of a divided run.
struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Read one file of a divided run from a pipe, and write its rows as frames.",
        discussion: """
            Reads the bytes of one file of the plan on standard input, plain or gzip as they are, \
            and classifies its trips as a run does. Writes frames: rows to shuffle, rows to keep, \
            rejects and a report; docs/SHARDS.md has the form. A file that a run refuses gives a \
            report that says so, and status 0.

            Example:
              triptych map --plan plan.json --file 0 --key-file mart.key - <a.csv.gz >a.frames
            """
    )

    @OptionGroup var plan: PlanOptions

    @Option(help: "The file's index in the plan.")
    var file: Int

    @OptionGroup var key: TaskKeyOptions
    @OptionGroup var threading: ThreadOptions
    @OptionGroup var pipe: PipeOptions

    func run() throws {
        let keyPath = try key.path
        try CommandEnding.catching {
            try ShardWork.map(
                plan: plan.plan,
                file: file,
                keyPath: keyPath,
                threadCount: threading.count
            )
        }
    }
}

/// The plan of a task.
struct PlanOptions: ParsableArguments {
    @Option(help: "The plan, as shard plan wrote it.")
    var plan: String
}

/// The key file of a task, which knows no mart.
struct TaskKeyOptions: ParsableArguments {
    @Option(help: "The mart's key file, such as /proc/self/fd/3. [env: TRIPTYCH_KEY_FILE]")
    var keyFile: String?

    var path: String {
        get throws {
            guard let path = keyFile ?? Environment.text("KEY_FILE") else {
                throw ValidationError("--key-file is missing: a task has no mart to find it by.")
            }
            return path
        }
    }
}

/// The pipe of a task: the one file that it reads and writes is none.
struct PipeOptions: ParsableArguments {
    @Argument(help: "-, which says that the bytes come on standard input.")
    var input = "-"

    func validate() throws {
        guard input == "-" else {
            throw ValidationError(
                "'\(input)': the bytes come on standard input, as in `triptych map … - <FILE`."
            )
        }
        guard !Output.isTerminal(.standardOutput) else {
            throw ValidationError("Frames are bytes for a program: send standard output to one.")
        }
    }
}
