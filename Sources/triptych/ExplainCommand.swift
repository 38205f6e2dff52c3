import ArgumentParser
import TripReports
import TripRuns
import TripText

/// `triptych explain TRIP`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Why a trip is in-house, contracted or undetermined.",
        discussion: """
            Shows the deciding rule with its sentence, each condition with its value and where the \
            value comes from, what would decide next, and the record the trip was read from.

            Examples:
              triptych explain SYN-100293406
              triptych explain SYN-100293406 --all
              triptych explain SYN-100293406 --plan 7c1e
            """
    )

    @Argument(help: "A trip id or a trip ref.")
    var trip: String

    @Flag(help: "Show every rule before the deciding one with its conditions.")
    var all = false

    @Option(help: "Explain by a saved plan: its file, or the first digits of its name.")
    var plan: String?

    @Option(help: "Explain in this generation; its trips must still be kept.")
    var at: Int?

    @OptionGroup var mart: MartOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        guard plan == nil || at == nil else {
            throw ValidationError("A plan already names its generation: give no --at.")
        }
    }

    func run() throws {
        let decision =
            plan.map { .plan($0) } ?? at.map { .generation($0) } ?? ExplainedDecision.served
        try CommandEnding.answering(mart) { queries in
            let screen = ExplainScreen(try queries.explain(trip, by: decision))
            try format.show { try screen.text($0, showsAll: all, on: $1) }
        }
    }
}
