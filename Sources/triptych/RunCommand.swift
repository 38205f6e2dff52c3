import ArgumentParser
import TripDomain
import TripReports
import TripRuns

/// `triptych run PIPELINE`.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Read new exports, classify, aggregate, check and publish.",
        discussion: """
            Nothing is published unless everything balances; if anything fails, the served \
            generation stays as it is. One line on stdout tells the result; details are on stderr.

            Examples:
              triptych run pipelines/ambulance
              triptych run pipelines/ambulance --dry-run
              triptych run pipelines/ambulance --skip claims_20261110.csv
              triptych run pipelines/minimal --mart data/mart/mine --input my/exports
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @OptionGroup var mart: MartOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var reference: ReferenceOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Rebuild from all known files even where nothing is new.")
    var full = false

    @Flag(help: "Run up to the checks, print what would be published, write nothing.")
    var dryRun = false

    @Flag(help: "Publish edits of rules and reference files instead of holding them.")
    var applyChanges = false

    @OptionGroup var approval: ApprovalOptions

    @Option(
        name: .customLong("skip"),
        help: """
            Do not read this file, named by its path below the input folder; trips of it that were \
            published before still count. May be given several times.
            """
    )
    var skips: [String] = []

    @Option(
        name: .customLong("include"),
        help: """
            Read a file again that a rollback left out, named by its path; `all` names every such \
            file. May be given several times.
            """
    )
    var includes: [String] = []

    @Option(
        name: .customLong("accept-smaller"),
        help: """
            Take this new file although it has no record, or far fewer items or dollars than the \
            content it replaces; named by its path below the input folder. May be given several \
            times.
            """
    )
    var acceptedFiles: [String] = []

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard approval.approvedBy == nil || applyChanges else {
            throw ValidationError(
                "--approved-by needs --apply-changes: without it no edit is published."
            )
        }
    }

    func run() throws {
        var options = work.runOptions(
            mart,
            pipeline: pipeline,
            reference: reference.path,
            input: input.path
        )
        options.isFull = full
        options.isDryRun = dryRun
        options.appliesChanges = applyChanges
        options.skippedFiles = skips
        options.includedFiles = includes
        options.acceptedFiles = acceptedFiles
        approval.name(in: &options)
        let session = RunSession(
            options: options,
            command: "run \(ShellWord.quoted(pipeline))",
            output: RunScreens(),
            progress: log.progress
        )
        let ending = session.perform()
        throw log.ending(ending, work)
    }
}
