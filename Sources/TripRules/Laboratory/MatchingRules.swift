import TripDomain

/// All rules that hold for each trip of a batch, and not only the first.
struct MatchingRules {
    /// The distinct sets of rules, each in the order in which the rules are evaluated.
    private(set) var sets: [[Int]] = [[]]
    /// The index of each trip's set.
    private(set) var setOfTrip: [UInt32]

    /// Evaluates rules for all trips.
    ///
    /// - Complexity: O(*n*) in the trips per rule.
    fileprivate init(
        _ ruleSet: RuleSet,
        _ frame: Frame,
        _ scope: ExpressionScope,
        _ program: (RuleSet.Rule) -> Program,
        of rules: [RuleSet.Rule]
    ) {
        let evaluation = Evaluation(.trips(frame, kinds: scope.columns.map(\.kind)))
        let days = frame.columns[ruleSet.pickupIndex].integers
        setOfTrip = [UInt32](repeating: 0, count: frame.rowCount)
        for rule in rules {
            let truths = program(rule).truths(evaluation).bytes
            // The set with this rule, by the set without it.
            var extended: [UInt32: UInt32] = [:]
            for row in 0..<frame.rowCount
            where truths[row] == Truth.yes.rawValue && rule.validity.includes(days, row) {
                let before = setOfTrip[row]
                if let known = extended[before] {
                    setOfTrip[row] = known
                    continue
                }
                sets.append(sets[Int(before)] + [rule.number])
                extended[before] = UInt32(sets.count - 1)
                setOfTrip[row] = UInt32(sets.count - 1)
            }
        }
    }

    /// Puts a rule before all others that hold for a trip.
    ///
    /// - Parameter rows: The trips, each with its rule.
    mutating func put(first rows: [(row: Int, rule: UInt16)]) {
        var extended: [[Int]: UInt32] = [:]
        for (row, rule) in rows {
            let set = [Int(rule)] + self[row]
            if extended[set] == nil {
                sets.append(set)
                extended[set] = UInt32(sets.count - 1)
            }
            setOfTrip[row] = extended[set] ?? 0
        }
    }

    /// The rules that hold for a trip, in the order in which they are evaluated.
    subscript(row: Int) -> [Int] { sets[Int(setOfTrip[row])] }
}

extension RuleSet {
    /// All rules that hold for the trips of a batch.
    func holding(_ frame: Frame) -> MatchingRules {
        MatchingRules(self, frame, scope, \.program, of: rules)
    }

    /// All rules that hold for trips that are given by their values alone.
    ///
    /// - Parameters:
    ///   - trips: The trips, by the values of the flattened scope.
    ///   - numbers: The rules to evaluate; nil for all.
    /// - Returns: The rules among them that hold.
    func holdingFlat(_ trips: [[ExpressionValue]], _ numbers: [Int]? = nil) -> MatchingRules {
        MatchingRules(
            self,
            FlatTrips.frame(trips, flatScope),
            flatScope,
            \.flatProgram,
            of: numbers.map { $0.map { rules[$0 - 1] } } ?? rules
        )
    }
}
