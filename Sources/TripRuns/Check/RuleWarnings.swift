import TripEngine
import TripPipeline
public import TripRules

/// Warnings about rules that compile, found without any trip: changes that no example notices,
/// trips that no rule decides, rules that contradict each other.
public struct RuleWarnings: Sendable {
    /// Numbers of rules that can be removed with every example decided as before.
    public let unprotected: [Int]
    /// Other changes that no example notices, by the rule's number.
    public let unnoticed: [(rule: Int, mutant: RuleMutant)]
    /// A trip that no rule decides; nil where none was found.
    public let gap: [String: ExpressionValue]?
    /// Rules of different classes that can hold for one trip.
    public let overlaps: [RuleOverlap]

    init(_ ruleSet: RuleSet) {
        var unprotected: [Int] = []
        var unnoticed: [(rule: Int, mutant: RuleMutant)] = []
        let overlaps = ruleSet.overlaps()
        for mutant in ruleSet.unnoticedMutants(overlaps) {
            guard case .withoutRule(let rule) = mutant else {
                unnoticed.append((mutant.rule, mutant))
                continue
            }
            unprotected.append(rule)
        }
        self.unprotected = unprotected
        // In a rule that no example protects, no condition is protected either.
        self.unnoticed = unnoticed.filter { !unprotected.contains($0.rule) }
        gap = ruleSet.gap()
        self.overlaps = overlaps.filter { overlap in
            let definitions = ruleSet.definitions
            return definitions[overlap.deciding - 1].tripClass
                != definitions[overlap.other - 1].tripClass
        }
    }
}

extension RuleMutant {
    /// The number of the rule that is changed; of two that are exchanged, the first.
    fileprivate var rule: Int {
        switch self {
        case .withoutRule(let rule), .withoutCondition(let rule, _), .withoutBranch(let rule, _, _),
            .withoutFirstDay(let rule), .withoutLastDay(let rule), .swapped(let rule):
            rule
        }
    }
}

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
        let which = rules[outcome.ruleNumber - 1].example(outcome.promise, outcome.index)
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
