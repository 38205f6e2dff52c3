import TripDomain

/// The rules asked about some trips, condition by condition.
struct AskedRules {
    /// A rule that reads a source.
    struct Reader {
        let rule: RuleSet.Rule
        /// The conditions that read it.
        let programs: [Program]
        /// Whether all others hold, and the rule is valid on the day, by trip.
        let areOthersTrue: [Bool]
    }

    private let ruleSet: RuleSet
    /// By rule and condition, whether it holds for each trip.
    private let truths: [[[Bool]]]
    private let areValid: [[Bool]]
    /// The rule that decides each trip as it is; 0 where none does.
    private let deciders: [Int]

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
        deciders = ruleSet.classifyFlat(flat).ruleNumbers.map { Int($0) }
    }

    /// The rules that read a field or a look-up and give a class, in order.
    func readers(of source: String) -> [Reader] {
        ruleSet.rules.compactMap { rule in
            let areReading = rule.conjuncts.map { $0.reads(source) }
            guard areReading.contains(true) else { return nil }
            var areOthersTrue = areValid[rule.number - 1]
            for (condition, isReading) in areReading.enumerated() where !isReading {
                for (row, isTrue) in truths[rule.number - 1][condition].enumerated() where !isTrue {
                    areOthersTrue[row] = false
                }
            }
            return Reader(
                rule: rule,
                programs: zip(rule.conjuncts, areReading).filter(\.1).map(\.0.program),
                areOthersTrue: areOthersTrue
            )
        }
    }

    /// The trips that rules would bring to a class if they had other values, each with the rule that would decide.
    ///
    /// - Parameters:
    ///   - readers: The rules that read what is other.
    ///   - tried: The trips with these values.
    ///   - rows: The trips that are meant.
    /// - Returns: Trips and rules.
    func deciders(_ readers: [Reader], _ tried: Frame, _ rows: [Int]) -> [(row: Int, rule: Int)] {
        let evaluation = Evaluation(.trips(tried, kinds: ruleSet.flatScope.columns.map(\.kind)))
        var open = rows
        var found: [(row: Int, rule: Int)] = []
        for reader in readers {
            let number = reader.rule.number
            let candidates = open.filter { row in
                // A rule that stands before it, and leaves the trip undetermined, would still decide.
                reader.areOthersTrue[row] && (deciders[row] == 0 || deciders[row] >= number)
            }
            guard !candidates.isEmpty else { continue }
            let truths = reader.programs.map { $0.truths(evaluation).bytes }
            let holding = Set(
                candidates.filter { row in truths.allSatisfy { $0[row] == Truth.yes.rawValue } }
            )
            guard !holding.isEmpty else { continue }
            open.removeAll { holding.contains($0) }
            guard reader.rule.definition.tripClass != .undetermined else { continue }
            found += candidates.filter { holding.contains($0) }.map { ($0, number) }
        }
        return found
    }
}

extension RuleSet.Conjunct {
    /// Whether it reads a field or a look-up.
    func reads(_ source: String) -> Bool {
        program.namesUsed.contains { $0 == source || $0.hasPrefix(source + ".") }
    }
}
