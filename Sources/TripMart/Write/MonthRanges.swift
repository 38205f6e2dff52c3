import TripDomain

/// The trips of one month.
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
    /// - Complexity: O(*m* log *n*) in the months and the accepted trips.
    static func find(in contents: GenerationContents) -> [MonthRange] {
        let order = contents.acceptedOrder
        let pickups = contents.batches.map {
            $0.columns[contents.shape.pickupIndex].integers.reader
        }
        func seconds(_ index: Int) -> Int64 {
            pickups[Int(order[index].batch)].value(Int(order[index].row)) ?? 0
        }
        // The readers point into the batches.
        defer { withExtendedLifetime(contents.batches) {} }
        var ranges: [MonthRange] = []
        var first = 0
        while first < order.count {
            let month = CivilTime.date(ofSeconds: seconds(first)).month
            let end = (Int64(month.lastDay.dayNumber) + 1) * CivilTime.daySeconds
            var (low, high) = (first + 1, order.count)
            while low < high {
                let middle = (low + high) / 2
                if seconds(middle) < end { low = middle + 1 } else { high = middle }
            }
            ranges.append(MonthRange(month: month, firstTrip: first + 1, lastTrip: low))
            first = low
        }
        return ranges
    }
}
