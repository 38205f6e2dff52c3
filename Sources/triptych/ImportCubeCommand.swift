import ArgumentParser
import TripReports
import TripRuns

/// `triptych import-cube`.
struct ImportCubeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-cube",
        abstract: "Publish the numbers that the machines of a cluster added up.",
        discussion: """
            Reads the reports of every file of a plan and of every part of the shuffle, and refuses \
            them where one is missing or where they do not account for everything that was read. \
            Then it checks, recounts and publishes as a run does. The trips stay where the cluster \
            wrote them. Results that are served already are not published again.

            Examples:
              triptych import-cube --plan plan.json --results results --trips s3://trips/2026
              triptych import-cube --plan plan.json --results results --trips out --dry-run
            """
    )

    @Option(help: "The plan of the job, as `triptych shard plan` wrote it.")
    var plan: String

    @Option(help: "The folder of the reports and cells of the job.")
    var results: String

    @Option(help: "The folder of Parquet files with the trips: a path or a URI.")
    var trips: String

    @Flag(help: "Do everything up to the checks, print what would be published, write nothing.")
    var dryRun = false

    @Option(
        name: .customLong("include"),
        help: """
            Publish a file that a rollback left out, named by its path; `all` names every such \
            file. May be given several times.
            """
    )
    var includes: [String] = []

    @OptionGroup var approval: ApprovalOptions
    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions

    @OptionGroup var log: LogOptions

    func run() throws {
        var options = work.runOptions(mart)
        options.isFull = true
        options.isDryRun = dryRun
        options.includedFiles = includes
        approval.name(in: &options)
        let session = RunSession(
            importing: CubeImport.Source(planPath: plan, resultsPath: results, trips: trips),
            options: options,
            command: "import-cube",
            output: RunScreens(),
            progress: log.progress
        )
        throw log.ending(session.perform(), work)
    }
}
