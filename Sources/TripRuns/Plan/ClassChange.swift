public import TripDomain

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
