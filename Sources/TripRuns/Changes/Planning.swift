import TripDomain
import TripEngine
import TripMart

/// `plan`: what the edits of a folder would do to the served generation.
///
/// Nothing that is served is written and no lock is taken: a plan reads what is served, as any reader
/// does. It is saved among the mart's plans, to be published as it was seen.
public struct Planning {
    private let options: RunOptions
    private let progress: Progress

    /// Prepares a plan.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are, and who plans.
    ///   - progress: Where progress is shown.
    public init(options: RunOptions, progress: Progress) {
        self.options = options
        self.progress = progress
    }

    /// A plan to look at.
    public struct Answer: Sendable {
        /// Names the plan: what it is bound to comes to these digits.
        public let id: String
        /// The plan in the format asked for.
        public let text: String
        /// Whether there is anything to publish.
        public let hasEdits: Bool
        /// Why it could not be saved; nil where it was, or was not to be.
        public let unsaved: RunError?
    }

    /// Computes the plan and shows it, with the command that publishes it.
    ///
    /// - Parameters:
    ///   - format: How to answer.
    ///   - isSaved: Whether to save it; where there is no edit, there is nothing to save.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published; ``PipelineFault`` or ``PipelineFaults`` where the
    ///   folder cannot be used; ``RunError`` where its edits ask for the exports to be read again.
    public func answer(_ format: OutputFormat, isSaved: Bool) throws -> Answer {
        let startedAt = Progress.milliseconds()
        let (planned, plan) = try computed()
        let samples = try samples(plan, planned.served)
        var (path, unsaved): (String?, RunError?)
        if isSaved, plan.edits.count > 0 {
            do {
                path = try save(planned.binding(options), plan.effects(samples))
            } catch let error as RunError {
                // Who may only read wants to see it all the same.
                unsaved = error
            }
        }
        let publishing = Publishing(
            path: path,
            needsApproval: planned.secondPerson.isRequired,
            milliseconds: Progress.milliseconds() - startedAt
        )
        return Answer(
            id: plan.id,
            text: PlanScreen(plan, options, samples: samples, publishing: publishing).text(format),
            hasEdits: plan.edits.count > 0,
            unsaved: unsaved
        )
    }

    /// Computes a plan that is to be published at once, and shows it.
    ///
    /// - Returns: The answer, as a table.
    /// - Throws: As ``answer(_:isSaved:)``; ``RunError`` with code `withheld` where the pipeline asks for a
    ///   second person.
    public func answerToPublish() throws -> Answer {
        let (planned, plan) = try computed { planned in
            if planned.edits.count > 0 { try planned.secondPerson.requirePlan(nil, options) }
        }
        return Answer(
            id: plan.id,
            text: try screen(plan, planned.served).text(.table),
            hasEdits: plan.edits.count > 0,
            unsaved: nil
        )
    }

    /// How a plan is published that the screen names.
    struct Publishing {
        /// Where the plan was saved; nil where it was not.
        let path: String?
        /// Whether somebody else must approve of it.
        let needsApproval: Bool
        /// How long planning took.
        let milliseconds: Int64

        /// How many tenths of the time of a plan it takes to publish it: the same trips are decided, and
        /// written, recounted and synced.
        ///
        /// Ten million trips, 2026-11-22: 14.6 s beside 2.7 (Benchmarks/README.md), and on another machine
        /// 11.4 s beside 2.9.
        private static let tenths: Int64 = 45

        /// How long publishing will take, about.
        var publishingMilliseconds: Int64 { milliseconds * Self.tenths / 10 }
    }

    private func save(_ binding: PlanBinding, _ effects: PlanEffects) throws -> String {
        do throws(MartError) {
            return try PlanFile.save(binding, effects, in: MartFolder(path: options.martPath))
        } catch {
            throw RunError(
                .cannotWrite,
                summary: "the plan cannot be saved",
                what: "\(error.place?.file ?? options.martPath): \(error.remedy)",
                remedies: [
                    "Look at it without saving it: triptych plan \(options.pipelineWords) --no-save"
                ],
                cause: error
            )
        }
    }

    private func computed(
        _ check: (PlannedEdits) throws -> Void = { _ in }
    ) throws -> (PlannedEdits, Plan) {
        let served = try ServedMart.open(MartFolder(path: options.martPath))
        let planned = try PlannedEdits(options, served)
        try check(planned)
        return (planned, try planned.plan(planned.decide(options, progress: progress)))
    }

    /// What a plan says, with samples that can be explained.
    func screen(_ plan: Plan, _ served: ServedMart) throws -> PlanScreen {
        PlanScreen(plan, options, samples: try samples(plan, served))
    }

    /// The references of the trips that serve as samples; none where the key is not at hand.
    private func samples(_ plan: Plan, _ served: ServedMart) throws -> [Int64: String] {
        try options.refs(
            of: plan.rules.flatMap(\.samples) + plan.edited.flatMap(\.sums.samples)
                + plan.relocatedSamples,
            in: served
        )
    }
}
