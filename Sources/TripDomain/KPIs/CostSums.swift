/// Trips, those whose cost is known, and what these cost: every sum of trips and dollars that has
/// no miles.
public struct CostSums: Sendable, Hashable {
    /// The number of trips.
    public var trips: Int64
    /// The number of them whose cost is known.
    public var costedTrips: Int64
    /// The sum of the known costs, in cents.
    public var costCents: Int64

    /// Makes sums; by default those of no trips.
    @inlinable public init(trips: Int64 = 0, costedTrips: Int64 = 0, costCents: Int64 = 0) {
        self.trips = trips
        self.costedTrips = costedTrips
        self.costCents = costCents
    }

    /// Adds one trip.
    ///
    /// The cost wraps around, so that amounts that cannot be true do not stop the program: a run
    /// keeps its own account of overflows, and a check compares all sums of a file.
    ///
    /// - Parameter cost: Its cost in cents; nil where not known.
    /// - Complexity: O(1); allocates nothing.
    @inlinable public mutating func add(cost: Int64?) {
        // Inlinable, because it is called for every trip, across targets.
        trips &+= 1
        if let cost {
            costedTrips &+= 1
            costCents &+= cost
        }
    }

    /// Adds the sums of other trips; the costs wrap around.
    @inlinable public static func += (left: inout CostSums, right: CostSums) {
        left.trips &+= right.trips
        left.costedTrips &+= right.costedTrips
        left.costCents &+= right.costCents
    }
}
