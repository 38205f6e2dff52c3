internal import TripDomain

/// Two rules that hold for one trip and give it a different class or basis, with an invented
/// example.
public struct RuleOverlap: Sendable, Hashable {
    /// The rule that comes first.
    public let deciding: Int
    /// The other rule.
    public let other: Int
    /// The invented trip, by the names that matter; all other names are NULL.
    public let witness: [String: ExpressionValue]
}

extension RuleSet {
    /// The most boxes of trips that the analysis keeps at once.
    private static let pieceLimit = 512
    /// The most trips that are tried for one pair of rules.
    private static let trialLimit = 16

    /// A trip that no rule decides.
    ///
    /// Conditions are analyzed as in ``reach()``; then the rules are run to confirm the result.
    ///
    /// - Returns: The trip by the names that matter, with values rather than NULL where possible;
    ///   nil where none was found.
    public func gap() -> [String: ExpressionValue]? {
        let analysis = ConditionSets(scope: flatScope)
        var rest = [TripBox()]
        for rule in rules {
            for box in boxes(of: rule, analysis) ?? [] where box.isExact {
                let cut = rest.flatMap { $0.subtracting(box, domain: analysis.domain) }
                guard cut.count <= Self.pieceLimit else { break }
                rest = cut
            }
        }
        for prefersKnown in [true, false] {
            let trips = rest.compactMap { box in
                sample(box, analysis, prefersKnown: prefersKnown).map { (box, $0) }
            }
            let holding = holdingFlat(trips.map(\.1))
            guard let row = trips.indices.first(where: { holding[$0].isEmpty }) else { continue }
            return named(trips[row].1, trips[row].0.sets.keys.sorted())
        }
        return nil
    }

    /// Pairs of rules that can hold for one trip and give it a different class or basis.
    ///
    /// - Returns: The pairs for which such a trip was found, in order of the rules. A pair that is
    ///   missing may still hold for a trip that was not tried.
    /// - Complexity: O(*r*²) in the rules, sixteen trips for each pair at most.
    public func overlaps() -> [RuleOverlap] {
        let analysis = ConditionSets(scope: flatScope)
        let possible = rules.map { boxes(of: $0, analysis) ?? [] }
        var found: [RuleOverlap] = []
        for first in rules.indices {
            for second in rules.indices.dropFirst(first + 1)
            where differ(first, second) {
                let boxes = possible[first].lazy.flatMap { box in
                    possible[second].lazy.compactMap { box.intersection($0) }
                }.filter(isPossible)
                let trips = Array(boxes.prefix(Self.trialLimit)).compactMap { box in
                    sample(box, analysis).map { (box, $0) }
                }
                let pair = [first + 1, second + 1]
                let holding = holdingFlat(trips.map(\.1), pair)
                let row = trips.indices.first { holding[$0] == pair }
                guard let row else { continue }
                found.append(
                    RuleOverlap(
                        deciding: first + 1,
                        other: second + 1,
                        witness: named(trips[row].1, trips[row].0.sets.keys.sorted())
                    )
                )
            }
        }
        return found
    }

    /// Whether a trip of a box can exist: where a look-up finds no row, its columns are NULL.
    private func isPossible(_ box: TripBox) -> Bool {
        scope.lookups.allSatisfy { lookup in
            let prefix = lookup.name + "."
            let matched = flatScope.columnIndex(prefix + ScopeLookup.matched)
            guard let matched, let set = box.sets[matched], !set.contains(.integer(1)) else {
                return true
            }
            return lookup.columnNames.allSatisfy { name in
                guard ![ScopeLookup.matched, ScopeLookup.matchCount].contains(name),
                    let index = flatScope.columnIndex(prefix + name)
                else { return true }
                return box.sets[index]?.hasNull ?? true
            }
        }
    }

    /// Whether a trip may exist for which a rule and the next one hold, and that no earlier rule
    /// decides: otherwise nothing depends on their order.
    ///
    /// - Parameter number: The number of the first rule.
    /// - Returns: false only where that is proven.
    func canOrderMatter(_ number: Int) -> Bool {
        let analysis = ConditionSets(scope: flatScope)
        guard let first = boxes(of: rules[number - 1], analysis),
            let second = boxes(of: rules[number], analysis)
        else { return true }
        var rest = first.flatMap { box in second.compactMap { box.intersection($0) } }
            .filter(isPossible)
        for earlier in rules.prefix(number - 1) {
            for box in boxes(of: earlier, analysis) ?? [] where box.isExact {
                let cut = rest.flatMap { $0.subtracting(box, domain: analysis.domain) }
                guard cut.count <= Self.pieceLimit else { return true }
                rest = cut
            }
        }
        return !rest.isEmpty
    }

    private func differ(_ first: Int, _ second: Int) -> Bool {
        definitions[first].tripClass != definitions[second].tripClass
            || definitions[first].basis != definitions[second].basis
    }
}
