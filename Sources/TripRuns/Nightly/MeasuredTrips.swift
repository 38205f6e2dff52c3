import TripDomain
import TripEngine
import TripRules

/// The input of the checks: the trips of some files, or all trips.
struct MeasuredTrips {
    /// Whether these are all trips, known before: then they are not the volume of this run.
    var areAll: Bool
    /// The account of their files.
    var ledger: Ledger
    /// The records of their files.
    var records: Int64
    /// The sums of those that are in force and counted.
    var sums: KPISums
    /// Their regions compared with those that the exports name.
    var regions: RegionComparison
    /// The counts of each look-up, in the pipeline's order.
    var tallies: [TripClassifier.LookupTally]
    /// The greatest pick-up date of all trips.
    var dataThrough: CivilDate?
    /// The month of that date with the sums of all trips.
    var latestMonth: (month: Month, sums: KPISums)?
}

extension Cube {
    /// The greatest pick-up date accepted.
    var dataThrough: CivilDate? { lastPickup.map { CivilTime.date(ofSeconds: $0) } }

    /// The month of the last trip with its sums over all types and regions.
    var latestMonth: (month: Month, sums: KPISums)? {
        guard let month = dataThrough?.month else { return nil }
        let cell = cells.first {
            $0.month == month.text && $0.tripType == KPICell.all && $0.region == KPICell.all
        }
        return cell.map { (month, $0.sums) }
    }
}
