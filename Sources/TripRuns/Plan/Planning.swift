public import TripDomain
import TripEngine
import TripMart

/// `plan`: the effect that the edits of a folder would have on the served generation.
///
/// It writes nothing that is served and takes no lock: it reads the served generation like any
/// reader. The plan is saved in the mart's folder of plans, to be published exactly as it was
/// shown.
public struct Planning {
    private let options: RunOptions
    private let progress: Progress

    /// Prepares a plan.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are, and the author.
    ///   - progress: Where progress is reported.
    public init(options: RunOptions, progress: Progress) {
        self.options = options
        self.progress = progress
    }

    /// Computes the plan, saves it, and finds the command that publishes it.
    ///
    /// - Parameter isSaved: Whether to save it; without an edit, there is nothing to save.
    /// - Returns: The plan.
    /// - Throws: `MartError` where nothing is published; ``PipelineFault`` or ``PipelineFaults``
    ///   where the folder cannot be used; ``RunError`` where its edits need the exports to be read
    ///   again.
    public func answer(isSaved: Bool) throws -> PlanAnswer {
        let startedAt = Progress.milliseconds()
        let (planned, plan) = try computed()
        var answer = try self.answer(plan, planned.served)
        var path: String?
        if isSaved, answer.hasEdits {
            do {
                path = try save(planned.binding(options), plan.effects(answer.samples))
            } catch let error as RunError {
                // A user who may only read can still see the plan.
                answer.unsaved = error
            }
        }
        answer.publishing = PlanAnswer.Publishing(
            path: path,
            arguments: path.map(options.planWords) ?? options.pipelineWords,
            needsApproval: planned.dualControl.isRequired,
            planningMilliseconds: Progress.milliseconds() - startedAt
        )
        return answer
    }

    /// Computes a plan that is to be published at once.
    ///
    /// - Returns: The plan.
    /// - Throws: The errors of ``answer(isSaved:)``; ``RunError`` with code `withheld` where the
    ///   pipeline requires a second person.
    public func answerToPublish() throws -> PlanAnswer {
        let (planned, plan) = try computed { planned in
            if planned.edits.count > 0 { try planned.dualControl.requirePlan(nil, options) }
        }
        return try answer(plan, planned.served)
    }

    private func save(_ binding: PlanBinding, _ effects: PlanEffects) throws -> String {
        do throws(MartError) {
            return try PlanFile.save(binding, effects, in: MartFolder(path: options.martPath))
        } catch {
            throw RunError(
                .cannotWrite,
                summary: "the plan cannot be saved",
                what: "\(error.position?.file ?? options.martPath): \(error.remedy)",
                remedies: [
                    "See it without saving it: triptych plan \(options.pipelineWords) --no-save"
                ],
                cause: error
            )
        }
    }

    private func computed(
        _ check: (PlannedEdits) throws -> Void = { _ in }
    ) throws -> (PlannedEdits, Plan) {
        let served = try ServedMart.open(MartFolder(path: options.martPath))
        try served.requireTrips(options)
        let planned = try PlannedEdits(options, served)
        try check(planned)
        return (planned, try planned.plan(planned.decide(options, progress: progress)))
    }

    /// A plan with the references of its sample trips; none where the key is not available.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - served: The generation it was computed from.
    /// - Returns: The plan with the references.
    /// - Throws: `MartError` of the file.
    func answer(_ plan: Plan, _ served: ServedMart) throws(MartError) -> PlanAnswer {
        let numbers =
            plan.rules.flatMap(\.samples) + plan.edited.flatMap(\.samples)
            + plan.relocatedSamples
        return PlanAnswer(
            plan: plan,
            samples: try options.refs(of: numbers, in: served),
            labels: try ValueLabels([.region, .tripType], in: served),
            martFlags: options.martFlags
        )
    }
}

/// A plan with the facts that a user needs to decide on it.
public struct PlanAnswer: Sendable {
    /// The plan.
    public let plan: Plan
    /// The references of sample trips, by trip number; none where the key is not available.
    public let samples: [Int64: String]
    /// The labels of regions and trip types.
    public let labels: ValueLabels
    /// The flags that name the mart in a command, after a blank each.
    public let martFlags: String
    /// How the plan is published; nil where the user is asked at once, or has agreed already.
    public internal(set) var publishing: Publishing?
    /// Why it could not be saved; nil where it was saved, or was not meant to be.
    public internal(set) var unsaved: RunError?
    /// The author and approver of the published plan; nil where none is named.
    public internal(set) var approval: ChangeApproval?

    init(plan: Plan, samples: [Int64: String], labels: ValueLabels, martFlags: String) {
        self.plan = plan
        self.samples = samples
        self.labels = labels
        self.martFlags = martFlags
    }

    /// The id of the plan: digits of the hash of what it is bound to.
    public var id: String { plan.id }

    /// Whether there is anything to publish.
    public var hasEdits: Bool { plan.edits.count > 0 }

    /// The facts about publishing.
    public struct Publishing: Sendable {
        /// Where the plan was saved; nil where it was not.
        public let path: String?
        /// The arguments of the command that publishes it.
        public let arguments: String
        /// Whether a second person must approve it.
        public let needsApproval: Bool
        /// The time that planning took.
        let planningMilliseconds: Int64

        /// The ratio of the times to publish and to compute a plan, in tenths: publishing
        /// classifies the same trips, and also writes, recounts and syncs.
        ///
        /// Ten million trips, 2026-11-22: 14.6 s against 2.7 s (Benchmarks/README.md), and on
        /// another machine 11.4 s against 2.9 s.
        private static let tenths: Int64 = 45

        /// The estimated time of publishing.
        public var milliseconds: Int64 { planningMilliseconds * Self.tenths / 10 }
    }
}
