internal import TripDomain

/// The places of trips that have several, trip by trip, side by side in memory.
struct RepeatedGroups: Sendable {
    /// The places of each trip, in order of exports; the trips in the order they were found.
    private var places: [TripPlace] = []
    /// Where each trip's places end, in the order they were found.
    private var ends: [UInt32] = []
    /// The trips in their order, by the order they were found.
    private var order: [UInt32] = []

    /// The number of trips.
    var count: Int { ends.count }

    /// The places of one trip: two or more, in order of exports.
    subscript(index: Int) -> ArraySlice<TripPlace> {
        found(Int(order[index]))
    }

    private func found(_ index: Int) -> ArraySlice<TripPlace> {
        places[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])]
    }

    mutating func append(_ group: [TripPlace]) {
        order.append(UInt32(ends.count))
        places += group
        ends.append(UInt32(places.count))
    }

    mutating func append(_ others: RepeatedGroups) {
        let (placeCount, tripCount) = (UInt32(places.count), UInt32(ends.count))
        places += others.places
        ends += others.ends.lazy.map { placeCount + $0 }
        order += others.order.lazy.map { tripCount + $0 }
    }

    /// Puts the trips in the order of their ids.
    ///
    /// - Parameter id: The text at a place; of one trip all are equal, of two trips none.
    /// - Complexity: O(*n* log *n*) in the trips; 18 bytes for each.
    mutating func sort(by id: (TripPlace) -> UnsafeRawBufferPointer) {
        // The first sixteen bytes mostly decide; they lie side by side, where ids do not.
        let heads = (0..<UInt32(count)).map { textHead(firstID($0, id)) }
        order = (0..<UInt32(count)).sorted { left, right in
            let (first, second) = (heads[Int(left)], heads[Int(right)])
            if first != second { return first < second }
            return precedesText(firstID(left, id), firstID(right, id))
        }
    }

    private func firstID(
        _ index: UInt32,
        _ id: (TripPlace) -> UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let group = found(Int(index))
        return id(group[group.startIndex])
    }
}
