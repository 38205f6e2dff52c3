import ArgumentParser
import TripRuns

/// `triptych rollback GENERATION`.
struct RollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Publish an older generation once more, and hold what came after it.",
        discussion: """
            Publishes a new number with the older content. Exports that came after it are left out from \
            then on, and named by every run, until `run --include FILE` takes one in again; edits of \
            rules and reference files that came after it are held until somebody publishes them. Nothing \
            is lost: what is left out stays in the archive, and its numbers in history.
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
        let session = NightSession(
            rollingBack: options,
            to: generation,
            command: "rollback \(generation)",
            progress: log.progress
        )
        throw log.ending(session.perform(), work)
    }
}
