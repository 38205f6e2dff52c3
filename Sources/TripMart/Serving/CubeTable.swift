/// Values by group of trips, where each has a place of its own: found by counting, without a hash.
///
/// A place takes four bytes, and a value what it takes: of many types and many regions most occur together in no month.
/// The months of a type and region are side by side, as they are what is added up.
struct CubeTable<Value: Sendable>: Sendable {
    private let monthCount: Int
    private let regionCount: Int
    /// Where the value of each place stands in the entries, from 1; 0 where there is none.
    private var slots: [UInt32]
    /// The groups that have a value, with it, in the order in which they came: best that of their places.
    private(set) var entries: [(key: CubeKey, value: Value)] = []

    /// Holds nothing yet.
    ///
    /// - Parameter places: The months, trip types and regions there are.
    init(_ places: CubePlaces) {
        // One more of each, for all of them.
        monthCount = places.months.count + 1
        regionCount = places.regions.count + 1
        slots = Array(
            repeating: 0,
            count: (places.tripTypes.count + 1) * regionCount * monthCount
        )
    }

    /// The value of a group of its places; nil where there is none.
    ///
    /// - Complexity: O(1).
    subscript(key: CubeKey) -> Value? {
        let slot = slots[index(key)]
        return slot == 0 ? nil : entries[Int(slot) - 1].value
    }

    /// Gives a group of its places a value, in place of the one it has.
    ///
    /// - Complexity: O(1), amortized.
    mutating func set(_ value: Value, at key: CubeKey) {
        let index = index(key)
        if slots[index] == 0 {
            entries.append((key, value))
            slots[index] = UInt32(entries.count)
        } else {
            entries[Int(slots[index]) - 1].value = value
        }
    }

    /// Where a group has its place, counted from the first.
    func index(_ key: CubeKey) -> Int {
        (Int(key.tripType) * regionCount + Int(key.region)) * monthCount + Int(key.month)
    }
}
