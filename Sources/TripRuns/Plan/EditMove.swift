public import TripDomain
import TripEngine
import TripRules

/// The trips whose planned result comes from one edit.
public struct EditMove: Sendable, Hashable {
    /// The edit.
    public let name: String
    /// The sums of the trips.
    public internal(set) var sums = Sums()

    /// The sums of the trips.
    public struct Sums: Sendable, Hashable {
        /// Trips with a change: of rule, class, basis, region, type, or of whether they count.
        public internal(set) var trips: Int64 = 0
        /// The gain or loss of in-house trips that count.
        public internal(set) var inHouse: Int64 = 0
        /// The gain or loss of contracted trips that count.
        public internal(set) var contracted: Int64 = 0
        /// The gain or loss of undetermined trips that count.
        public internal(set) var undetermined: Int64 = 0
        /// The known cost of counted trips whose class changes, or that begin or cease to count.
        public internal(set) var costCents: Int64 = 0
        /// The numbers of the first of the trips.
        public internal(set) var samples: [Int64] = []

        /// Adds later trips.
        static func += (left: inout Sums, right: Sums) {
            left.trips += right.trips
            left.inHouse += right.inHouse
            left.contracted += right.contracted
            left.undetermined += right.undetermined
            left.costCents += right.costCents
            left.samples += right.samples
                .prefix(DecisionChanges.sampleCount - left.samples.count)
        }

        /// Adds one trip's class.
        mutating func add(_ tripClass: TripClass, _ count: Int64) {
            switch tripClass {
            case .inHouse: inHouse += count
            case .contracted: contracted += count
            case .undetermined: undetermined += count
            }
        }
    }
}

extension EditSteps {
    /// Sums up the trips of a batch by the edit that their planned result comes from.
    ///
    /// Each trip is counted once: at the first step after which its result is the final one.
    ///
    /// - Parameters:
    ///   - stored: The trips as the generation stores them.
    ///   - planned: The same trips as planned.
    ///   - firstNumber: The number of the first of them.
    /// - Returns: The sums of each step.
    /// - Complexity: O(*n*) in the trips, and O(*m* *s*) in those that move and the steps.
    func sums(
        _ stored: ClassifiedTrips,
        _ planned: ClassifiedTrips,
        firstNumber: Int64
    ) -> [EditMove.Sums] {
        var sums = names.map { _ in EditMove.Sums() }
        let cost = planned.shape.costIndex.map { planned.batch.columns[$0].integers }
        for (row, step) in stored.moves(to: planned, by: classifiers) {
            sums[step].trips += 1
            if sums[step].samples.count < DecisionChanges.sampleCount {
                sums[step].samples.append(firstNumber + Int64(row))
            }
            let (old, new) = (stored.tripClass(row), planned.tripClass(row))
            if let old { sums[step].add(old, -1) }
            if let new { sums[step].add(new, 1) }
            if old != new { sums[step].costCents += cost?.value(row) ?? 0 }
        }
        return sums
    }
}

/// How many trips each class gains or loses.
public struct ClassChange: Sendable {
    /// The gain or loss of trips.
    public private(set) var trips: Int64 = 0
    /// The gain or loss of in-house trips.
    public private(set) var inHouse: Int64 = 0
    /// The gain or loss of contracted trips.
    public private(set) var contracted: Int64 = 0
    /// The gain or loss of undetermined trips.
    public private(set) var undetermined: Int64 = 0
    /// The sum of gains and losses without signs: gains of one month do not hide losses of another.
    private(set) var size: Int64 = 0

    /// No trips.
    init() {}

    /// Compares the sums of one group.
    ///
    /// - Parameters:
    ///   - old: The sums before.
    ///   - new: The sums after.
    public init(_ old: KPISums, _ new: KPISums) {
        trips = new.trips - old.trips
        inHouse = new.inHouseTrips - old.inHouseTrips
        contracted = new.contractedTrips - old.contractedTrips
        undetermined = new.undeterminedTrips - old.undeterminedTrips
        size = abs(inHouse) + abs(contracted) + abs(undetermined)
    }

    /// Adds the gains and losses of another group.
    static func += (left: inout ClassChange, right: ClassChange) {
        left.trips += right.trips
        left.inHouse += right.inHouse
        left.contracted += right.contracted
        left.undetermined += right.undetermined
        left.size += right.size
    }
}
