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
