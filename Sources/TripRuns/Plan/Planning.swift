import TripDomain
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
    ///   - progress: Where progress is shown.
    public init(options: RunOptions, progress: Progress) {
        self.options = options
        self.progress = progress
    }

    /// A plan as it is shown.
    public struct Answer: Sendable {
        /// The id of the plan: digits of the hash of what it is bound to.
        public let id: String
        /// The plan in the requested format.
        public let text: String
        /// Whether there is anything to publish.
        public let hasEdits: Bool
        /// Why it could not be saved; nil where it was saved, or was not meant to be.
        public let unsaved: RunError?
    }

    /// Computes the plan and shows it, with the command that publishes it.
    ///
    /// - Parameters:
    ///   - format: The format of the answer.
    ///   - isSaved: Whether to save it; without an edit, there is nothing to save.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published; ``PipelineFault`` or ``PipelineFaults``
    ///   where the folder cannot be used; ``RunError`` where its edits need the exports to be read
    ///   again.
    public func answer(_ format: OutputFormat, isSaved: Bool) throws -> Answer {
        let startedAt = Progress.milliseconds()
        let (planned, plan) = try computed()
        let samples = try samples(plan, planned.served)
        var (path, unsaved): (String?, RunError?)
        if isSaved, plan.edits.count > 0 {
            do {
                path = try save(planned.binding(options), plan.effects(samples))
            } catch let error as RunError {
                // A user who may only read can still see the plan.
                unsaved = error
            }
        }
        let publishing = Publishing(
            path: path,
            needsApproval: planned.dualControl.isRequired,
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
    /// - Throws: The errors of ``answer(_:isSaved:)``; ``RunError`` with code `withheld` where the
    ///   pipeline requires a second person.
    public func answerToPublish() throws -> Answer {
        let (planned, plan) = try computed { planned in
            if planned.edits.count > 0 { try planned.dualControl.requirePlan(nil, options) }
        }
        return Answer(
            id: plan.id,
            text: try screen(plan, planned.served).text(.table),
            hasEdits: plan.edits.count > 0,
            unsaved: nil
        )
    }

    /// The facts about publishing that the screen shows.
    struct Publishing {
        /// Where the plan was saved; nil where it was not.
        let path: String?
        /// Whether a second person must approve it.
        let needsApproval: Bool
        /// The time that planning took.
        let milliseconds: Int64

        /// The ratio of the times to publish and to compute a plan, in tenths: publishing
        /// classifies the same trips, and also writes, recounts and syncs.
        ///
        /// Ten million trips, 2026-11-22: 14.6 s against 2.7 s (Benchmarks/README.md), and on
        /// another machine 11.4 s against 2.9 s.
        private static let tenths: Int64 = 45

        /// The estimated time of publishing.
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
        let planned = try PlannedEdits(options, served)
        try check(planned)
        return (planned, try planned.plan(planned.decide(options, progress: progress)))
    }

    /// The screen of a plan, with references of sample trips.
    func screen(_ plan: Plan, _ served: ServedMart) throws -> PlanScreen {
        PlanScreen(plan, options, samples: try samples(plan, served))
    }

    /// The references of the sample trips; empty where the key is not available.
    private func samples(_ plan: Plan, _ served: ServedMart) throws -> [Int64: String] {
        try options.refs(
            of: plan.rules.flatMap(\.samples) + plan.edited.flatMap(\.sums.samples)
                + plan.relocatedSamples,
            in: served
        )
    }
}
