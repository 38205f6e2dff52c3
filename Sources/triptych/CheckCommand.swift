import ArgumentParser
import TripReports
import TripRuns
import TripText

/// `triptych check PIPELINE`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Check a pipeline for faults before it runs, and test its rules on published trips.",
        discussion: """
            Reads the pipeline and its reference files, checks names and types, and runs the \
            rules' examples. Reports rules that can never decide, trips that no rule decides, \
            rules that contradict each other, and changes of the rules that no example would \
            notice: a rule, a condition, a branch of an OR, a value of a list or a date removed, \
            or two neighbouring rules exchanged; --notes lists these changes. All faults are shown \
            at once. Exits with 15 where it finds faults.

            Where --mart names a mart, the rules of the folder are also applied to the published \
            trips: the trips and dollars each rule decides, and what changes class without it; \
            rules that hold for the same trips though their classes differ; neighbouring rules \
            that cannot be exchanged; rules that decided nothing; and how many trips each look-up \
            has no row for. --show-keys lists those keys: they are values from the exports, and \
            may name a person. Nothing is published. A mart without a \
            generation has no trips to test on: that is a note.

            --sql prints a SELECT into which a rule's text can be pasted in the sqlite3 shell.

            Examples:
              triptych check pipelines/ambulance
              triptych check pipelines/ambulance --mart data/mart/demo
              triptych check pipelines/ambulance --format json
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @Flag(help: "Print the SELECT with all joins, for the sqlite3 shell.")
    var sql = false

    @Flag(help: "With --mart: list the keys that look-ups have no row for, as exported.")
    var showKeys = false

    @Flag(help: "List the changes of the rules that no example notices.")
    var notes = false

    @OptionGroup var mart: MartOptions
    @OptionGroup var reference: ReferenceOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let progress = LogOptions.terminalProgress
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
                Output.line(RuleSQL.select(try check.compile()), to: .standardOutput)
                return
            }
            let findings = try check.findings()
            format.show { FindingsScreen(findings).text($0, on: $1, listsNotes: notes) }
            if findings.hasFaults { throw CommandEnding(status: .faultsFound) }
            // TRIPTYCH_MART names the mart for every command, so only --mart asks for its trips
            // here. Before the first publication there are none, and the rest was checked.
            if let refusal = findings.refusal, mart.mart != nil, !findings.isUnpublished {
                throw CommandEnding(failure: refusal)
            }
        }
    }
}
