import TripDomain

/// The sums of the trips of one cell key; their class is that of the key.
struct ContributionSums: Hashable, Sendable {
    private var trips: Int64 = 0
    private var costedTrips: Int64 = 0
    private var costCents: Int64 = 0
    private var milesKnownTrips: Int64 = 0
    private var milesHundredths: Int64 = 0
    private var costWithMilesCents: Int64 = 0
    private var costedMilesHundredths: Int64 = 0
    private var costedMilesTrips: Int64 = 0

    /// Adds one trip; one that is not counted contributes nothing.
    ///
    /// A file whose amounts leave 64 bits is damaged; the check of the final sums finds that.
    mutating func add(_ trip: TripContribution) {
        guard trip.cellKey != KPICellKeys.none else { return }
        trips += 1
        if let cost = trip.costCents {
            costedTrips += 1
            costCents &+= cost
        }
        guard let miles = trip.milesHundredths else { return }
        milesKnownTrips += 1
        milesHundredths &+= miles
        guard let cost = trip.costCents else { return }
        costWithMilesCents &+= cost
        costedMilesHundredths &+= miles
        costedMilesTrips += 1
    }

    /// Adds the sums of other trips.
    static func += (left: inout ContributionSums, right: ContributionSums) {
        left.trips += right.trips
        left.costedTrips += right.costedTrips
        left.costCents &+= right.costCents
        left.milesKnownTrips += right.milesKnownTrips
        left.milesHundredths &+= right.milesHundredths
        left.costWithMilesCents &+= right.costWithMilesCents
        left.costedMilesHundredths &+= right.costedMilesHundredths
        left.costedMilesTrips += right.costedMilesTrips
    }

    /// The sums of two groups of trips.
    static func + (left: ContributionSums, right: ContributionSums) -> ContributionSums {
        var sum = left
        sum += right
        return sum
    }

    /// The sums in the form of a cell.
    ///
    /// - Parameters:
    ///   - tripClass: The class of the cell key.
    ///   - hasMiles: Whether the cell has sums of miles.
    /// - Returns: The sums.
    func kpi(_ tripClass: TripClass, hasMiles: Bool) -> KPISums {
        var sums = KPISums()
        (sums.trips, sums.costCents) = (trips, costCents)
        switch tripClass {
        case .inHouse:
            sums.inHouseTrips = trips
            (sums.inHouseCostedTrips, sums.inHouseCostCents) = (costedTrips, costCents)
        case .contracted:
            sums.contractedTrips = trips
            (sums.contractedCostedTrips, sums.contractedCostCents) = (costedTrips, costCents)
        case .undetermined:
            sums.undeterminedTrips = trips
            (sums.undeterminedCostedTrips, sums.undeterminedCostCents) = (costedTrips, costCents)
        }
        guard hasMiles else { return sums }
        (sums.milesKnownTrips, sums.loadedMilesHundredths) = (milesKnownTrips, milesHundredths)
        sums.costWithMilesCents = costWithMilesCents
        sums.costedMilesHundredths = costedMilesHundredths
        sums.costedMilesTrips = costedMilesTrips
        return sums
    }
}
