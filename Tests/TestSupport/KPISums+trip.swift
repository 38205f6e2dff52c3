public import TripDomain

/// The slow twin of what is added up per trip: the table, row by row.
extension KPISums {
    /// Adds one counted trip.
    ///
    /// - Parameters:
    ///   - tripClass: The trip's class.
    ///   - cost: Its cost in cents; nil where not known.
    ///   - miles: Its loaded miles in hundredths; nil where not known.
    public mutating func add(tripClass: TripClass, cost: Int64?, miles: Int64?) {
        for sum in KPISum.allCases where sum.tripClass == nil || sum.tripClass == tripClass {
            if sum.measure.needsCost, cost == nil { continue }
            if sum.measure.needsMiles, miles == nil { continue }
            switch sum.measure {
            case .trips, .costedTrips, .milesKnownTrips, .costedMilesTrips: self[sum] += 1
            case .costCents, .costWithMilesCents: self[sum] += cost ?? 0
            case .milesHundredths, .costedMilesHundredths: self[sum] += miles ?? 0
            }
        }
    }
}
