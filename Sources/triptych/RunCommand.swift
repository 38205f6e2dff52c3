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

    @Option(help: "text or json: the form of the details on stderr.")
    var logFormat: LogFormat = .text

    func validate() throws {
        guard approval.approvedBy == nil || applyChanges else {
            throw ValidationError(
                "--approved-by goes with --apply-changes: without it no edit is published."
            )
        }
    }

    func run() throws {
        var options = work.runOptions(
            pipeline,
            mart,
            input: input ?? Environment.text("INPUT") ?? "data/landing"
        )
        options.isFull = full
        options.isDryRun = dryRun
        options.appliesChanges = applyChanges
        options.skippedFiles = skips
        options.includedFiles = includes
        approval.name(in: &options)
        let progress = Progress(
            isShown: Output.isTerminal(.standardError) && logFormat == .text
        )
        let session = NightSession(
            options: options,
            command: "run \(pipeline)",
            progress: progress
        )
        let ending = session.perform()
        throw CommandEnding(ending, logFormat: logFormat, now: work.nowSeconds)
    }
}

/// The form of the details on stderr.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}
