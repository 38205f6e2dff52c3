import TripDomain

/// Where months, trip types and regions stand in the cubes of one generation.
struct CubePlaces: Sendable {
    /// The months that have trips, in order.
    let months: [Month]
    /// The trip types that occur, by value.
    let tripTypes: [DimensionLabel]
    /// The regions that occur, by value.
    let regions: [DimensionLabel]
    // By bytes: texts that Unicode calls equal are two values.
    private let monthPlaces: [Month: UInt32]
    private let tripTypePlaces: [[UInt8]: UInt32]
    private let regionPlaces: [[UInt8]: UInt32]

    init(months: [Month], tripTypes: [DimensionLabel], regions: [DimensionLabel]) {
        (self.months, self.tripTypes, self.regions) = (months, tripTypes, regions)
        monthPlaces = Self.places(months)
        tripTypePlaces = Self.places(tripTypes.map { Array($0.value.utf8) })
        regionPlaces = Self.places(regions.map { Array($0.value.utf8) })
    }

    /// Where values stand, from 1; of one that is there twice the first.
    private static func places<Value: Hashable>(_ values: [Value]) -> [Value: UInt32] {
        Dictionary(zip(values, 1...)) { first, _ in first }
    }

    func place(ofTripType value: String) -> UInt32? { tripTypePlaces[Array(value.utf8)] }
    func place(ofRegion value: String) -> UInt32? { regionPlaces[Array(value.utf8)] }

    func place(of month: Month) -> UInt32? { monthPlaces[month] }

    /// The key of a stored row, whose words may be `all`; nil where one does not occur.
    func key(month: String, tripType: String, region: String) -> CubeKey? {
        func place(_ word: String, _ find: (String) -> UInt32?) -> UInt32? {
            word == KPICell.all ? 0 : find(word)
        }
        guard let month = place(month, { Month(text: $0).flatMap(self.place(of:)) }),
            let tripType = place(tripType, place(ofTripType:)),
            let region = place(region, place(ofRegion:))
        else { return nil }
        return CubeKey(month: month, tripType: tripType, region: region)
    }

    /// Where the groups stand whose sum a filter asks for; nil where it names what does not occur, or what its reader may
    /// not see.
    func span(_ filter: ServedFilter) -> CubeSpan? {
        guard let type = filter.tripType.map(place(ofTripType:)) ?? 0,
            let regions = regionPlaces(filter)
        else { return nil }
        return CubeSpan(
            months: filter.months.map(places(of:)) ?? 0..<1,
            tripType: type,
            regions: regions
        )
    }

    /// Where the months of a range stand, which are in order.
    private func places(of range: ClosedRange<Month>) -> Range<UInt32> {
        let before = months.prefix { $0 < range.lowerBound }.count
        let until = months.prefix { $0 <= range.upperBound }.count
        return UInt32(before + 1)..<UInt32(until + 1)
    }

    private func regionPlaces(_ filter: ServedFilter) -> [UInt32]? {
        if let region = filter.region {
            guard filter.mayShow(region: region) else { return nil }
            return place(ofRegion: region).map { [$0] }
        }
        guard let scope = filter.scope, !filter.hasNationalTotals else { return [0] }
        return scope.compactMap(place(ofRegion:)).sorted()
    }
}
