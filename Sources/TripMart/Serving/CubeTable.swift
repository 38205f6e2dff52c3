/// Values by group of trips, where each has a place of its own: found by counting, without a hash.
struct CubeTable<Value: Sendable>: Sendable {
    private let tripTypeCount: Int
    private let regionCount: Int
    private var values: [Value?]

    /// Holds nothing yet.
    ///
    /// - Parameter places: The months, trip types and regions there are.
    init(_ places: CubePlaces) {
        // One more of each, for all of them.
        tripTypeCount = places.tripTypes.count + 1
        regionCount = places.regions.count + 1
        values = Array(
            repeating: nil,
            count: (places.months.count + 1) * tripTypeCount * regionCount
        )
    }

    /// The value of a group of its places; nil where there is none.
    ///
    /// - Complexity: O(1).
    subscript(key: CubeKey) -> Value? {
        get { values[index(key)] }
        set { values[index(key)] = newValue }
    }

    /// The groups that have a value, with it.
    var entries: some Sequence<(key: CubeKey, value: Value)> {
        values.indices.lazy.compactMap { index in values[index].map { (key: key(index), value: $0) }
        }
    }

    private func index(_ key: CubeKey) -> Int {
        (Int(key.month) * tripTypeCount + Int(key.tripType)) * regionCount + Int(key.region)
    }

    private func key(_ index: Int) -> CubeKey {
        let (rest, region) = index.quotientAndRemainder(dividingBy: regionCount)
        let (month, tripType) = rest.quotientAndRemainder(dividingBy: tripTypeCount)
        return CubeKey(month: UInt32(month), tripType: UInt32(tripType), region: UInt32(region))
    }
}
