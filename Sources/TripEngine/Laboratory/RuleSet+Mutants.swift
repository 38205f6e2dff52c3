internal import TripDomain

/// A change of the rules that ought to be noticed by some example.
public enum RuleMutant: Sendable, Hashable {
    /// A rule is taken out.
    case withoutRule(Int)
    /// One of the conditions that AND joins at a rule's top is taken out; counted from 0.
    case withoutCondition(rule: Int, condition: Int)
    /// A rule and the one behind it change places.
    case swapped(Int)
}

extension RuleSet {
    /// The text of a condition at a rule's top.
    ///
    /// - Parameters:
    ///   - rule: The rule's number.
    ///   - condition: The condition, counted from 0.
    /// - Returns: What is written.
    public func text(rule: Int, condition: Int) -> String {
        rules[rule - 1].conjuncts[condition].text
    }

    /// The changes of the rules that no example notices.
    ///
    /// Neighbours are only exchanged where both can hold for one trip and give it another class or basis: what
    /// comes first of others does not matter.
    ///
    /// - Parameter overlaps: The rules that can hold for one trip and do not agree.
    /// - Returns: The changes, rule by rule.
    /// - Complexity: O(*n*) in the examples per rule.
    public func unnoticedMutants(_ overlaps: [RuleOverlap]) -> [RuleMutant] {
        let examples = KeptExamples(self)
        let neighbours = overlaps.filter { $0.other == $0.deciding + 1 }
        let swaps = Set(neighbours.map(\.deciding))
        return rules.flatMap { rule in
            mutants(of: rule, swaps).filter { !examples.notice($0, self) }
        }
    }

    private func mutants(of rule: Rule, _ swaps: Set<Int>) -> [RuleMutant] {
        var mutants: [RuleMutant] = [.withoutRule(rule.number)]
        if rule.conjuncts.count > 1 {
            mutants += rule.conjuncts.indices.map {
                .withoutCondition(rule: rule.number, condition: $0)
            }
        }
        if swaps.contains(rule.number) { mutants.append(.swapped(rule.number)) }
        return mutants
    }
}

/// The examples that go as they promise.
private struct KeptExamples {
    private let trips: [[ExpressionValue]]
    private let outcomes: [ExampleOutcome]
    private let holding: HoldingRules

    init(_ ruleSet: RuleSet) {
        var trips: [[ExpressionValue]] = []
        var outcomes: [ExampleOutcome] = []
        for outcome in ruleSet.checkExamples() where outcome.result == .asPromised {
            let definition = ruleSet.definitions[outcome.ruleNumber - 1]
            let list = outcome.promise == .decides ? definition.decides : definition.leaves
            guard case .success(let trip) = ruleSet.read(list[outcome.index]) else { continue }
            trips.append(trip)
            outcomes.append(outcome)
        }
        self.trips = trips
        self.outcomes = outcomes
        holding = ruleSet.holdingFlat(trips)
    }

    /// Whether an example breaks its promise where the rules are changed.
    func notice(_ mutant: RuleMutant, _ ruleSet: RuleSet) -> Bool {
        let holds = mutantHolds(mutant, ruleSet)
        return outcomes.indices.contains { index in
            let decider = decider(of: holding[index], mutant, holds.map { $0[index] })
            let outcome = outcomes[index]
            return (decider == outcome.ruleNumber) != (outcome.promise == .decides)
        }
    }

    /// Whether the rule that lost a condition holds for each trip; nil where none lost one.
    private func mutantHolds(_ mutant: RuleMutant, _ ruleSet: RuleSet) -> [Bool]? {
        guard case .withoutCondition(let number, let condition) = mutant else { return nil }
        let rule = ruleSet.rules[number - 1]
        let frame = FlatTrips.frame(trips, ruleSet.flatScope)
        let days = frame.columns[ruleSet.pickupIndex].integers
        var holds = trips.indices.map { rule.validity.includes(days, $0) }
        for (index, conjunct) in rule.conjuncts.enumerated() where index != condition {
            let evaluation = Evaluation(
                .trips(frame, kinds: ruleSet.flatScope.columns.map(\.kind))
            )
            let truths = conjunct.program.truths(evaluation).bytes
            for row in holds.indices {
                holds[row] = holds[row] && truths[row] == Truth.yes.rawValue
            }
        }
        return holds
    }

    /// The rule that decides a trip; 0 where none does.
    private func decider(of rules: [Int], _ mutant: RuleMutant, _ holds: Bool?) -> Int {
        switch mutant {
        case .withoutRule(let rule): return rules.first { $0 != rule } ?? 0
        case .swapped(let rule):
            let first = rules.first ?? 0
            return first == rule && rules.contains(rule + 1) ? rule + 1 : first
        case .withoutCondition(let rule, _):
            let others = rules.filter { $0 != rule }
            return (holds == true ? others + [rule] : others).min() ?? 0
        }
    }
}
