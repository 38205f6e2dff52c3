import Testing
import TripDomain

@testable import TripMart

@Suite struct EarlierNumbersTests {
    /// Two generations, of which the second is served.
    private static func served() throws -> (BuiltMart, ServingFolder, ServedGeneration) {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...2 { try mart.publish(ReferenceGeneration(seed: seed, count: 300)) }
        let serving = ServingFolder(mart.folder)
        _ = serving.refresh()
        return (mart, serving, try #require(serving.current))
    }

    /// Every number is the one that a server of that night answered with.
    @Test func theyAreThoseThatWerePublished() throws {
        let (mart, serving, served) = try Self.served()
        let earlier = try #require(serving.earlier(1, than: served))
        let then = try ServedGeneration(mart.folder, number: 1)
        #expect(earlier.header == then.header)
        let months: [ClosedRange<Month>?] = [nil] + then.whole.months.map { $0...$0 }
        for month in months + [then.whole.months[0]...then.whole.months[1]] {
            for type in [nil, "BLS", "none"] {
                for region in [nil, "08", "10"] {
                    let filter = ServedFilter(months: month, tripType: type, region: region)
                    #expect(earlier.cube.cell(filter) == then.whole.cell(filter), "\(filter)")
                }
            }
        }
    }

    @Test func theLastOnesAreKept() throws {
        let (mart, serving, served) = try Self.served()
        let earlier = try #require(serving.earlier(1, than: served))
        #expect(serving.earlier(1, than: served) === earlier)
        #expect(serving.earlier(9, than: served) == nil)
        // Beside another served generation, other files may be there.
        try mart.publish(ReferenceGeneration(seed: 3, count: 40))
        _ = serving.refresh()
        let newer = try #require(serving.current)
        #expect(serving.earlier(1, than: newer) !== earlier)
    }

    /// History is kept for good.
    @Test func aRemovedGenerationKeepsItsNumbers() throws {
        let (mart, serving, served) = try Self.served()
        for path in [mart.folder.generationPath(1), mart.folder.kpiPath(1)] {
            try FileSystem.remove(path)
            try FileSystem.remove(SumFile.path(for: path))
        }
        let earlier = try #require(serving.earlier(1, than: served))
        #expect(earlier.cube.cell(ServedFilter()).trips != nil)
    }

    /// The declared measures of then, against loops over the trips of then.
    @Test func declaredMeasuresAreThoseOfTheTripsOfThen() throws {
        let mart = try BuiltMart()
        let then = ReferenceGeneration(seed: 1, count: 400)
        try mart.publishDeclared(then)
        try mart.publishDeclared(ReferenceGeneration(seed: 2, count: 300), number: 2)
        let serving = ServingFolder(mart.folder)
        _ = serving.refresh()
        let served = try #require(serving.current)
        let earlier = try #require(serving.earlier(1, than: served))
        let months: [ClosedRange<Month>?] = [nil] + earlier.cube.months.map { $0...$0 }
        for month in months + [earlier.cube.months[0]...earlier.cube.months[1]] {
            for type in [nil, "BLS", "none"] as [String?] {
                for (region, scope) in [
                    (nil, nil), ("08", nil), ("none", nil), (nil, ["08", "10"]), (nil, []),
                    ("08", ["08"]), ("10", ["08"]),
                ] as [(String?, Set<String>?)] {
                    let filter = ServedFilter(
                        months: month,
                        tripType: type,
                        region: region,
                        scope: scope
                    )
                    let trips = then.trips.filter { trip in
                        trip.isCounted && month?.contains(trip.month) ?? true
                            && type ?? trip.tripType == trip.tripType
                            && region ?? trip.region == trip.region
                            && scope?.contains(trip.region) ?? true
                    }
                    let expected = ReferenceGeneration.measured.map {
                        MeasureChange.State($0.measure, ReferenceGeneration.value($0, trips))
                    }
                    #expect(try earlier.measures(filter) == expected, "\(filter)")
                }
            }
        }
    }

    @Test func withoutDeclarationsThereAreNoMeasures() throws {
        let (mart, serving, served) = try Self.served()
        defer { withExtendedLifetime(mart) {} }
        let earlier = try #require(serving.earlier(1, than: served))
        #expect(try earlier.measures(ServedFilter()).isEmpty)
    }

    /// A month that the generation does not have is no month without trips.
    @Test func aMonthOutsideItIsNotFound() throws {
        let (mart, _, _) = try Self.served()
        expectFailure(.notFound) {
            _ = try EarlierNumbers(1, month: Month(year: 2031, month: 1), in: mart.folder)
        }
    }
}
