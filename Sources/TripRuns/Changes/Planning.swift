import TripDomain
import TripEngine
import TripMart

/// `plan`: what the edits of a folder would do to the served generation.
///
/// Nothing is written and no lock is taken: a plan reads what is served, as any reader does.
public struct Planning {
    private let options: RunOptions
    private let progress: Progress

    /// Prepares a plan.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are.
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
    }

    /// Computes the plan and shows it.
    ///
    /// - Parameters:
    ///   - format: How to answer.
    ///   - namesCommand: Whether to name the command that publishes it.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published; ``PipelineFault`` or ``PipelineFaults`` where the
    ///   folder cannot be used; ``RunError`` where its edits ask for the exports to be read again.
    public func answer(_ format: OutputFormat, namesCommand: Bool = true) throws -> Answer {
        let startedAt = Progress.milliseconds()
        let served = try ServedMart.open(MartFolder(path: options.martPath))
        let edits = try PlannedEdits(options, served)
        let plan = try edits.plan(edits.decide(options, progress: progress))
        let text = try screen(plan, served).text(
            format,
            milliseconds: namesCommand ? Progress.milliseconds() - startedAt : nil
        )
        return Answer(id: plan.id, text: text, hasEdits: plan.editCount > 0)
    }

    /// What a plan says, with samples that can be explained.
    func screen(_ plan: Plan, _ served: ServedMart) throws -> PlanScreen {
        PlanScreen(plan, command: options.pipelineWords, samples: try samples(plan, served))
    }

    /// The references of the trips that serve as samples; none where the key is not at hand.
    private func samples(_ plan: Plan, _ served: ServedMart) throws -> [Int64: String] {
        let keys: MartKeys?
        do throws(MartError) {
            keys = try MartKeys.open(
                keyFile: options.keyFilePath,
                for: MartFolder(path: options.martPath)
            )
        } catch {
            // The numbers need no key, and whoever looks at them may not have one that can be used.
            let ofKeys: Set<MartError.Code> = [
                .keyMissing, .keyWrong, .keyPermissions, .keyMalformed,
            ]
            guard ofKeys.contains(error.code) else { throw error }
            return [:]
        }
        var refs: [Int64: String] = [:]
        for number in plan.rules.flatMap(\.samples) {
            guard let id = try served.tripID(number: number) else { continue }
            refs[number] = keys?.ref(ofTrip: id).text
        }
        return refs
    }
}
