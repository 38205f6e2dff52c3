import ArgumentParser
import TripRuns

/// `triptych check PIPELINE`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Look for faults in a pipeline before it runs, and hold its rules against real trips.",
        discussion: """
            Reads the pipeline and its reference files, checks names and types, runs the rules' \
            examples, and looks for rules that can never decide, trips that none decides, rules that \
            contradict each other, and for changes of the rules that no example would notice: a rule, a \
            condition, a branch of an OR, a value of a list or a day taken out, two neighbours \
            exchanged. Ends with 15 where faults were found.

            Where --mart names a mart, the rules of the folder are held against the trips it serves: \
            what each rule decides in trips and dollars, and what changes class without it; which rules \
            hold together though their classes differ; which neighbours cannot change places; rules that \
            decided nothing; and how many trips look-ups have no row for (--show-keys lists the keys: they are \
            what exports say, and may name a person). Nothing is published.

            --sql prints the SELECT to try a rule's text in the sqlite3 shell.
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @Flag(help: "Print the SELECT with all joins, for the sqlite3 shell.")
    var sql = false

    @Flag(help: "With --mart: list keys that look-ups have no row for, as the exports have them.")
    var showKeys = false

    @OptionGroup var mart: MartOptions
    @OptionGroup var reference: ReferenceOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let progress = Progress(isShown: Output.isTerminal(.standardError))
        try CommandEnding.catching {
            let check = PipelineCheck(
                options: work.runOptions(
                    mart,
                    pipeline: pipeline,
                    reference: reference.path
                ),
                examinesTrips: mart.isNamed,
                showsKeys: showKeys,
                progress: progress
            )
            if sql {
                Output.line(try check.sql(), to: .standardOutput)
                return
            }
            let findings = try check.findings()
            Output.line(findings.text(format.chosen), to: .standardOutput)
            if findings.hasFaults { throw CommandEnding(status: .faultsFound) }
            // Who names a mart in this very command wants its trips; the environment names it for all commands.
            if let refusal = findings.refusal, mart.mart != nil {
                throw CommandEnding(failure: refusal)
            }
        }
    }
}
