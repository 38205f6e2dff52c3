import ArgumentParser
import TripRuns

/// `triptych plan PIPELINE`.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "What edits of rules and reference files would change, before anything is published.",
        discussion: """
            Decides all stored trips by the folder as it is and compares: trips, in-house % and cost, \
            the regions and months that move, and which rule decides instead of which. Nothing is \
            written. Edits of how exports are read need the exports, and are refused with the command \
            to use.
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let options = work.runOptions(pipeline, mart)
        let progress = Progress(isShown: Output.isTerminal(.standardError))
        try CommandEnding.catching {
            let planning = Planning(options: options, progress: progress)
            Output.line(try planning.answer(format.chosen).text, to: .standardOutput)
        }
    }
}
