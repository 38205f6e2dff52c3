import TripDomain

/// How many trips each class gains or loses.
struct ClassChange {
    private(set) var trips: Int64 = 0
    private(set) var inHouse: Int64 = 0
    private(set) var contracted: Int64 = 0
    private(set) var undetermined: Int64 = 0
    /// The sum of gains and losses without signs: gains of one month do not hide losses of another.
    private(set) var size: Int64 = 0

    /// No trips.
    init() {}

    /// Compares the sums of one group.
    init(_ old: KPISums, _ new: KPISums) {
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

    /// The cells of a table, one for each number but the size.
    var cells: [String] {
        [trips, inHouse, contracted, undetermined].map { NumberFormat.change($0) }
    }

    /// The same numbers under their JSON keys.
    var named: [(String, JSONValue)] {
        [
            ("trips", .integer(trips)), ("in_house_trips", .integer(inHouse)),
            ("contracted_trips", .integer(contracted)),
            ("undetermined_trips", .integer(undetermined)),
        ]
    }
}
