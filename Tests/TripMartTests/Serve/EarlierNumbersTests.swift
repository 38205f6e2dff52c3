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

    /// A month that the generation does not have is no month without trips.
    @Test func aMonthOutsideItIsNotFound() throws {
        let (mart, _, _) = try Self.served()
        expectFailure(.notFound) {
            _ = try EarlierNumbers(1, month: Month(year: 2031, month: 1), in: mart.folder)
        }
    }
}
