import ArgumentParser
import TripReports
import TripRuns

/// `triptych verify [GENERATION]`.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Rebuild a generation from its exports and inputs, and compare it.",
        discussion: """
            Reads every export of the generation from the mart's archive, classifies all trips by \
            the rules and reference files that the generation keeps, writes the result to a \
            separate folder and compares it row by row with what was published; sealed values are \
            opened and compared. Exits with 13 where anything differs. Nothing is published, \
            nothing in the mart changes, and runs can publish meanwhile. Needs as much disk space \
            as the generation takes. If the trips of a generation are no longer kept, the files \
            that are kept for good are compared. docs/SCHEMA.md lists what is not compared.

            Examples:
              triptych verify
              triptych verify 417 --scratch /var/tmp
            """
    )

    @Argument(help: "The number of the generation. (default: the served one)")
    var generation: Int?

    @Option(help: "The folder in which it is rebuilt. (default: a folder in the mart)")
    var scratch: String?

    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions

    @OptionGroup var log: LogOptions

    func run() throws {
        let options = work.runOptions(mart)
        let verification = Verification(
            options: options,
            generation: generation,
            scratch: scratch,
            progress: log.progress
        )
        throw log.ending(VerificationScreen.ending(of: verification, options), work)
    }
}
