import TripDomain
import TripMart

/// The rule of a pipeline that edits are published by somebody else than who made them known.
struct SecondPerson {
    /// Whether the pipeline asks for one, as published or as edited: an edit that takes the rule away needs
    /// it once more.
    let isRequired: Bool

    /// Looks at what a generation was made from and at the folder.
    init(_ kept: PipelineDefinition, _ folder: PipelineDefinition) {
        isRequired = [kept, folder].contains { $0.approval == .secondPerson }
    }

    /// Looks at a folder, and at what a generation was made from where that can no longer be read.
    ///
    /// - Throws: `MartError` of the generation.
    init(unread served: ServedMart?, _ folder: PipelineDefinition) throws(MartError) {
        // The word alone, wherever it stands: nobody gets rid of the rule by a newer version.
        let word = PipelineDefinition.ApprovalPolicy.secondPerson.rawValue
        let texts = try served?.inputs(role: .pipeline)
            .map { String(decoding: $0.content, as: UTF8.self) }
        isRequired =
            folder.approval == .secondPerson || texts?.contains { $0.contains(word) } == true
    }

    /// Refuses to publish from stored trips what nobody else has seen as a plan.
    ///
    /// - Parameters:
    ///   - binding: The saved plan that is to be published; nil where there is none.
    ///   - options: Who works, and who approved.
    /// - Throws: ``RunError`` with code `withheld`.
    func requirePlan(_ binding: PlanBinding?, _ options: RunOptions) throws(RunError) {
        let remedy =
            "Save a plan with `triptych plan \(options.pipelineWords)`; somebody else looks at it "
            + "and publishes it: triptych reclassify --plan FILE --approved-by NAME"
        guard isRequired else { return }
        guard let binding else {
            throw Self.refusal("The pipeline asks for a second person, who needs a plan.", remedy)
        }
        try requireOther(than: binding.madeBy, options, remedy)
    }

    /// Refuses to publish by a run what nobody else answers for.
    ///
    /// - Parameter options: Who works, and who approved.
    /// - Throws: ``RunError`` with code `withheld`.
    func requireApprover(_ options: RunOptions) throws(RunError) {
        guard isRequired else { return }
        try requireOther(
            than: options.madeBy,
            options,
            "Somebody else looks at it with --dry-run, and is named: triptych run … "
                + "--apply-changes --approved-by NAME"
        )
    }

    private func requireOther(
        than author: String,
        _ options: RunOptions,
        _ remedy: String
    ) throws(RunError) {
        guard let approver = options.approvedBy else {
            throw Self.refusal("The pipeline asks for a second person; nobody is named.", remedy)
        }
        guard Self.plain(author) != Self.plain(approver) else {
            throw Self.refusal(
                "The pipeline asks for a second person; \(approver) made the edits known.",
                remedy
            )
        }
    }

    /// Who is answerable, for the generation.
    static func approval(_ options: RunOptions, _ binding: PlanBinding?) -> ChangeApproval? {
        guard binding != nil || options.approvedBy != nil else { return nil }
        return ChangeApproval(
            plan: binding?.id,
            madeBy: binding?.madeBy ?? options.madeBy,
            approvedBy: options.approvedBy
        )
    }

    /// One person may write a name in several ways.
    private static func plain(_ name: String) -> [String] {
        name.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func refusal(_ what: String, _ remedy: String) -> RunError {
        RunError(
            .withheld,
            summary: "nobody else approved the edits",
            what: what,
            remedies: [remedy]
        )
    }
}

extension NightSetting {
    /// Who is answerable for the edits a run publishes.
    ///
    /// - Parameters:
    ///   - options: What the run is asked to do.
    ///   - served: The generation that is served.
    /// - Returns: nil where it publishes none, or where nobody is named.
    /// - Throws: ``RunError`` with code `withheld` where the pipeline asks for a second person.
    func approval(
        _ options: RunOptions,
        served: ServedMart?
    ) throws(RunError) -> ChangeApproval? {
        guard options.appliesChanges, changesDecisions, served != nil, !options.isDryRun else {
            return nil
        }
        try secondPerson.requireApprover(options)
        return SecondPerson.approval(options, nil)
    }
}
