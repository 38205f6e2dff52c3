internal import TripDomain

/// The positions of trips that have several versions, trip by trip, in one array.
struct RepeatedGroups: Sendable {
    /// The positions of each trip, in order of exports; the trips in the order they were found.
    private var positions: [TripPosition] = []
    /// The end of each trip's range in `positions`, in the order the trips were found.
    private var ends: [UInt32] = []
    /// The sorted trips, each by its index in the order they were found.
    private var order: [UInt32] = []

    /// The number of trips.
    var count: Int { ends.count }

    /// The positions of one trip: two or more, in order of exports.
    subscript(index: Int) -> ArraySlice<TripPosition> {
        found(Int(order[index]))
    }

    private func found(_ index: Int) -> ArraySlice<TripPosition> {
        positions[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
    }

    mutating func append(_ group: [TripPosition]) {
        order.append(UInt32(ends.count))
        positions += group
        ends.append(UInt32(positions.count))
    }

    mutating func append(_ others: RepeatedGroups) {
        let (positionCount, tripCount) = (UInt32(positions.count), UInt32(ends.count))
        positions += others.positions
        ends += others.ends.lazy.map { positionCount + $0 }
        order += others.order.lazy.map { tripCount + $0 }
    }

    /// Sorts the trips by their ids.
    ///
    /// - Parameter id: The id at a position; ids are equal exactly for versions of the same trip.
    /// - Complexity: O(*n* log *n*) in the trips; 18 bytes for each.
    mutating func sort(by id: (TripPosition) -> UnsafeRawBufferPointer) {
        // The first sixteen bytes mostly decide. They are in one array, while ids are scattered.
        let heads = (0..<UInt32(count)).map { textHead(firstID($0, id)) }
        order = (0..<UInt32(count)).sorted { left, right in
            let (first, second) = (heads[Int(left)], heads[Int(right)])
            if first != second { return first < second }
            return precedesText(firstID(left, id), firstID(right, id))
        }
    }

    private func firstID(
        _ index: UInt32,
        _ id: (TripPosition) -> UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let group = found(Int(index))
        return id(group[group.startIndex])
    }
}
