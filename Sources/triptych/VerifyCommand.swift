import ArgumentParser
import TripRuns

/// `triptych verify [GENERATION]`.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Build a generation once more from its exports and inputs, and compare.",
        discussion: """
            Reads every export that the generation was made from out of the mart's archive, decides all \
            trips by the rules and reference files that the generation keeps, writes the result beside \
            the mart's generations and compares it row by row with what was published; sealed values are \
            opened and compared. Exit 13 where anything differs. Nothing is published, nothing in the \
            mart changes, and nights go on meanwhile. Needs as much disk as the generation takes. Of a \
            generation whose trips are no longer kept, what is kept for good is compared. What is left out \
            stands in docs/SCHEMA.md.
            """
    )

    @Argument(help: "The number of the generation. (default: the served one)")
    var generation: Int?

    @Option(help: "The folder in which it is built. (default: a folder in the mart)")
    var scratch: String?

    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions

    @OptionGroup var log: LogOptions

    func run() throws {
        let options = work.runOptions(mart)
        let ending = Verification(
            options: options,
            generation: generation,
            scratch: scratch,
            progress: log.progress
        ).ending()
        throw log.ending(ending, work)
    }
}
