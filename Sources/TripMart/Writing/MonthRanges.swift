import TripDomain

/// Which trips belong to which month.
///
/// Trips are stored by pick-up time, so that a month is a range of trip numbers and needs no index.
struct MonthRange: Hashable {
    let month: Month
    let firstTrip: Int
    let lastTrip: Int
}

enum MonthRanges {
    /// The months that have trips, in order of time.
    ///
    /// - Precondition: the accepted order is by pick-up time.
    /// - Complexity: O(*n*) in the accepted trips.
    static func find(in contents: GenerationContents) -> [MonthRange] {
        let pickups = contents.batches.map { $0.columns[contents.shape.pickupIndex].integers }
        var ranges: [MonthRange] = []
        var month = Month(monthNumber: 0)
        var first = 1
        var next = Int64.min
        for (index, place) in contents.acceptedOrder.enumerated() {
            let seconds = pickups[Int(place.batch)].value(Int(place.row)) ?? 0
            guard seconds >= next else { continue }
            if index > 0 {
                ranges.append(MonthRange(month: month, firstTrip: first, lastTrip: index))
            }
            month = CivilTime.date(ofSeconds: seconds).month
            first = index + 1
            next = (Int64(month.lastDay.dayNumber) + 1) * CivilTime.daySeconds
        }
        if !contents.acceptedOrder.isEmpty {
            let count = contents.acceptedOrder.count
            ranges.append(MonthRange(month: month, firstTrip: first, lastTrip: count))
        }
        return ranges
    }
}
