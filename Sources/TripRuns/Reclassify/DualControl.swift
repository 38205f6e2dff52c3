import TripDomain
import TripMart
import TripPipeline

/// The rule of a pipeline that a second person must approve edits before they are published.
struct DualControl {
    /// Whether the pipeline requires one, as published or as edited: an edit that removes the rule
    /// needs the approval once more.
    let isRequired: Bool

    private init(isRequired: Bool) {
        self.isRequired = isRequired
    }

    /// Reads the policy of a generation's inputs and of the folder.
    init(_ kept: PipelineDefinition, _ folder: PipelineDefinition) {
        isRequired = [kept, folder].contains { $0.approval == .dualControl }
    }

    /// Reads the policy of the pipelines of generations.
    init(named inputs: [GenerationInput]) {
        // The word alone is searched, wherever it is: a newer version must not remove the rule.
        let word = PipelineDefinition.ApprovalPolicy.dualControl.rawValue
        isRequired = inputs.contains {
            $0.role == .pipeline && String(decoding: $0.content, as: UTF8.self).contains(word)
        }
    }

    /// Reads the policy of a folder, and of a generation whose inputs can no longer be read.
    ///
    /// - Throws: `MartError` of the generation.
    init(unread served: (any SummaryReading)?, _ folder: PipelineDefinition) throws(MartError) {
        let named = DualControl(named: try served?.inputs() ?? [])
        isRequired = folder.approval == .dualControl || named.isRequired
    }

    /// The same, or required where a rollback left a pipeline that required it: a rollback must not
    /// be a way around the rule.
    ///
    /// - Parameters:
    ///   - exclusions: The exclusions of rollbacks.
    ///   - folder: The mart, which stores the inputs of those generations.
    /// - Returns: Whether a second person is required.
    func with(_ exclusions: [Exclusion], _ folder: MartFolder) -> DualControl {
        guard !isRequired else { return self }
        for number in Set(exclusions.filter { $0.kind == .pipeline }.map(\.generation)).sorted() {
            // Where neither file is left, the rule may have been in force, so it is required.
            let left = try? Rollback.kept(number, folder).inputs(role: .pipeline)
            let person = left.map { DualControl(named: $0) } ?? DualControl(isRequired: true)
            if person.isRequired { return person }
        }
        return self
    }

    /// Refuses to publish a reclassification that no second person has seen as a plan.
    ///
    /// - Parameters:
    ///   - binding: The saved plan that is to be published; nil where there is none.
    ///   - options: The author and the approver.
    /// - Throws: ``RunError`` with code `withheld`.
    func requirePlan(_ binding: PlanBinding?, _ options: RunOptions) throws(RunError) {
        let remedy =
            "Save a plan with `triptych plan \(options.pipelineWords)`; a second person reviews it "
            + "and publishes it: triptych reclassify --plan FILE\(options.martFlags) "
            + "--approved-by NAME"
        guard isRequired else { return }
        guard let binding else {
            throw Self.refusal("The pipeline requires a second person, who needs a plan.", remedy)
        }
        try requireOther(than: binding.madeBy, options, remedy)
    }

    /// Refuses to publish the edits of a run without a second person's approval.
    ///
    /// - Parameters:
    ///   - options: The author and the approver.
    ///   - remedy: What to do where no second person is named.
    /// - Throws: ``RunError`` with code `withheld`.
    func requireApprover(_ options: RunOptions, _ remedy: String) throws(RunError) {
        guard isRequired else { return }
        try requireOther(than: options.madeBy, options, remedy)
    }

    private func requireOther(
        than author: String,
        _ options: RunOptions,
        _ remedy: String
    ) throws(RunError) {
        guard let approver = options.approvedBy else {
            throw Self.refusal("The pipeline requires a second person; none is named.", remedy)
        }
        guard Self.plain(author) != Self.plain(approver) else {
            throw Self.refusal(
                "The pipeline requires a second person; \(approver) is the author.",
                remedy
            )
        }
    }

    /// The author and approver that the generation stores.
    static func approval(_ options: RunOptions, _ binding: PlanBinding?) -> ChangeApproval? {
        guard binding != nil || options.approvedBy != nil else { return nil }
        return ChangeApproval(
            plan: binding?.id,
            madeBy: binding?.madeBy ?? options.madeBy,
            approvedBy: options.approvedBy
        )
    }

    /// A name without differences of case and spaces, since a person may write it in several ways.
    private static func plain(_ name: String) -> [String] {
        name.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func refusal(_ what: String, _ remedy: String) -> RunError {
        RunError(
            .withheld,
            summary: "no second person approved the edits",
            what: what,
            remedies: [remedy]
        )
    }
}

extension RunConfiguration {
    /// Refuses edits of a divided run that no second person has approved.
    ///
    /// - Parameters:
    ///   - options: The author and the approver.
    ///   - served: The generation that is served.
    /// - Throws: ``RunError`` with code `withheld` where the pipeline requires a second person.
    func requireApprover(
        _ options: RunOptions,
        served: (any SummaryReading)?
    ) throws(RunError) {
        guard changesDecisions, served != nil else { return }
        try dualControl.requireApprover(
            options,
            "A second person reviews it with --dry-run, and is named: add --approved-by NAME"
        )
    }

    /// The author and approver of the edits a run publishes.
    ///
    /// - Parameters:
    ///   - options: The options of the run.
    ///   - served: The generation that is served.
    /// - Returns: nil where it publishes none, or where none is named.
    /// - Throws: ``RunError`` with code `withheld` where the pipeline requires a second person.
    func approval(
        _ options: RunOptions,
        served: (any SummaryReading)?
    ) throws(RunError) -> ChangeApproval? {
        guard options.appliesChanges, changesDecisions, served != nil, !options.isDryRun else {
            return nil
        }
        try dualControl.requireApprover(
            options,
            "A second person reviews it with --dry-run, and is named: triptych run "
                + "\(options.runWords) --apply-changes --approved-by NAME"
        )
        return DualControl.approval(options, nil)
    }
}
