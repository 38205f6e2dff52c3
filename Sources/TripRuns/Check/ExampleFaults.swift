import TripEngine
import TripPipeline
import TripRules

extension CompiledPipeline {
    /// The examples that are not decided as the rules state.
    ///
    /// - Complexity: O(*n*) in the examples.
    var exampleFaults: [PipelineFault] {
        classifier.ruleSet.checkExamples().compactMap { outcome in
            guard let message = Self.message(outcome, pipeline.rules) else { return nil }
            let when = pipeline.rules[outcome.ruleNumber - 1].when
            return PipelineFault(file: when.file, line: when.line, message: message)
        }
    }

    /// Refuses rules of which an example fails.
    ///
    /// A rule that contradicts its own example does not do what its author expects.
    ///
    /// - Throws: ``PipelineFaults``.
    func requireExamples() throws(PipelineFaults) {
        let faults = exampleFaults
        guard faults.isEmpty else { throw PipelineFaults(faults: faults) }
    }

    private static func message(_ outcome: ExampleOutcome, _ rules: [RuleText]) -> String? {
        let rule = rules[outcome.ruleNumber - 1]
        let which = "example \(outcome.index + 1) of `\(outcome.promise.rawValue)` of `\(rule.id)`"
        switch outcome.result {
        case .asPromised: return nil
        case .unreadable(let why): return "\(which) cannot be read: \(why)"
        case .decidedBy(let number):
            let decider = number == 0 ? "no rule" : "the rule `\(rules[number - 1].id)`"
            return outcome.promise == .decides
                ? "\(which) is decided by \(decider)"
                : "\(which) is decided by this very rule"
        }
    }
}
