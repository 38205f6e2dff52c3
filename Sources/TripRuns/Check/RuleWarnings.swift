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
