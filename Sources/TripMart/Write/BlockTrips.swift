import TripDomain

/// The trips of a block, grouped by batch.
///
///     batches | 7      | 9           | 12 …      each with the index of its first trip
///     trips   | ··· ·· | ·· · ··· ·· | ··· …     row in the batch, row in the block
///
/// In stored order each trip is in another batch than the one before it. In this order a column
/// takes all its values from one batch before the next, so that each batch is opened once and its
/// values are in the nearest cache.
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
    init(_ positions: ArraySlice<TripPosition>) {
        let least = Int(positions.lazy.map(\.batch).min() ?? 0)
        let greatest = Int(positions.lazy.map(\.batch).max() ?? 0)
        var starts = [Int](repeating: 0, count: greatest - least + 2)
        for position in positions { starts[Int(position.batch) - least + 1] += 1 }
        for batch in starts.indices.dropFirst() {
            let count = starts[batch]
            starts[batch] += starts[batch - 1]
            guard count > 0 else { continue }
            runs.append((batch - 1 + least, starts[batch - 1]..<starts[batch]))
        }
        // Each position has one slot, and there are as many slots as positions.
        trips = [Trip](unsafeUninitializedCapacity: positions.count) { trips, filled in
            var row: UInt32 = 0
            for position in positions {
                let batch = Int(position.batch) - least
                trips.initializeElement(
                    at: starts[batch],
                    to: Trip(source: position.row, row: row)
                )
                starts[batch] += 1
                row += 1
            }
            filled = positions.count
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
