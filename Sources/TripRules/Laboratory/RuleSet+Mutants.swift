internal import TripDomain

/// A change of the rules that some example should detect.
public enum RuleMutant: Sendable, Hashable {
    /// A rule is removed.
    case withoutRule(Int)
    /// One of the conditions that AND joins at a rule's top is removed; counted from 0.
    case withoutCondition(rule: Int, condition: Int)
    /// One of the conditions that OR joins, or one of the values of a list, is removed from a
    /// condition at a rule's top; counted from 0.
    case withoutBranch(rule: Int, condition: Int, branch: Int)
    /// A rule holds on all days up to its last.
    case withoutFirstDay(Int)
    /// A rule holds on all days from its first.
    case withoutLastDay(Int)
    /// A rule and the one after it are exchanged.
    case swapped(Int)
}

extension RuleSet {
    /// The text of a condition at a rule's top.
    ///
    /// - Parameters:
    ///   - rule: The rule's number.
    ///   - condition: The condition, counted from 0.
    /// - Returns: The text as written.
    public func text(rule: Int, condition: Int) -> String {
        rules[rule - 1].conjuncts[condition].text
    }

    /// The text of a branch of a condition at a rule's top.
    ///
    /// - Parameters:
    ///   - rule: The rule's number.
    ///   - condition: The condition, counted from 0.
    ///   - branch: The branch, counted from 0.
    /// - Returns: The text as written.
    public func text(rule: Int, condition: Int, branch: Int) -> String {
        let node = rules[rule - 1].conjuncts[condition].syntax.branches[branch]
        let bytes = Array(definitions[rule - 1].condition.utf8)
        return String(decoding: bytes[node.range], as: UTF8.self)
    }

    /// The changes of the rules that no example detects.
    ///
    /// Neighbouring rules are exchanged only where both can hold for one trip and give it a
    /// different class or basis, and no earlier rule decides each of these trips: the order of
    /// other rules does not matter.
    ///
    /// - Parameter overlaps: The rules that can hold for one trip and give it a different class or
    ///   basis.
    /// - Returns: The changes, rule by rule.
    /// - Complexity: O(*n*) in the examples per rule.
    public func unnoticedMutants(_ overlaps: [RuleOverlap]) -> [RuleMutant] {
        let examples = PassingExamples(self)
        let neighbours = overlaps.filter { $0.other == $0.deciding + 1 }
        let swaps = Set(neighbours.map(\.deciding).filter(canOrderMatter))
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
        for (condition, conjunct) in rule.conjuncts.enumerated() {
            mutants += conjunct.syntax.branches.indices.map {
                .withoutBranch(rule: rule.number, condition: condition, branch: $0)
            }
        }
        if rule.validity.from > .min { mutants.append(.withoutFirstDay(rule.number)) }
        if rule.validity.to < .max { mutants.append(.withoutLastDay(rule.number)) }
        if swaps.contains(rule.number) { mutants.append(.swapped(rule.number)) }
        return mutants
    }

    /// The rule as changed by a mutant that makes it hold for other trips; nil for mutants of
    /// another kind.
    fileprivate func changed(_ mutant: RuleMutant) -> ChangedRule? {
        func changed(_ number: Int, _ change: (inout ChangedRule) -> Void) -> ChangedRule {
            let rule = rules[number - 1]
            var changed = ChangedRule(
                number: number,
                programs: rule.conjuncts.map(\.program),
                validity: rule.validity
            )
            change(&changed)
            return changed
        }
        switch mutant {
        case .withoutRule, .swapped: return nil
        case .withoutCondition(let rule, let condition):
            return changed(rule) { $0.programs.remove(at: condition) }
        case .withoutBranch(let rule, let condition, let branch):
            let syntax = rules[rule - 1].conjuncts[condition].syntax.without(branch: branch)
            // A condition compiles with fewer branches where it compiles with all; if it does not,
            // the mutant is not reported.
            guard let program = try? flatScope.compile(syntax, expecting: .condition) else {
                return nil
            }
            return changed(rule) { $0.programs[condition] = program }
        case .withoutFirstDay(let rule):
            return changed(rule) { $0.validity = DayRange(from: .min, to: $0.validity.to) }
        case .withoutLastDay(let rule):
            return changed(rule) { $0.validity = DayRange(from: $0.validity.from, to: .max) }
        }
    }
}

/// A rule that a mutant makes hold for other trips than the rule as written.
private struct ChangedRule {
    let number: Int
    /// The conditions that AND joins at its top.
    var programs: [Program]
    var validity: RuleSet.DayRange
}

extension Syntax {
    /// The conditions that OR joins, or the values of a list; empty where there is only one.
    fileprivate var branches: [Syntax] {
        switch kind {
        case .any(let parts): parts
        case .inList(_, let items, isNegated: false) where items.count > 1: items
        default: []
        }
    }

    /// The same without one of its branches.
    fileprivate func without(branch: Int) -> Syntax {
        var rest = branches
        rest.remove(at: branch)
        switch kind {
        case .inList(let value, _, let isNegated):
            return Syntax(
                kind: .inList(value, rest, isNegated: isNegated),
                range: range,
                depth: depth
            )
        default:
            return rest.count == 1
                ? rest[0] : Syntax(kind: .any(rest), range: range, depth: depth)
        }
    }
}

/// The examples whose outcome is as promised.
private struct PassingExamples {
    private let trips: [[ExpressionValue]]
    private let outcomes: [ExampleOutcome]
    private let holding: MatchingRules

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

    /// Whether some example breaks its promise where the rules are changed.
    func notice(_ mutant: RuleMutant, _ ruleSet: RuleSet) -> Bool {
        let changed = ruleSet.changed(mutant)
        let holds = changed.map { self.holds($0, ruleSet) }
        return outcomes.indices.contains { index in
            var rules = holding[index]
            if let changed, let holds {
                rules.removeAll { $0 == changed.number }
                if holds[index] { rules = (rules + [changed.number]).sorted() }
            }
            let decider = decider(of: rules, mutant)
            let outcome = outcomes[index]
            return (decider == outcome.ruleNumber) != (outcome.promise == .decides)
        }
    }

    /// Whether a changed rule holds for each trip.
    private func holds(_ rule: ChangedRule, _ ruleSet: RuleSet) -> [Bool] {
        let frame = FlatTrips.frame(trips, ruleSet.flatScope)
        let evaluation = Evaluation(.trips(frame, kinds: ruleSet.flatScope.columns.map(\.kind)))
        let days = frame.columns[ruleSet.pickupIndex].integers
        var holds = trips.indices.map { rule.validity.includes(days, $0) }
        for program in rule.programs {
            let truths = program.truths(evaluation).bytes
            for row in holds.indices {
                holds[row] = holds[row] && truths[row] == Truth.yes.rawValue
            }
        }
        return holds
    }

    /// The rule that decides a trip; 0 where none does.
    private func decider(of rules: [Int], _ mutant: RuleMutant) -> Int {
        switch mutant {
        case .withoutRule(let rule): return rules.first { $0 != rule } ?? 0
        case .swapped(let rule):
            let first = rules.first ?? 0
            return first == rule && rules.contains(rule + 1) ? rule + 1 : first
        case .withoutCondition, .withoutBranch, .withoutFirstDay, .withoutLastDay:
            return rules.first ?? 0
        }
    }
}
