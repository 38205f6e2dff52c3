import ArgumentParser
import TripReports
import TripRuns

/// `triptych rollback GENERATION`.
struct RollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Publish an older generation again, and leave out what came after it.",
        discussion: """
            Publishes the older content under a new number. Exports that came after it are left \
            out from then on, and every run names them, until `run --include FILE` takes one in \
            again; edits of rules and reference files that came after it are held until they are \
            published. Nothing is lost: the exports stay in the archive, and the numbers in the \
            history.

            Examples:
              triptych rollback 417
              triptych run pipelines/ambulance --include claims_20261110.csv
            """
    )

    @Argument(help: "The number of the generation to go back to.")
    var generation: Int

    @OptionGroup var approval: ApprovalOptions
    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions

    @OptionGroup var log: LogOptions

    func run() throws {
        var options = work.runOptions(mart)
        approval.name(in: &options)
        let session = RunSession(
            rollingBack: options,
            to: generation,
            command: "rollback \(generation)",
            output: RunScreens(),
            progress: log.progress
        )
        throw log.ending(session.perform(), work)
    }
}
