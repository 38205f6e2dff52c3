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
            #expect(served.measures(filter, .whole) == expected, "\(filter)")
        }
    }

    /// What a reader of suppressed numbers sees is true, or hidden; and some of it is shown.
    @Test(arguments: [(UInt64(1), 4000, 11), (2, 12_000, 11), (3, 700, 0)])
    func aSuppressedValueIsTrueOrHidden(seed: UInt64, count: Int, least: Int) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: seed, count: count)
        try mart.publishDeclared(reference, suppressBelow: least)
        let served = try ServedGeneration(mart.folder, number: 1)
        var (shown, hidden) = (0, 0)
        for filter in Self.filters(served) where filter.tripType != "none" {
            if filter.region == "none" { continue }
            let trips = Self.trips(reference, filter)
            let found = served.measures(filter, .suppressed)
            for (measured, value) in zip(ReferenceGeneration.measured, found) {
                guard let value else {
                    hidden += 1
                    continue
                }
                #expect(value == ReferenceGeneration.value(measured, trips), "\(filter)")
                #expect(value.knownTrips == 0 || value.knownTrips >= least, "\(filter)")
                shown += 1
            }
        }
        #expect(shown > 0)
        // Medians of several months do not follow from what is shown of each.
        #expect(hidden > 0)
    }

    /// Beside the reader's own regions, totals would give the other ones away.
    @Test func nothingIsShownOfTotalsBesideOwnRegions() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 4, count: 900)
        try mart.publishDeclared(reference)
        let served = try ServedGeneration(mart.folder, number: 1)
        let own = ServedFilter(scope: ["08"], hasNationalTotals: true)
        #expect(served.measures(own, .beside(["08"])).allSatisfy { $0 == nil })
        var region = own
        region.region = "08"
        let trips = Self.trips(reference, region)
        #expect(
            served.measures(region, .beside(["08"]))
                == ReferenceGeneration.measured.map { ReferenceGeneration.value($0, trips) }
        )
        region.region = "10"
        #expect(served.measures(region, .beside(["08"])).allSatisfy { $0?.knownTrips == 0 })
    }

    @Test(arguments: [
        "UPDATE kpi_measure_shown SET region = 'none' WHERE region = '08'",
        "UPDATE kpi_measure_shown SET sum = 9223372036854775807 WHERE sum IS NOT NULL",
        "DELETE FROM measure WHERE name = 'far'",
    ])
    func aSuppressedFileThatNoRunWritesIsDamage(fault: String) throws {
        let mart = try BuiltMart()
        try mart.publishDeclared(ReferenceGeneration(seed: 4, count: 900))
        try BuiltMart.tamper(mart.folder.kpiPath(1), fault)
        expectFailure(.damaged) { _ = try ServedGeneration(mart.folder, number: 1) }
    }
}
