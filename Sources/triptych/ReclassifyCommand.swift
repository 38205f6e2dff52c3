import ArgumentParser
import TripRuns

/// `triptych reclassify PIPELINE`.
struct ReclassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reclassify",
        abstract: "Publish edits of rules and reference files, from the stored trips.",
        discussion: """
            Shows the plan and asks; --yes publishes it without asking. A new generation is made from \
            the trips of the served one, decided anew: no export is read, and nothing is published \
            unless everything balances. What comes out is what a run over all exports would publish.
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @Flag(help: "Publish without asking; the plan is printed on stderr.")
    var yes = false

    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions

    @Option(help: "text or json: the form of the details on stderr.")
    var logFormat: LogFormat = .text

    func validate() throws {
        guard yes || Output.isTerminal(.standardOutput) && Input.isTerminal else {
            throw ValidationError(
                "There is nobody to ask: look with `triptych plan`, then say --yes."
            )
        }
    }

    func run() throws {
        let options = work.runOptions(pipeline, mart)
        let progress = Progress(
            isShown: Output.isTerminal(.standardError) && logFormat == .text
        )
        let plan = yes ? nil : try agreed(options, progress)
        let session = NightSession(
            reclassifying: options,
            command: "reclassify \(pipeline)",
            plan: plan,
            progress: progress
        )
        let ending = session.perform()
        throw CommandEnding(ending, logFormat: logFormat, now: work.nowSeconds)
    }

    /// Shows the plan and asks whether to publish it.
    ///
    /// - Returns: The plan agreed to.
    private func agreed(_ options: RunOptions, _ progress: Progress) throws -> String {
        var plan: String?
        try CommandEnding.catching {
            let answer = try Planning(options: options, progress: progress).answer(
                .table,
                namesCommand: false
            )
            Output.line(answer.text, to: .standardOutput)
            if !answer.hasEdits || Input.confirms("\nPublish plan \(answer.id)? [y/N] ") {
                plan = answer.id
            }
        }
        guard let plan else {
            Output.line("NOTHING PUBLISHED | not agreed to", to: .standardOutput)
            throw CommandEnding(status: .published)
        }
        return plan
    }
}
