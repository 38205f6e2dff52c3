import TripDomain

/// All rules that hold for each trip of a batch, and not only the first.
struct HoldingRules {
    /// The sets of rules that occur, each in the order in which they are asked.
    private(set) var sets: [[Int]] = [[]]
    /// The set of each trip.
    private(set) var setOfTrip: [UInt32]

    /// Asks every rule about every trip.
    ///
    /// - Complexity: O(*n*) in the trips per rule that is asked.
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

    /// The rules that hold for a trip, in the order in which they are asked.
    subscript(row: Int) -> [Int] { sets[Int(setOfTrip[row])] }
}

extension RuleSet {
    /// All rules that hold for the trips of a batch.
    func holding(_ frame: Frame) -> HoldingRules {
        HoldingRules(self, frame, scope, \.program, of: rules)
    }

    /// All rules that hold for trips that are given by their values alone.
    ///
    /// - Parameters:
    ///   - trips: The trips, by the values of the flattened scope.
    ///   - numbers: The rules that are asked; nil asks all.
    /// - Returns: Those of them that hold.
    func holdingFlat(_ trips: [[ExpressionValue]], _ numbers: [Int]? = nil) -> HoldingRules {
        HoldingRules(
            self,
            FlatTrips.frame(trips, flatScope),
            flatScope,
            \.flatProgram,
            of: numbers.map { $0.map { rules[$0 - 1] } } ?? rules
        )
    }
}
