import ArgumentParser
import TripDomain
import TripReports
import TripRuns
import TripText

/// `triptych report NAME`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Render a report of the served generation as HTML and CSV.",
        discussion: """
            Examples:
              triptych report
              triptych report monthly-in-house --out /srv/reports
            """
    )

    @Argument(help: "The report: the name of a folder below --reports.")
    var name = "monthly-in-house"

    @Option(help: "The folder of report definitions.")
    var reports = "reports"

    @Option(help: "The folder to write to. (default: out/ in the folder of reports)")
    var out: String?

    @OptionGroup var mart: MartOptions

    func run() throws {
        try CommandEnding.answering(mart) { queries in
            let report = ReportFiles(
                name,
                reportsFolder: reports,
                outFolder: out ?? reports + "/out"
            )
            for file in try report.write(queries) {
                Output.line(UnseenCharacters.named(in: file), to: .standardOutput)
            }
        }
    }
}
