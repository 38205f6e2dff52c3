import TripDomain

/// Trips that no rule gives a class, grouped by what they lack, with what would give them one.
public struct Worklist: Sendable {
    /// A value that a trip lacks.
    public struct Gap: Sendable, Hashable {
        /// Why the value is missing.
        public enum Kind: String, Sendable {
            /// The export left it blank.
            case blank
            /// The reference file has no row of the key.
            case noSuchKey = "no_such_key"
            /// The reference file has rows of the key, but none that is valid on the trip's day.
            case notThatDay = "not_that_day"
            /// An override gives the trip no class.
            case byHand = "by_hand"
        }

        /// Why the value is missing.
        public let kind: Kind
        /// The field that is blank, or those that the key is made of, as rules write them.
        public let fields: [String]
        /// The reference file; nil where a field is blank.
        public let file: String?

        /// The gap of a trip that an override leaves without a class, which no rule can change.
        static let override = Gap(kind: .byHand, fields: [], file: nil)

        /// The gap of a blank field.
        static func blank(_ field: String) -> Gap { Gap(kind: .blank, fields: [field], file: nil) }
    }

    /// A value of one field, or a row of one look-up, with which a rule would give trips a class.
    public struct Settlement: Sendable, Hashable {
        /// The field, or the look-up.
        public let source: String
        /// The rule that would decide.
        public let ruleNumber: Int
    }

    /// Trips that lack the same values.
    public struct Group: Sendable, Hashable {
        /// All trips of the group.
        public fileprivate(set) var sums = RuleCoverage.Sums()
        /// For each settlement, the trips it would give a class.
        public fileprivate(set) var settlements: [Settlement: RuleCoverage.Sums] = [:]
        /// The trips that no single settlement would give a class.
        public fileprivate(set) var unsettled = RuleCoverage.Sums()
    }

    private var groups: [[Gap]: Group] = [:]

    /// No trips.
    public init() {}

    /// The groups, those of most trips first, then those of most known cost.
    public var all: [(gaps: [Gap], group: Group)] {
        groups.map { (gaps: $0, group: $1) }.sorted { left, right in
            let (one, two) = (left.group.sums, right.group.sums)
            if one.costs.trips != two.costs.trips { return one.costs.trips > two.costs.trips }
            if one.costs.costCents != two.costs.costCents {
                return one.costs.costCents > two.costs.costCents
            }
            return (one.sample ?? 0) < (two.sample ?? 0)
        }
    }

    /// All trips.
    public var sums: RuleCoverage.Sums {
        groups.values.reduce(into: RuleCoverage.Sums()) { $0 += $1.sums }
    }

    /// Adds one trip.
    mutating func add(
        _ number: Int64,
        cost: Int64?,
        lacking gaps: [Gap],
        settledBy settlements: [Settlement]
    ) {
        groups[gaps, default: Group()].sums.add(number, cost: cost)
        if settlements.isEmpty { groups[gaps]?.unsettled.add(number, cost: cost) }
        for settlement in settlements {
            groups[gaps]?.settlements[settlement, default: RuleCoverage.Sums()]
                .add(number, cost: cost)
        }
    }

    /// Adds the trips of later batches.
    public mutating func add(_ other: Worklist) {
        for (gaps, group) in other.groups {
            groups[gaps, default: Group()].sums += group.sums
            groups[gaps]?.unsettled += group.unsettled
            for (settlement, sums) in group.settlements {
                groups[gaps]?.settlements[settlement, default: RuleCoverage.Sums()] += sums
            }
        }
    }
}
