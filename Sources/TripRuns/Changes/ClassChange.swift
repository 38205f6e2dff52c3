import TripDomain

/// How many trips each class gains or loses.
struct ClassChange {
    private(set) var trips: Int64 = 0
    private(set) var inHouse: Int64 = 0
    private(set) var contracted: Int64 = 0
    private(set) var undetermined: Int64 = 0
    /// What the classes gain and lose without signs: gains of one month do not hide losses of another.
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

    /// Adds what another group gains and loses.
    static func += (left: inout ClassChange, right: ClassChange) {
        left.trips += right.trips
        left.inHouse += right.inHouse
        left.contracted += right.contracted
        left.undetermined += right.undetermined
        left.size += right.size
    }

    /// The cells of a table, one for each but the size.
    var cells: [String] { [trips, inHouse, contracted, undetermined].map { Shown.change($0) } }

    /// The same under their names in JSON.
    var named: [(String, JSONValue)] {
        [
            ("trips", .integer(trips)), ("in_house_trips", .integer(inHouse)),
            ("contracted_trips", .integer(contracted)),
            ("undetermined_trips", .integer(undetermined)),
        ]
    }
}
