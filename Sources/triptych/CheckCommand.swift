import ArgumentParser
import TripRuns

/// `triptych check PIPELINE`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for faults in a pipeline before it runs.",
        discussion: """
            Reads the pipeline and its reference files, checks names and types, runs the rules' \
            examples, and looks for rules that can never decide. Ends with 15 where faults were \
            found. --sql prints the SELECT to try a rule's text in the sqlite3 shell.
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @Option(help: "Reference files. [env: TRIPTYCH_REFERENCE] (default: data/reference)")
    var reference: String?

    @Flag(help: "Print the SELECT with all joins, for the sqlite3 shell.")
    var sql = false

    @OptionGroup var format: FormatOptions

    func run() throws {
        let folder = reference ?? Environment.text("REFERENCE") ?? "data/reference"
        try CommandEnding.catching {
            let check = PipelineCheck(pipelinePath: pipeline, referencePath: folder)
            if sql {
                Output.line(try check.sql(), to: .standardOutput)
                return
            }
            let findings = try check.findings()
            Output.line(findings.text(format.chosen), to: .standardOutput)
            if findings.hasFaults { throw CommandEnding(status: .faultsFound) }
        }
    }
}
