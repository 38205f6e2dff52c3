/// What can be added up of one trip.
///
/// Each is 1, the cost or the miles of the trip, and 0 where a value that it needs is not known.
public enum KPIMeasure: Sendable, CaseIterable {
    /// 1.
    case trips
    /// 1 where the cost is known.
    case costedTrips
    /// The cost, in cents.
    case costCents
    /// 1 where the miles are known.
    case milesKnownTrips
    /// The loaded miles, in hundredths.
    case milesHundredths
    /// 1 where cost and miles are both known.
    case costedMilesTrips
    /// The cost where the miles are known too.
    case costWithMilesCents
    /// The loaded miles where the cost is known too, in hundredths.
    case costedMilesHundredths

    /// The unit of its sums.
    public var unit: KPIUnit {
        switch self {
        case .trips, .costedTrips, .milesKnownTrips, .costedMilesTrips: .trips
        case .costCents, .costWithMilesCents: .cents
        case .milesHundredths, .costedMilesHundredths: .hundredthsOfMile
        }
    }

    /// Whether a trip without a known cost adds nothing.
    public var needsCost: Bool {
        switch self {
        case .trips, .milesKnownTrips, .milesHundredths: false
        case .costedTrips, .costCents, .costedMilesTrips, .costWithMilesCents,
            .costedMilesHundredths:
            true
        }
    }

    /// Whether a trip without known miles adds nothing.
    public var needsMiles: Bool {
        switch self {
        case .trips, .costedTrips, .costCents: false
        case .milesKnownTrips, .milesHundredths, .costedMilesTrips, .costWithMilesCents,
            .costedMilesHundredths:
            true
        }
    }
}

/// The sums of trips of one class, by measure: what every loop over trips adds up.
///
/// It does not depend on the table of KPIs: each stored sum is one of these measures, of one class
/// or of all, so that ``KPISums`` follow from the sums by class. A new KPI of the same measures
/// costs nothing per trip.
public struct TripSums: Sendable, Hashable {
    /// The trips, and their known costs.
    public var costs: CostSums
    /// The number of trips whose miles are known.
    public var milesKnownTrips: Int64
    /// The loaded miles of these trips, in hundredths.
    public var milesHundredths: Int64
    /// The number of trips whose cost and miles are both known.
    public var costedMilesTrips: Int64
    /// The costs of these trips, in cents.
    public var costWithMilesCents: Int64
    /// The loaded miles of these trips, in hundredths.
    public var costedMilesHundredths: Int64

    /// No trips.
    @inlinable public init() { self.init(CostSums()) }

    /// Trips without miles.
    @inlinable public init(_ costs: CostSums) {
        self.costs = costs
        (milesKnownTrips, milesHundredths, costedMilesTrips) = (0, 0, 0)
        (costWithMilesCents, costedMilesHundredths) = (0, 0)
    }

    /// Adds one trip; amounts wrap around, as in ``CostSums/add(cost:)``.
    ///
    /// - Parameters:
    ///   - cost: Its cost in cents; nil where not known.
    ///   - miles: Its loaded miles in hundredths; nil where not known.
    /// - Complexity: O(1); allocates nothing.
    @inlinable public mutating func add(cost: Int64?, miles: Int64?) {
        // Inlinable, because it is called for every trip, across targets.
        costs.add(cost: cost)
        guard let miles else { return }
        milesKnownTrips &+= 1
        milesHundredths &+= miles
        guard let cost else { return }
        costedMilesTrips &+= 1
        costWithMilesCents &+= cost
        costedMilesHundredths &+= miles
    }

    /// Adds the sums of other trips; amounts wrap around.
    @inlinable public static func += (left: inout TripSums, right: TripSums) {
        left.costs += right.costs
        left.milesKnownTrips &+= right.milesKnownTrips
        left.milesHundredths &+= right.milesHundredths
        left.costedMilesTrips &+= right.costedMilesTrips
        left.costWithMilesCents &+= right.costWithMilesCents
        left.costedMilesHundredths &+= right.costedMilesHundredths
    }

    /// The sums of two groups of trips.
    @inlinable public static func + (left: TripSums, right: TripSums) -> TripSums {
        var sum = left
        sum += right
        return sum
    }

    /// The sum of one measure.
    public subscript(measure: KPIMeasure) -> Int64 {
        switch measure {
        case .trips: costs.trips
        case .costedTrips: costs.costedTrips
        case .costCents: costs.costCents
        case .milesKnownTrips: milesKnownTrips
        case .milesHundredths: milesHundredths
        case .costedMilesTrips: costedMilesTrips
        case .costWithMilesCents: costWithMilesCents
        case .costedMilesHundredths: costedMilesHundredths
        }
    }
}
