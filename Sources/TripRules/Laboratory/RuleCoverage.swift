public import TripDomain

/// Counts which rules hold together and for how many trips, and what each rule and their order
/// change.
///
/// The first rule that holds decides. From all rules that hold for a trip it follows what would
/// decide the trip without one of them, or with two of them exchanged.
public struct RuleCoverage: Sendable {
    /// The count and cost of some trips.
    public struct Sums: Sendable, Hashable {
        /// The trips and their known costs.
        public var costs = CostSums()
        /// The number of the first trip; nil where there are none.
        public var sample: Int64?

        /// No trips.
        public init() {}

        /// Adds one trip, which comes after those added before.
        @inline(__always)
        mutating func add(_ number: Int64, cost: Int64?) {
            costs.add(cost: cost)
            if sample == nil { sample = number }
        }

        /// Adds other trips.
        public static func += (left: inout Sums, right: Sums) {
            left.costs += right.costs
            left.sample = [left.sample, right.sample].compactMap(\.self).min()
        }
    }

    /// Two rules that hold for the same trips.
    public struct Pair: Sendable, Hashable {
        /// The one that decides.
        public let deciding: Int
        /// The other.
        public let other: Int
        /// The trips.
        public var sums: Sums
    }

    /// The rules that hold for a trip, and whether it counts.
    struct Holding: Hashable {
        /// Their numbers, in the order in which they are evaluated: an override's comes before all
        /// others.
        let rules: [Int]
        let isCounted: Bool
    }

    private let classes: [TripClass]
    private let bases: [String]
    private var groups: [Holding: Sums] = [:]

    /// No trips.
    ///
    /// - Parameter rules: The rules, in order, followed by those of overrides.
    public init(rules: [RuleEntry]) {
        classes = [.undetermined] + rules.map(\.tripClass)
        bases = [""] + rules.map(\.basis)
    }

    /// Adds the trips of one batch.
    ///
    /// - Parameters:
    ///   - holding: The rules that hold for each trip.
    ///   - counted: Whether each trip counts.
    ///   - cost: The column of costs; nil where there is none.
    ///   - firstNumber: The number of the first trip.
    /// - Complexity: O(*n*) in the trips.
    mutating func add(
        _ holding: MatchingRules,
        counted: [Bool],
        cost: IntegerColumn?,
        firstNumber: Int64
    ) {
        var sums = [Sums](repeating: Sums(), count: 2 * holding.sets.count)
        for (row, set) in holding.setOfTrip.enumerated() {
            sums[2 * Int(set) + (counted[row] ? 1 : 0)]
                .add(firstNumber + Int64(row), cost: cost?.value(row))
        }
        for (set, rules) in holding.sets.enumerated() {
            for isCounted in [false, true] {
                let found = sums[2 * set + (isCounted ? 1 : 0)]
                guard found.costs.trips > 0 else { continue }
                groups[Holding(rules: rules, isCounted: isCounted), default: Sums()] += found
            }
        }
    }

    /// Adds the trips of later batches.
    public mutating func add(_ other: RuleCoverage) {
        for (key, sums) in other.groups { groups[key, default: Sums()] += sums }
    }

    /// The trips for which a condition on their rules is true.
    private func sums(
        isCounted: Bool = true,
        _ isIncluded: ([Int]) -> Bool
    ) -> Sums {
        var all = Sums()
        for (key, sums) in groups where key.isCounted == isCounted && isIncluded(key.rules) {
            all += sums
        }
        return all
    }

    /// The trips that a rule decides.
    ///
    /// - Parameters:
    ///   - rule: The rule's number; 0 for the trips that no rule decides.
    ///   - isCounted: Whether to return the trips that count, or those that do not.
    /// - Returns: The trips.
    public func decided(by rule: Int, isCounted: Bool = true) -> Sums {
        sums(isCounted: isCounted) { ($0.first ?? 0) == rule }
    }

    /// The trips that count and for which a rule holds, whichever rule decides them.
    public func holding(_ rule: Int) -> Sums { sums { $0.contains(rule) } }

