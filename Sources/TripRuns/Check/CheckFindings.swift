public import TripPipeline
public import TripRules

/// The findings of `check`: faults to correct, warnings to review, and what every rule can do.
public struct CheckFindings: Sendable {
    /// The faults of a pipeline that cannot be compiled, or else the examples that are not decided
    /// as the rules state.
    public let faults: [PipelineFault]
    /// What was found about the rules; nil where the pipeline cannot be compiled.
    public let rules: RuleFindings?
    /// Warnings about the sources' file patterns.
    public let sources: [PipelineFault]
    /// Why the rules were not tested on trips; nil where they were, or where no trips were
    /// requested.
    public internal(set) var refusal: Failure?
    /// Whether the reason is that nothing is published yet, as before the first run.
    public internal(set) var isUnpublished = false

    /// Whether something must be corrected.
    public var hasFaults: Bool {
        !faults.isEmpty || (rules?.reach.contains { $0.isNever } ?? false)
    }

    /// The findings of a pipeline that cannot be compiled.
    ///
    /// - Parameter faults: Its faults.
    init(faults: [PipelineFault]) {
        self.faults = faults
        rules = nil
        sources = []
    }

    /// Examines a pipeline that compiles: its rules' examples, rules that can never decide, and
    /// warnings about the others; on real trips as well where a laboratory is given.
    ///
    /// - Parameters:
    ///   - compiled: The pipeline.
    ///   - laboratory: What the rules do to real trips; nil where none were requested.
    init(_ compiled: CompiledPipeline, _ laboratory: Laboratory? = nil) {
        faults = compiled.exampleFaults
        sources = compiled.pipeline.sources.flatMap(\.patternWarnings)
        let ruleSet = compiled.classifier.ruleSet
        rules = RuleFindings(
            compiled: compiled,
            reach: ruleSet.reach(),
            warnings: RuleWarnings(ruleSet),
            laboratory: laboratory,
            // Every condition of the pipeline was compiled before.
            missingChecks: (try? BuiltInCheck.missing(in: compiled.pipeline))?
                .filter(\.isNoted) ?? []
        )
    }
}

/// What was found about the rules of a pipeline that compiles.
public struct RuleFindings: Sendable {
    /// The pipeline.
    public let compiled: CompiledPipeline
    /// Whether each rule can decide a trip, in the order of the rules.
    public let reach: [RuleReach]
    /// Warnings about rules that were found without any trip.
    public let warnings: RuleWarnings
    /// What the rules do to real trips; nil where they were not tested on any.
    public let laboratory: Laboratory?
    /// The built-in checks that the pipeline should replace by limits of its own.
    public let missingChecks: [BuiltInCheck]
}

extension RuleReach {
    /// Whether the rule can never decide a trip.
    var isNever: Bool {
        switch self {
        case .canDecide, .notDecided: false
        case .neverHolds, .alwaysShadowed: true
        }
    }
}
