import TripDomain
import TripEngine
import TripRules

/// Warnings about rules that compile, found without any trip: changes that no example notices,
/// trips that no rule decides, rules that contradict each other.
struct RuleWarnings {
    /// Numbers of rules that can be removed with every example decided as before.
    let unprotected: [Int]
    /// Other changes that no example notices, by the rule's number.
    let unnoticed: [(rule: Int, clause: String)]
    /// A trip that no rule decides; nil where none was found.
    let gap: [String: ExpressionValue]?
    /// Rules of different classes that can hold for one trip.
    let overlaps: [RuleOverlap]

    init(_ ruleSet: RuleSet, ids: [String]) {
        var unprotected: [Int] = []
        var unnoticed: [(rule: Int, clause: String)] = []
        let overlaps = ruleSet.overlaps()
        for mutant in ruleSet.unnoticedMutants(overlaps) {
            guard case .withoutRule(let rule) = mutant else {
                unnoticed.append(Self.clause(mutant, ruleSet, ids))
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

    /// A change of a rule in words, with the rule's number.
    private static func clause(
        _ mutant: RuleMutant,
        _ ruleSet: RuleSet,
        _ ids: [String]
    ) -> (rule: Int, clause: String) {
        func line(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        switch mutant {
        case .withoutRule(let rule): return (rule, "is decided alike without `\(ids[rule - 1])`")
        case .withoutCondition(let rule, let condition):
            let text = line(ruleSet.text(rule: rule, condition: condition))
            return (rule, "is decided alike without `\(text)` in `\(ids[rule - 1])`")
        case .withoutBranch(let rule, let condition, let branch):
            let text = line(ruleSet.text(rule: rule, condition: condition, branch: branch))
            let whole = line(ruleSet.text(rule: rule, condition: condition))
            return (
                rule,
                "is decided alike without `\(text)` among `\(whole)` in `\(ids[rule - 1])`"
            )
        case .withoutFirstDay(let rule):
            return (rule, "is decided alike without the `from` of `\(ids[rule - 1])`")
        case .withoutLastDay(let rule):
            return (rule, "is decided alike without the `to` of `\(ids[rule - 1])`")
        case .swapped(let rule):
            return (rule, "is decided alike with `\(ids[rule])` before `\(ids[rule - 1])`")
        }
    }

    /// A constructed trip in words: its known values.
    static func words(_ trip: [String: ExpressionValue]) -> String {
        let known = trip.filter { $0.value != .null }.sorted { $0.key < $1.key }
        guard !known.isEmpty else { return "of which nothing is known" }
        return "with " + known.map { "\($0) = \($1.literal)" }.joined(separator: ", ")
    }
}
