import ArgumentParser
import TripRuns

/// `triptych run PIPELINE`.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Take in what is new, classify, add up, check, publish.",
        discussion: """
            Nothing is published unless everything balances; whatever goes wrong, the generation \
            that is served stays as it is. One line on stdout says what happened, details are on \
            stderr.
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @OptionGroup var mart: MartOptions
    @Option(help: "Base of the file patterns. [env: TRIPTYCH_INPUT] (default: data/landing)")
    var input: String?

    @OptionGroup var reference: ReferenceOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Rebuild from all known files even where nothing is new.")
    var full = false

    @Flag(help: "Do everything up to the checks, print what would be published, write nothing.")
    var dryRun = false

    @Flag(help: "Publish edits of rules and reference files that would be held.")
    var applyChanges = false

    @OptionGroup var approval: ApprovalOptions

    @Option(
        name: .customLong("skip"),
        help: """
            Do not take this file in from the input folder, by its path below it; what was published \
            of it before still counts. May be given several times.
            """
    )
    var skips: [String] = []

    @Option(
        name: .customLong("include"),
        help: """
            Take in a file that a rollback left out, by its path; `all` stands for every such file. May \
            be given several times.
            """
    )
    var includes: [String] = []

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard approval.approvedBy == nil || applyChanges else {
            throw ValidationError(
                "--approved-by goes with --apply-changes: without it no edit is published."
            )
        }
    }

    func run() throws {
        var options = work.runOptions(
            mart,
            pipeline: pipeline,
            reference: reference.path,
            input: input ?? Environment.text("INPUT") ?? "data/landing"
        )
        options.isFull = full
        options.isDryRun = dryRun
        options.appliesChanges = applyChanges
        options.skippedFiles = skips
        options.includedFiles = includes
        approval.name(in: &options)
        let session = NightSession(
            options: options,
            command: "run \(pipeline)",
            progress: log.progress
        )
        let ending = session.perform()
        throw log.ending(ending, work)
    }
}
