import TripDomain

/// Finds the rule that would decide a trip if one field or look-up had another value.
///
/// Each condition is evaluated once for the trips as they are. A trial then evaluates again only
/// the conditions that read the changed field or look-up.
struct WhatIfRules {
    /// A rule that reads a source, which is a field or a look-up.
    struct Reader {
        let rule: RuleSet.Rule
        /// The conditions that read the source.
        let programs: [Program]
        /// Whether all other conditions hold, and the rule is valid on the day, by trip.
        let areOthersTrue: [Bool]
    }

    /// The rules that read a field or a look-up, and the first rule that decides without it.
    struct Source {
        /// The rules that read it, in order.
        let readers: [Reader]
        /// The first rule that holds and does not read the source, by trip; 0 where there is none.
        let firstOther: [Int]
    }

    private let ruleSet: RuleSet
    /// By rule and condition, whether it holds for each trip.
    private let truths: [[[Bool]]]
    /// By rule, whether it is valid on each trip's day.
    private let areValid: [[Bool]]

    /// Evaluates all conditions for trips that are given by their values alone.
    init(_ ruleSet: RuleSet, _ flat: Frame) {
        self.ruleSet = ruleSet
        let evaluation = Evaluation(.trips(flat, kinds: ruleSet.flatScope.columns.map(\.kind)))
        let days = flat.columns[ruleSet.pickupIndex].integers
        truths = ruleSet.rules.map { rule in
            rule.conjuncts.map {
                $0.program.truths(evaluation).bytes.map { $0 == Truth.yes.rawValue }
            }
        }
        areValid = ruleSet.rules.map { rule in
            (0..<flat.rowCount).map { rule.validity.includes(days, $0) }
        }
    }

    /// Separates the rules that read a field or a look-up from the others.
    func source(_ name: String) -> Source {
        var readers: [Reader] = []
        var firstOther = [Int](repeating: 0, count: areValid.first?.count ?? 0)
        for (rule, (conditions, valid)) in zip(ruleSet.rules, zip(truths, areValid)) {
            let readsSource = rule.conjuncts.map { $0.reads(name) }
            var areOthersTrue = valid
            for (condition, doesRead) in zip(conditions, readsSource) where !doesRead {
                for (row, isTrue) in condition.enumerated() where !isTrue {
                    areOthersTrue[row] = false
                }
            }
            guard readsSource.contains(true) else {
                for row in firstOther.indices where firstOther[row] == 0 && areOthersTrue[row] {
                    firstOther[row] = rule.number
                }
                continue
            }
            readers.append(
                Reader(
                    rule: rule,
                    programs: zip(rule.conjuncts, readsSource).filter(\.1).map(\.0.program),
                    areOthersTrue: areOthersTrue
                )
            )
        }
        return Source(readers: readers, firstOther: firstOther)
    }

    /// The rules that would decide if a field or a look-up had another value.
    ///
    /// - Parameters:
    ///   - source: The field or the look-up.
    ///   - tried: The trips with that value.
    ///   - rows: The trips to try.
    /// - Returns: The trips among them that some rule decides, each with that rule.
    func deciders(_ source: Source, _ tried: Frame, _ rows: [Int]) -> [(row: Int, rule: Int)] {
        let evaluation = Evaluation(.trips(tried, kinds: ruleSet.flatScope.columns.map(\.kind)))
        var deciders = source.firstOther
        for reader in source.readers {
            let number = reader.rule.number
            let open = rows.filter { row in
                reader.areOthersTrue[row] && (deciders[row] == 0 || deciders[row] > number)
            }
            guard !open.isEmpty else { continue }
            let truths = reader.programs.map { $0.truths(evaluation).bytes }
            for row in open where truths.allSatisfy({ $0[row] == Truth.yes.rawValue }) {
                deciders[row] = number
            }
        }
        return rows.filter { deciders[$0] > 0 }.map { ($0, deciders[$0]) }
    }
}

extension RuleSet.Conjunct {
    /// Whether the condition reads a field or a look-up.
    func reads(_ source: String) -> Bool {
        program.namesUsed.contains { $0 == source || $0.hasPrefix(source + ".") }
    }
}
