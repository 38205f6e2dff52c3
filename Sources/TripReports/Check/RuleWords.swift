import TripRules

/// What is found about rules, in words.
enum RuleWords {
    /// A change that no example notices.
    static func clause(
        _ mutant: RuleMutant,
        _ ruleSet: RuleSet,
        _ ids: [String]
    ) -> String {
        func line(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        switch mutant {
        case .withoutRule(let rule): return "is decided alike without `\(ids[rule - 1])`"
        case .withoutCondition(let rule, let condition):
            let text = line(ruleSet.text(rule: rule, condition: condition))
            return "is decided alike without `\(text)` in `\(ids[rule - 1])`"
        case .withoutBranch(let rule, let condition, let branch):
            let text = line(ruleSet.text(rule: rule, condition: condition, branch: branch))
            let whole = line(ruleSet.text(rule: rule, condition: condition))
            return
                "is decided alike without `\(text)` among `\(whole)` in `\(ids[rule - 1])`"
        case .withoutFirstDay(let rule):
            return "is decided alike without the `from` of `\(ids[rule - 1])`"
        case .withoutLastDay(let rule):
            return "is decided alike without the `to` of `\(ids[rule - 1])`"
        case .swapped(let rule):
            return "is decided alike with `\(ids[rule])` before `\(ids[rule - 1])`"
        }
    }

    /// A constructed trip in words: its known values.
    static func text(_ trip: [String: ExpressionValue], _ ruleSet: RuleSet) -> String {
        let known = trip.filter { $0.value != .null }.sorted { $0.key < $1.key }
        guard !known.isEmpty else { return "of which nothing is known" }
        return "with "
            + known.map { clause($0, $1, ruleSet.constants($0)) }.joined(separator: ", ")
    }

    /// The most values that are named of those a name does not have.
    private static let excludedCount = 3

    /// A value; of a text that no rule names, only which ones it is not.
    private static func clause(
        _ name: String,
        _ value: ExpressionValue,
        _ constants: [ExpressionValue]
    ) -> String {
        let texts = constants.filter { if case .text = $0 { true } else { false } }
        guard case .text(let text) = value, !texts.contains(value), !isDay(text) else {
            return "\(name) = \(value.literal)"
        }
        guard !texts.isEmpty else { return "\(name) known" }
        let more = texts.count > excludedCount ? " or …" : ""
        return "\(name) other than "
            + texts.prefix(excludedCount).map(\.literal).joined(separator: " or ") + more
    }

    private static func isDay(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}.*/) != nil
    }
}
