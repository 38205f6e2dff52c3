import ArgumentParser
import TripRuns

/// `triptych explain TRIP`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Why a trip is in-house, contracted or undetermined."
    )

    @Argument(help: "A trip id or a trip ref.")
    var trip: String

    @Flag(help: "Show every rule before the deciding one with its conditions.")
    var all = false

    @OptionGroup var mart: MartOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        try CommandEnding.catching {
            let text = try mart.queries.explain(trip, showsAll: all, format: format.chosen)
            Output.line(text, to: .standardOutput)
        }
    }
}
