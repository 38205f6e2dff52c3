import ArgumentParser
import TripDomain
import TripMart
import TripReports
import TripRuns
import TripText

/// `triptych trips`.
struct TripsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "The newest trips of the served generation.",
        discussion: """
            Trips that do not count, such as cancelled ones, are listed as well, and marked.

            Examples:
              triptych trips --month 2026-10 --region 08
              triptych trips --class undetermined --limit 100 --format csv
            """
    )

    @OptionGroup var filter: FilterOptions

    @Option(name: .customLong("class"), help: "in_house, contracted or undetermined.")
    var tripClass: String?

    @Option(help: "The maximum number of trips.")
    var limit = 20

    @OptionGroup var mart: MartOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        try LineLimit.check(limit)
        if let tripClass { _ = try KnownWords.tripClass(tripClass) }
    }

    func run() throws {
        let trips = TripFilter(
            months: filter.months,
            tripTypes: filter.tripType,
            regions: filter.region,
            tripClass: tripClass.flatMap(TripClass.init(word:))
        )
        try CommandEnding.answering(mart) { queries in
            let screen = TripsScreen(try queries.trips(trips, limit: limit))
            format.show(screen.text, cut: screen.cut)
        }
    }
}
