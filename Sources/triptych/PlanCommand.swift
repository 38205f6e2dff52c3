import ArgumentParser
import TripReports
import TripRuns
import TripText

/// `triptych plan PIPELINE`.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "Preview what edits of rules and reference files would change.",
        discussion: """
            Classifies all stored trips by the folder as it is and compares: trips, in-house % and \
            cost, the regions and months that change, and which rule decides instead of which. \
            Nothing is published: the plan is saved in the mart's folder of plans, for `reclassify \
            --plan`. Edits of how exports are read need the exports; they are refused, and the \
            message names the command to use.

            Examples:
              triptych plan pipelines/ambulance
              triptych explain TRIP --plan ID
              triptych reclassify --plan ID
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @Flag(help: "Show the plan and save nothing.")
    var noSave = false

    @OptionGroup var author: AuthorOptions
    @OptionGroup var mart: MartOptions
    @OptionGroup var reference: ReferenceOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        var options = work.runOptions(
            mart,
            pipeline: pipeline,
            reference: reference.path
        )
        options.madeBy = author.name
        let progress = LogOptions.terminalProgress
        try CommandEnding.catching {
            let planning = Planning(options: options, progress: progress)
            let answer = try planning.answer(isSaved: !noSave)
            format.show(PlanScreen(answer).text)
            if let unsaved = answer.unsaved { throw unsaved }
        }
    }
}
