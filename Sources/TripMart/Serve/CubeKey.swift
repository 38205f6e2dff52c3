/// The key of a group of trips, by positions from 1; 0 stands for all.
///
/// Keys are ordered as in a ``CubeTable``.
struct CubeKey: Hashable, Comparable {
    let month: UInt32
    let tripType: UInt32
    let region: UInt32

    /// The totals of its trip type and of its region in its month.
    var totals: [CubeKey] {
        [
            CubeKey(month: month, tripType: tripType, region: 0),
            CubeKey(month: month, tripType: 0, region: region),
        ]
    }

    static func < (left: CubeKey, right: CubeKey) -> Bool {
        (left.tripType, left.region, left.month) < (right.tripType, right.region, right.month)
    }

    /// The key of the group over all months.
    var overMonths: CubeKey { CubeKey(month: 0, tripType: tripType, region: region) }
}
