import Testing
import TripDomain

@testable import TripMart

/// Declared measures in memory against loops over all trips.
@Suite struct ServedMeasuresTests {
    private static func trips(
        _ reference: ReferenceGeneration,
        _ filter: ServedFilter
    ) -> [ReferenceTrip] {
        reference.trips.filter { trip in
            trip.isCounted && filter.months?.contains(trip.month) ?? true
                && filter.tripType ?? trip.tripType == trip.tripType
                && filter.region ?? trip.region == trip.region
                && filter.mayShow(region: trip.region)
        }
    }

    private static func filters(_ served: ServedGeneration) -> [ServedFilter] {
        let months = served.whole.months
        let ranges: [ClosedRange<Month>?] =
            [nil] + months.flatMap { first in months.filter { $0 >= first }.map { first...$0 } }
        let types: [String?] = [nil, "none"] + served.whole.tripTypes.map(\.value)
        let regions: [String?] = [nil, "none"] + served.whole.regions.map(\.value)
        let own = Set(served.whole.regions.prefix(2).map(\.value))
        return ranges.flatMap { range in
            types.flatMap { type in
                regions.map { ServedFilter(months: range, tripType: type, region: $0) }
                    + [ServedFilter(months: range, tripType: type, scope: own)]
            }
        }
    }

    @Test(arguments: [UInt64(1), 2])
    func everyFilterHasTheValuesOfItsTrips(seed: UInt64) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: seed, count: 700)
        try mart.publishDeclared(reference)
        let served = try ServedGeneration(mart.folder, number: 1)
        for filter in Self.filters(served) {
            let trips = Self.trips(reference, filter)
            let expected = ReferenceGeneration.measured.map { ReferenceGeneration.value($0, trips) }
            #expect(served.measures.values(filter) == expected, "\(filter)")
        }
    }

    /// A file for other programs has no measure at all.
    @Test func theSuppressedFileHasNone() throws {
        let mart = try BuiltMart()
        try mart.publishDeclared(ReferenceGeneration(seed: 4, count: 900))
        let tables = try BuiltMart.rows(
            mart.folder.kpiPath(1),
            "SELECT name FROM sqlite_schema WHERE name LIKE '%measure%'"
        )
        #expect(tables.isEmpty)
    }

    /// Of a scope of regions, the trips of the others do not count.
    @Test func aRegionOutsideTheScopeHasNoTrips() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 4, count: 900)
        try mart.publishDeclared(reference)
        let served = try ServedGeneration(mart.folder, number: 1)
        var filter = ServedFilter(scope: ["08"], hasNationalTotals: true)
        filter.region = "08"
        let trips = Self.trips(reference, filter)
        #expect(
            served.measures.values(filter)
                == ReferenceGeneration.measured.map { ReferenceGeneration.value($0, trips) }
        )
        filter.region = "10"
        #expect(served.measures.values(filter).allSatisfy { $0.knownTrips == 0 })
    }
}
