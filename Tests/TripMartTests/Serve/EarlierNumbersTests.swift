import Testing
import TripDomain

@testable import TripMart

@Suite struct EarlierNumbersTests {
    private static let own: Set = ["08"]

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
        #expect(earlier.header == then.header && earlier.isForEveryReader)
        let months: [ClosedRange<Month>?] = [nil] + then.whole.months.map { $0...$0 }
        for month in months + [then.whole.months[0]...then.whole.months[1]] {
            for type in [nil, "BLS", "none"] {
                for region in [nil, "08", "10"] {
                    let filter = ServedFilter(months: month, tripType: type, region: region)
                    for numbers in [VisibleNumbers.whole, .suppressed, .beside(Self.own)] {
                        let cell = earlier.cube(numbers)?.cell(filter)
                        #expect(cell == then.cube(numbers).cell(filter), "\(numbers) \(filter)")
                    }
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

    /// History is kept for good; the suppressed cube goes with its generation.
    @Test func aRemovedGenerationLeavesTheWholeCube() throws {
        let (mart, serving, served) = try Self.served()
        for path in [mart.folder.generationPath(1), mart.folder.kpiPath(1)] {
            try FileSystem.remove(path)
            try FileSystem.remove(SumFile.path(for: path))
        }
        let earlier = try #require(serving.earlier(1, than: served))
        #expect(earlier.cube(.whole)?.cell(ServedFilter()).trips != nil)
        #expect(earlier.cube(.suppressed) == nil && earlier.cube(.beside(Self.own)) == nil)
        #expect(!earlier.isForEveryReader)
    }

    /// A month that the generation does not have is no month without trips.
    @Test func aMonthOutsideItIsNotFound() throws {
        let (mart, _, _) = try Self.served()
        let index = HistoryIndex(mart.folder)
        let (first, second) = (try #require(index.entry(1)), try #require(index.entry(2)))
        expectFailure(.notFound) {
            _ = try EarlierNumbers(
                first,
                month: Month(year: 2031, month: 1),
                in: mart.folder,
                beside: second
            )
        }
    }
}
