import ArgumentParser
import TripRuns

/// `triptych runs list|show`.
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "What ran, when, and how it ended.",
        subcommands: [List.self, Show.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Runs, newest first.")

        @Option(help: "How many at most.")
        var limit = 20

        @OptionGroup var mart: MartOptions
        @OptionGroup var format: FormatOptions

        func validate() throws {
            try LineLimit.check(limit)
        }

        func run() throws {
            try CommandEnding.catching {
                let text = try mart.queries.runs(limit: limit, format: format.chosen)
                Output.line(text, to: .standardOutput)
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Everything a run printed.")

        @Argument(help: "The run's number, from `runs list`.")
        var number: Int

        @OptionGroup var mart: MartOptions

        func run() throws {
            try CommandEnding.catching {
                Output.line(try mart.queries.run(number), to: .standardOutput)
            }
        }
    }
}
