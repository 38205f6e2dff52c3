import ArgumentParser
import TripReports
import TripRuns

/// `triptych report NAME`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Render a report of the served generation as HTML and CSV."
    )

    @Argument(help: "The report: the name of a folder below --reports.")
    var name = "monthly-in-house"

    @Option(help: "The folder of report definitions.")
    var reports = "reports"

    @Option(help: "The folder to write to. (default: out/ in the folder of reports)")
    var out: String?

    @OptionGroup var mart: MartOptions

    func run() throws {
        try CommandEnding.catching {
            let report = ReportFiles(
                name,
                reportsFolder: reports,
                outFolder: out ?? reports + "/out"
            )
            for file in try report.write(mart.queries) { Output.line(file, to: .standardOutput) }
        }
    }
}