    /// All trips.
    public func all(isCounted: Bool) -> Sums { sums(isCounted: isCounted) { _ in true } }

    /// The trips that count and would be of another class without a rule.
    public func changed(without rule: Int) -> Sums {
        sums { rules in
            guard rules.first == rule else { return false }
            return classes[rules.dropFirst().first ?? 0] != classes[rule]
        }
    }

    /// The earlier rules that decide trips for which a rule holds, with those trips, whether they
    /// count or not.
    public func shadowingRules(of rule: Int) -> [Pair] {
        pairs(countedAlone: false) { deciding, other in other == rule && deciding < rule }
    }

    /// Pairs of rules that hold for the same trips and give them different classes; those of most
    /// trips first.
    public var overlaps: [Pair] {
        pairs { classes[$0] != classes[$1] }
    }

    /// Neighbouring rules whose order matters.
    ///
    /// The trips are those that the first rule decides and that the second would give another class
    /// or basis.
    public var orderedNeighbours: [Pair] {
        pairs { first, second in
            second == first + 1
                && (classes[first] != classes[second] || bases[first] != bases[second])
        }.sorted { $0.deciding < $1.deciding }
    }

    /// Whether two rules give different classes.
    public func differInClass(_ pair: Pair) -> Bool {
        classes[pair.deciding] != classes[pair.other]
    }

    /// Pairs of the rule that decides and another rule that holds.
    private func pairs(
        countedAlone: Bool = true,
        _ isIncluded: (Int, Int) -> Bool
    ) -> [Pair] {
        var found: [[Int]: Sums] = [:]
        for (key, sums) in groups where key.isCounted || !countedAlone {
            guard let first = key.rules.first else { continue }
            for other in key.rules.dropFirst() where isIncluded(first, other) {
                found[[first, other], default: Sums()] += sums
            }
        }
        return found.map { Pair(deciding: $0[0], other: $0[1], sums: $1) }.sorted {
            ($1.sums.costs.trips, $0.deciding, $0.other)
                < ($0.sums.costs.trips, $1.deciding, $1.other)
        }
    }
}

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

extension TripClassifier {
    /// What some trips show about the rules and look-ups.
    public struct Examination: Sendable {
        /// Which rules hold together.
        public var coverage: RuleCoverage
        /// Per look-up, the keys it found no row for.
        public var orphans: [OrphanKeys]

        /// No trips.
        public init(_ classifier: TripClassifier) {
            coverage = RuleCoverage(rules: classifier.rules)
            orphans = classifier.lookups.map { _ in OrphanKeys() }
        }

        /// Adds the trips of later batches.
        public mutating func add(_ other: Examination) {
            coverage.add(other.coverage)
            for (lookup, keys) in other.orphans.enumerated() { orphans[lookup].add(keys) }
        }
    }

    /// Evaluates every rule for stored trips, and counts the keys that every look-up found no row
    /// for.
    ///
    /// - Parameters:
    ///   - batch: The trips as stored; of the fields, ``fieldsRead`` have rows.
    ///   - firstNumber: The number of the first trip.
    /// - Returns: The counts.
    /// - Complexity: O(*n*) in the trips per rule and per look-up.
    public func examine(_ batch: TripBatch, firstNumber: Int64) -> Examination {
        var batch = batch
        batch.columns.removeSubrange(fieldCount...)
        var overflows = 0
        let (frame, _) = prepare(&batch, overflows: &overflows)
        var examination = Examination(self)
        let counted =
            countWhen.map { $0.truths(frame).bytes.map { $0 == Truth.yes.rawValue } }
            ?? [Bool](repeating: true, count: batch.count)
        var holding = ruleSet.holding(frame)
        holding.put(first: overridden(batch))
        examination.coverage.add(
            holding,
            counted: counted,
            cost: shape.costIndex.map { batch.columns[$0].integers },
            firstNumber: firstNumber
        )
        for (index, lookup) in lookups.enumerated() {
            examination.orphans[index].add(
                lookup,
                keys: keyColumns[index].map { batch.columns[$0].texts },
                rows: frame.matches[index].rows
            )
        }
        return examination
    }
}
