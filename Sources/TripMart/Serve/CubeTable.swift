/// Values by group of trips, in a dense array of positions instead of a hash table.
///
/// A position takes four bytes, and a value its own size: most combinations of many types and many
/// regions occur in no month. The months of a type and region are adjacent, because they are added
/// up together.
struct CubeTable<Value: Sendable>: Sendable {
    private let monthCount: Int
    private let regionCount: Int
    /// The index of the value of each position among the entries, from 1; 0 where there is none.
    private var slots: [UInt32]
    /// The groups that have a value, with it, in the order of insertion, which is best that of
    /// their positions.
    private(set) var entries: [(key: CubeKey, value: Value)] = []

    /// Creates an empty table.
    ///
    /// - Parameter cubeIndex: The months, trip types and regions that occur.
    init(_ cubeIndex: CubeIndex) {
        // One more of each, for `all`.
        monthCount = cubeIndex.months.count + 1
        regionCount = cubeIndex.regions.count + 1
        slots = Array(
            repeating: 0,
            count: (cubeIndex.tripTypes.count + 1) * regionCount * monthCount
        )
    }

    /// The value of a group; nil where there is none.
    ///
    /// - Complexity: O(1).
    subscript(key: CubeKey) -> Value? {
        let slot = slots[index(key)]
        return slot == 0 ? nil : entries[Int(slot) - 1].value
    }

    /// Sets the value of a group, and replaces an earlier one.
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

    /// The position of a group, from 0.
    func index(_ key: CubeKey) -> Int {
        (Int(key.tripType) * regionCount + Int(key.region)) * monthCount + Int(key.month)
    }
}
