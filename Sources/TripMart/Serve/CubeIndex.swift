import TripDomain

/// The positions of months, trip types and regions in the cubes of one generation.
struct CubeIndex: Sendable {
    /// The months that have trips, in order.
    let months: [Month]
    /// The trip types that occur, by value.
    let tripTypes: [DimensionLabel]
    /// The regions that occur, by value.
    let regions: [DimensionLabel]
    // By bytes: texts that are equal in Unicode are two values.
    private let monthPositions: [Month: UInt32]
    private let tripTypePositions: [[UInt8]: UInt32]
    private let regionPositions: [[UInt8]: UInt32]

    init(months: [Month], tripTypes: [DimensionLabel], regions: [DimensionLabel]) {
        (self.months, self.tripTypes, self.regions) = (months, tripTypes, regions)
        monthPositions = Self.positions(months)
        tripTypePositions = Self.positions(tripTypes.map { Array($0.value.utf8) })
        regionPositions = Self.positions(regions.map { Array($0.value.utf8) })
    }

    /// The positions of values, from 1; of a value that occurs twice, the first.
    private static func positions<Value: Hashable>(_ values: [Value]) -> [Value: UInt32] {
        Dictionary(zip(values, 1...)) { first, _ in first }
    }

    func position(ofTripType value: String) -> UInt32? { tripTypePositions[Array(value.utf8)] }
    func position(ofRegion value: String) -> UInt32? { regionPositions[Array(value.utf8)] }

    func position(of month: Month) -> UInt32? { monthPositions[month] }

    /// The key of a stored row, whose words may be `all`; nil where one does not occur.
    func key(month: String, tripType: String, region: String) -> CubeKey? {
        func position(_ word: String, _ find: (String) -> UInt32?) -> UInt32? {
            word == KPICell.all ? 0 : find(word)
        }
        guard let month = position(month, { Month(text: $0).flatMap(self.position(of:)) }),
            let tripType = position(tripType, position(ofTripType:)),
            let region = position(region, position(ofRegion:))
        else { return nil }
        return CubeKey(month: month, tripType: tripType, region: region)
    }

    /// The groups that a filter adds up; nil where it names a value that does not occur, or that
    /// its reader may not see.
    func span(_ filter: ServedFilter) -> CubeSpan? {
        guard let type = filter.tripType.map(position(ofTripType:)) ?? 0,
            let regions = regionPositions(filter)
        else { return nil }
        return CubeSpan(
            months: filter.months.map(positions(of:)) ?? 0..<1,
            tripType: type,
            regions: regions
        )
    }

    /// The positions of the months of a range; months are in order.
    private func positions(of range: ClosedRange<Month>) -> Range<UInt32> {
        let before = months.prefix { $0 < range.lowerBound }.count
        let until = months.prefix { $0 <= range.upperBound }.count
        return UInt32(before + 1)..<UInt32(until + 1)
    }

    private func regionPositions(_ filter: ServedFilter) -> [UInt32]? {
        if let region = filter.region {
            guard filter.mayShow(region: region) else { return nil }
            return position(ofRegion: region).map { [$0] }
        }
        guard let scope = filter.scope, !filter.hasNationalTotals else { return [0] }
        return scope.compactMap(position(ofRegion:)).sorted()
    }
}

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

/// Groups that are added up: of some months, or of all at position 0, of one trip type or all, and
/// of some regions.
struct CubeSpan {
    var months: Range<UInt32>
    var tripType: UInt32
    var regions: [UInt32]

    /// Calls a function for each of its groups.
    @inline(__always)
    func forEach(_ body: (CubeKey) -> Void) {
        for region in regions {
            for month in months {
                body(CubeKey(month: month, tripType: tripType, region: region))
            }
        }
    }
}
