/// The sums and counts of one group of trips.
///
/// Ratios are not stored; they are derived when reading.
public struct KPISums: Sendable, Hashable {
    /// Counted trips.
    public var trips: Int64 = 0
    /// Counted trips of class `in_house`.
    public var inHouseTrips: Int64 = 0
    /// Counted trips of class `contracted`.
    public var contractedTrips: Int64 = 0
    /// Counted trips that no rule decided.
    public var undeterminedTrips: Int64 = 0
    /// Known costs of all counted trips.
    public var costCents: Int64 = 0
    /// Known costs of the in-house trips.
    public var inHouseCostCents: Int64 = 0
    /// Known costs of the contracted trips.
    public var contractedCostCents: Int64 = 0
    /// Known costs of the undetermined trips.
    public var undeterminedCostCents: Int64 = 0
    /// In-house trips whose cost is known.
    public var inHouseCostedTrips: Int64 = 0
    /// Contracted trips whose cost is known.
    public var contractedCostedTrips: Int64 = 0
    /// Undetermined trips whose cost is known.
    public var undeterminedCostedTrips: Int64 = 0
    /// Loaded miles of the trips whose miles are known, in hundredths.
    public var loadedMilesHundredths: Int64 = 0
    /// Trips whose miles are known.
    public var milesKnownTrips: Int64 = 0
    /// Costs of the trips whose cost and miles are both known.
    public var costWithMilesCents: Int64 = 0
    /// Loaded miles of the trips whose cost and miles are both known, in hundredths: the divisor
    /// of `costWithMilesCents`.
    public var costedMilesHundredths: Int64 = 0
    /// Trips whose cost and miles are both known.
    public var costedMilesTrips: Int64 = 0

    /// No trips.
    public init() {}

    /// Adds one counted trip.
    ///
    /// - Parameters:
    ///   - tripClass: The trip's class.
    ///   - cost: Its cost in cents; nil where not known.
    ///   - miles: Its loaded miles in hundredths; nil where not known.
    /// - Complexity: O(1); allocates nothing.
    @inlinable public mutating func add(tripClass: TripClass, cost: Int64?, miles: Int64?) {
        trips += 1
        switch tripClass {
        case .inHouse: inHouseTrips += 1
        case .contracted: contractedTrips += 1
        case .undetermined: undeterminedTrips += 1
        }
        if let cost {
            costCents += cost
            switch tripClass {
            case .inHouse:
                inHouseCostCents += cost
                inHouseCostedTrips += 1
            case .contracted:
                contractedCostCents += cost
                contractedCostedTrips += 1
            case .undetermined:
                undeterminedCostCents += cost
                undeterminedCostedTrips += 1
            }
        }
        if let miles {
            loadedMilesHundredths += miles
            milesKnownTrips += 1
            if let cost {
                costWithMilesCents += cost
                costedMilesHundredths += miles
                costedMilesTrips += 1
            }
        }
    }

    /// Adds the sums of another group.
    public static func += (left: inout KPISums, right: KPISums) {
        left.trips += right.trips
        left.inHouseTrips += right.inHouseTrips
        left.contractedTrips += right.contractedTrips
        left.undeterminedTrips += right.undeterminedTrips
        left.costCents += right.costCents
        left.inHouseCostCents += right.inHouseCostCents
        left.contractedCostCents += right.contractedCostCents
        left.undeterminedCostCents += right.undeterminedCostCents
        left.inHouseCostedTrips += right.inHouseCostedTrips
        left.contractedCostedTrips += right.contractedCostedTrips
        left.undeterminedCostedTrips += right.undeterminedCostedTrips
        left.loadedMilesHundredths += right.loadedMilesHundredths
        left.milesKnownTrips += right.milesKnownTrips
        left.costWithMilesCents += right.costWithMilesCents
        left.costedMilesHundredths += right.costedMilesHundredths
        left.costedMilesTrips += right.costedMilesTrips
    }

    /// Subtracts the sums of another group.
    public static func -= (left: inout KPISums, right: KPISums) {
        left.trips -= right.trips
        left.inHouseTrips -= right.inHouseTrips
        left.contractedTrips -= right.contractedTrips
        left.undeterminedTrips -= right.undeterminedTrips
        left.costCents -= right.costCents
        left.inHouseCostCents -= right.inHouseCostCents
        left.contractedCostCents -= right.contractedCostCents
        left.undeterminedCostCents -= right.undeterminedCostCents
        left.inHouseCostedTrips -= right.inHouseCostedTrips
        left.contractedCostedTrips -= right.contractedCostedTrips
        left.undeterminedCostedTrips -= right.undeterminedCostedTrips
        left.loadedMilesHundredths -= right.loadedMilesHundredths
        left.milesKnownTrips -= right.milesKnownTrips
        left.costWithMilesCents -= right.costWithMilesCents
        left.costedMilesHundredths -= right.costedMilesHundredths
        left.costedMilesTrips -= right.costedMilesTrips
    }
}

/// One row of `kpi_cube`: a month, trip type and region, each a value or `all`, and its sums.
public struct KPICell: Sendable, Hashable {
    /// `YYYY-MM` or `all`.
    public let month: String
    /// A trip type or `all`.
    public let tripType: String
    /// A region or `all`.
    public let region: String
    /// The sums of the group.
    public let sums: KPISums

    /// The word for a rolled-up dimension; reserved in every dimension.
    public static let all = "all"

    /// Makes one cell.
    public init(month: String, tripType: String, region: String, sums: KPISums) {
        self.month = month
        self.tripType = tripType
        self.region = region
        self.sums = sums
    }
}

/// One row of `kpi_basis`: a cell of the cube, split by class and basis.
public struct BasisCell: Sendable, Hashable {
    /// `YYYY-MM` or `all`.
    public let month: String
    /// A trip type or `all`.
    public let tripType: String
    /// A region or `all`.
    public let region: String
    /// The class.
    public let tripClass: TripClass
    /// The basis; the empty text where a rule names none or no rule held.
    public let basis: String
    /// Counted trips.
    public let trips: Int64
    /// Counted trips whose cost is known.
    public let costedTrips: Int64
    /// The sum of the known costs.
    public let costCents: Int64

    /// Makes one cell.
    public init(
        month: String,
        tripType: String,
        region: String,
        tripClass: TripClass,
        basis: String,
        trips: Int64,
        costedTrips: Int64,
        costCents: Int64
    ) {
        self.month = month
        self.tripType = tripType
        self.region = region
        self.tripClass = tripClass
        self.basis = basis
        self.trips = trips
        self.costedTrips = costedTrips
        self.costCents = costCents
    }
}
