import ArgumentParser
import TripDomain
import TripReports
import TripRuns
import TripText

/// `triptych reclassify PIPELINE`.
struct ReclassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reclassify",
        abstract: "Publish edits of rules and reference files by reclassifying stored trips.",
        discussion: """
            With --plan publishes exactly what a saved plan showed, or nothing if one of its \
            inputs has changed. Without --plan it shows the plan and asks; --yes publishes without \
            asking. The new generation holds the trips of the served one, classified again: no \
            export is read, and nothing is published unless everything balances. The result is the \
            one that a run over all exports would publish.

            Examples:
              triptych reclassify --plan 7c1e
              triptych reclassify --plan 7c1e --approved-by 'R. Ortiz'
              triptych reclassify pipelines/ambulance
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file. (default with --plan: the plan's)")
    var pipeline: String?

    @Option(help: "The saved plan to publish: its file, or the first digits of its name.")
    var plan: String?

    @OptionGroup var approval: ApprovalOptions

    @Flag(help: "Publish without asking; the plan is printed on stderr.")
    var yes = false

    @OptionGroup var mart: MartOptions
    @OptionGroup var reference: ReferenceOptions
    @OptionGroup var work: WorkOptions

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard pipeline != nil || plan != nil else {
            throw ValidationError("Name the pipeline, or a saved plan with --plan.")
        }
        guard plan == nil || approval.author.madeBy == nil else {
            throw ValidationError("A plan already names its author: give no --made-by.")
        }
        guard yes || plan != nil || Output.isTerminal(.standardOutput) && Input.isTerminal else {
            throw ValidationError(
                "No terminal to ask at: run `triptych plan` first, then give --plan or --yes."
            )
        }
    }

    func run() throws {
        var agreed: ApprovedPlan?
        try CommandEnding.catching {
            agreed = try plan.map { try ApprovedPlan.open($0, martPath: mart.martPath) }
        }
        var options = work.runOptions(
            mart,
            pipeline: pipeline ?? agreed?.pipelinePath ?? "",
            reference: reference.path
        )
        approval.name(in: &options)
        if let path = agreed?.referencePath, !reference.isNamed { options.referencePath = path }
        if plan == nil, !yes { agreed = try shown(options, log.progress) }
        let session = RunSession(
            reclassifying: options,
            command: plan.map { "reclassify --plan \($0)" }
                ?? "reclassify \(ShellWord.quoted(options.pipelinePath))",
            plan: agreed,
            output: RunScreens(),
            progress: log.progress
        )
        let ending = session.perform()
        throw log.ending(ending, work)
    }

    /// Shows the plan and asks whether to publish it.
    ///
    /// - Returns: The plan that was approved.
    private func shown(_ options: RunOptions, _ progress: Progress) throws -> ApprovedPlan {
        var plan: String?
        try CommandEnding.catching {
            let answer = try Planning(options: options, progress: progress).answerToPublish()
            Terminal.lines(
                [
                    PlanScreen(answer).text(
                        .table,
                        on: Terminal.screen(.standardOutput).withoutWideFlag
                    )
                ],
                to: .standardOutput
            )
            if !answer.hasEdits || Input.confirms("\nPublish plan \(answer.id)? [y/N] ") {
                plan = answer.id
            }
        }
        guard let plan else {
            Output.line("NOTHING PUBLISHED | not approved", to: .standardOutput)
            throw CommandEnding(status: .published)
        }
        return .shown(plan)
    }
}
