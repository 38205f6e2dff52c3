import TripDomain
import TripMart

/// The rule of a pipeline that edits are published by somebody else than who made them known.
struct SecondPerson {
    /// Whether the pipeline asks for one, as published or as edited: an edit that takes the rule away needs
    /// it once more.
    let isRequired: Bool

    private init(isRequired: Bool) {
        self.isRequired = isRequired
    }

    /// Looks at what a generation was made from and at the folder.
    init(_ kept: PipelineDefinition, _ folder: PipelineDefinition) {
        isRequired = [kept, folder].contains { $0.approval == .secondPerson }
    }

    /// Looks at the pipelines of generations.
    init(named inputs: [GenerationInput]) {
        // The word alone, wherever it stands: nobody gets rid of the rule by a newer version.
        let word = PipelineDefinition.ApprovalPolicy.secondPerson.rawValue
        isRequired = inputs.contains {
            $0.role == .pipeline && String(decoding: $0.content, as: UTF8.self).contains(word)
        }
    }

    /// Looks at a folder, and at what a generation was made from where that can no longer be read.
    ///
    /// - Throws: `MartError` of the generation.
    init(unread served: ServedMart?, _ folder: PipelineDefinition) throws(MartError) {
        let named = SecondPerson(named: try served?.inputs() ?? [])
        isRequired = folder.approval == .secondPerson || named.isRequired
    }

    /// The same, where a rollback left a pipeline that asked for one: going back must not be a way around.
    ///
    /// - Parameters:
    ///   - holds: What rollbacks left.
    ///   - folder: The mart, which keeps what those generations were made from.
    /// - Returns: Whether a second person is asked for.
    func with(_ holds: [Hold], _ folder: MartFolder) -> SecondPerson {
        guard !isRequired else { return self }
        for number in Set(holds.filter { $0.kind == .pipeline }.map(\.generation)).sorted() {
            // Where neither is left, nobody can say that it did not ask for one.
            let left = try? Rollback.kept(number, folder).inputs(role: .pipeline)
            let person = left.map { SecondPerson(named: $0) } ?? SecondPerson(isRequired: true)
            if person.isRequired { return person }
        }
        return self
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
    /// - Parameters:
    ///   - options: Who works, and who approved.
    ///   - remedy: What to do where nobody else is named.
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
        try secondPerson.requireApprover(
            options,
            "Somebody else looks at it with --dry-run, and is named: triptych run … "
                + "--apply-changes --approved-by NAME"
        )
        return SecondPerson.approval(options, nil)
    }
}
