public import TripDomain

/// Which rules hold together, for how many trips, and so what each of them and their order is worth.
///
/// Rules decide by the first that holds. Who knows of all that hold for a trip knows what decides it
/// without one of them, or with two of them in each other's place.
public struct RuleCoverage: Sendable {
    /// Some trips.
    public struct Sums: Sendable, Hashable {
        /// How many.
        public var trips: Int64 = 0
        /// Those whose cost is known.
        public var costedTrips: Int64 = 0
        /// The known costs.
        public var costCents: Int64 = 0
        /// The number of the first of them; nil where there are none.
        public var sample: Int64?

        /// No trips.
        public init() {}

        /// Adds one trip, which comes after those before.
        @inline(__always)
        mutating func add(_ number: Int64, cost: Int64?) {
            trips += 1
            if let cost {
                costedTrips += 1
                costCents += cost
            }
            if sample == nil { sample = number }
        }

        /// Adds other trips.
        public static func += (left: inout Sums, right: Sums) {
            left.trips += right.trips
            left.costedTrips += right.costedTrips
            left.costCents += right.costCents
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
        /// Their numbers, in the order in which they are asked: an override's comes before all others.
        let rules: [Int]
        let isCounted: Bool
    }

    private let classes: [TripClass]
    private let grounds: [String]
    private var groups: [Holding: Sums] = [:]

    /// No trips.
    ///
    /// - Parameter rules: The rules, in order, and behind them those of overrides.
    public init(rules: [RuleEntry]) {
        classes = [.undetermined] + rules.map(\.tripClass)
        grounds = [""] + rules.map(\.basis)
    }

    /// Adds the trips of one batch.
    ///
    /// - Parameters:
    ///   - holding: The rules that hold for each.
    ///   - counted: Whether each counts.
    ///   - cost: The column of costs; nil where there is none.
    ///   - firstNumber: The number of the first.
    /// - Complexity: O(*n*) in the trips.
    mutating func add(
        _ holding: HoldingRules,
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
                guard found.trips > 0 else { continue }
                groups[Holding(rules: rules, isCounted: isCounted), default: Sums()] += found
            }
        }
    }

    /// Adds the trips of later batches.
    public mutating func add(_ other: RuleCoverage) {
        for (key, sums) in other.groups { groups[key, default: Sums()] += sums }
    }

    /// The trips for which something is true.
    private func sums(
        isCounted: Bool = true,
        _ isMeant: ([Int]) -> Bool
    ) -> Sums {
        var all = Sums()
        for (key, sums) in groups where key.isCounted == isCounted && isMeant(key.rules) {
            all += sums
        }
        return all
    }

    /// The trips that a rule decides.
    ///
    /// - Parameters:
    ///   - rule: The rule's number; 0 stands for those that none decides.
    ///   - isCounted: Whether those are meant that count.
    /// - Returns: The trips.
    public func decided(by rule: Int, isCounted: Bool = true) -> Sums {
        sums(isCounted: isCounted) { ($0.first ?? 0) == rule }
    }

    /// The trips that count and for which a rule holds, whichever decides.
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

    /// The rules before a rule that decide trips it holds for, with all such trips, whether they count or not.
    public func takers(of rule: Int) -> [Pair] {
        pairs(countedAlone: false) { deciding, other in other == rule && deciding < rule }
    }

    /// Pairs of rules that hold for the same trips and give them other classes; those of most trips first.
    public var overlaps: [Pair] {
        pairs { classes[$0] != classes[$1] }
    }

    /// Neighbours whose order matters: the trips that the first decides and the second would decide in its
    /// place, giving them another class or basis.
    public var orderedNeighbours: [Pair] {
        pairs { first, second in
            second == first + 1
                && (classes[first] != classes[second] || grounds[first] != grounds[second])
        }.sorted { $0.deciding < $1.deciding }
    }

    /// Whether two rules give trips other classes.
    public func differInClass(_ pair: Pair) -> Bool {
        classes[pair.deciding] != classes[pair.other]
    }

    /// Pairs of the rule that decides and another that holds.
    private func pairs(
        countedAlone: Bool = true,
        _ isMeant: (Int, Int) -> Bool
    ) -> [Pair] {
        var found: [[Int]: Sums] = [:]
        for (key, sums) in groups where key.isCounted || !countedAlone {
            guard let first = key.rules.first else { continue }
            for other in key.rules.dropFirst() where isMeant(first, other) {
                found[[first, other], default: Sums()] += sums
            }
        }
        return found.map { Pair(deciding: $0[0], other: $0[1], sums: $1) }.sorted {
            ($1.sums.trips, $0.deciding, $0.other) < ($0.sums.trips, $1.deciding, $1.other)
        }
    }
}
