import ArgumentParser
import Glibc
import TripMart
import TripReports
import TripRuns
import TripText

/// `triptych runs list|show|work`.
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "The runs, when they ran, and how they ended.",
        discussion: """
            Examples:
              triptych runs
              triptych runs show 12
              triptych runs work pipelines/ambulance
            """,
        subcommands: [List.self, Show.self, Work.self],
        defaultSubcommand: List.self
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs, newest first.",
            discussion: """
                Times are those of the served pipeline's zone, as in other answers; JSON and CSV \
                have them in UTC.

                Examples:
                  triptych runs list
                  triptych runs list --limit 100 --format csv
                """
        )

        @Option(help: "The maximum number of runs.")
        var limit = 20

        @OptionGroup var mart: MartOptions
        @OptionGroup var format: FormatOptions

        func validate() throws {
            try LineLimit.check(limit)
        }

        func run() throws {
            try CommandEnding.catching {
                let screen = RunsScreen(try mart.queries.runs(limit: limit))
                format.show(screen.text, cut: screen.cut)
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Everything a run printed.",
            discussion: """
                Examples:
                  triptych runs show 12
                """
        )

        @Argument(help: "The run's number, from `runs list`.")
        var number: Int

        @OptionGroup var mart: MartOptions
        @OptionGroup var shown: ScreenOptions

        func run() throws {
            try CommandEnding.catching {
                shown.show(RunsScreen(try mart.queries.run(number)).details)
            }
        }
    }

    struct Work: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Carry out the reclassifications requested through the server.",
            discussion: """
                Carries out one request after the other, as `triptych reclassify PIPELINE --yes` \
                would, or with --plan where the request names a plan, and ends when none waits; \
                with --watch it waits for more, and the server can tell that it does. If another process already carries requests out, \
                it does nothing. The result of each stands in the list of runs, and with the \
                request in the mart's queue/, where the server reads it.

                Examples:
                  triptych runs work pipelines/ambulance
                  triptych runs work pipelines/ambulance --watch
                """
        )

        @Argument(help: "The pipeline folder, or a pipeline file.")
        var pipeline: String

        @Flag(help: "Wait for more requests, until stopped.")
        var watch = false

        @Option(
            help: ArgumentHelp(
                "End when this process is no longer the parent.",
                visibility: .hidden
            )
        )
        var parent: Int32?

        @OptionGroup var mart: MartOptions
        @OptionGroup var reference: ReferenceOptions
        @OptionGroup var work: WorkOptions
        @OptionGroup var log: LogOptions

        /// How often it checks for more requests.
        private static let watchMicroseconds: UInt32 = 500_000

        func run() throws {
            let worker = QueueWorker(
                options: work.runOptions(mart, pipeline: pipeline, reference: reference.path),
                output: RunScreens(),
                watch: log.isProgressShown ? Terminal.bar : nil,
                now: { work.nowSeconds },
                pause: {
                    usleep(Self.watchMicroseconds)
                    return isWanted
                }
            ) { run, ending in
                Output.line("\(run.id.prefix(8)) | \(ending.text.summary)", to: .standardOutput)
            }
            try CommandEnding.catching {
                guard watch else {
                    let count = try worker.perform()
                    if count != 1 { Output.line(Self.text(count), to: .standardOutput) }
                    return
                }
                // Held from one request to the next, so that the server can tell.
                var ready: RunQueue.Worker?
                repeat {
                    if ready == nil { ready = try worker.standReady() }
                    if let ready { _ = try worker.perform(ready) }
                    usleep(Self.watchMicroseconds)
                } while isWanted
            }
        }

        private var isWanted: Bool { parent ?? getppid() == getppid() }

        private static func text(_ count: Int?) -> String {
            guard let count else { return "NOTHING TO DO | another process carries requests out" }
            return count == 0 ? "NOTHING TO DO | no request waits" : "DONE | \(count) requests"
        }
    }
}
