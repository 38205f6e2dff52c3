import TripDomain

/// The trips of a block, batch by batch.
///
///     batches | 7      | 9           | 12 …      each with where its trips begin
///     trips   | ··· ·· | ·· · ··· ·· | ··· …     row in the batch, row in the block
///
/// In stored order each trip is in another batch than the one before it. In this order a column takes
/// all it needs from one batch before it goes on to the next, so that the batch is opened once and its
/// values are found in the nearest cache.
struct BlockTrips {
    /// One trip.
    struct Trip {
        /// Its row in the batch.
        let source: UInt32
        /// Its row in the block.
        let row: UInt32
    }

    private var trips: [Trip]
    private var runs: [(batch: Int, trips: Range<Int>)] = []

    /// - Complexity: O(*n* + *b*) in the trips and the batches between the first and the last.
    init(_ places: ArraySlice<TripPlace>) {
        let least = Int(places.lazy.map(\.batch).min() ?? 0)
        let greatest = Int(places.lazy.map(\.batch).max() ?? 0)
        var starts = [Int](repeating: 0, count: greatest - least + 2)
        for place in places { starts[Int(place.batch) - least + 1] += 1 }
        for batch in starts.indices.dropFirst() {
            let count = starts[batch]
            starts[batch] += starts[batch - 1]
            guard count > 0 else { continue }
            runs.append((batch - 1 + least, starts[batch - 1]..<starts[batch]))
        }
        // Each place has a slot of its own, and there are as many slots as places.
        trips = [Trip](unsafeUninitializedCapacity: places.count) { trips, filled in
            var row: UInt32 = 0
            for place in places {
                let batch = Int(place.batch) - least
                trips.initializeElement(
                    at: starts[batch],
                    to: Trip(source: place.row, row: row)
                )
                starts[batch] += 1
                row += 1
            }
            filled = places.count
        }
    }

    /// Calls a function for each batch, with its trips.
    @inline(__always)
    func each(_ body: (Int, UnsafeBufferPointer<Trip>) -> Void) {
        trips.withUnsafeBufferPointer { trips in
            for run in runs {
                body(run.batch, UnsafeBufferPointer(rebasing: trips[run.trips]))
            }
        }
    }
}
