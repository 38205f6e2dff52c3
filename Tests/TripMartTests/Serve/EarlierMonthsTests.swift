import TestSupport
import Testing
import TripDomain

@testable import TripMart

/// What an open month is compared with, by adding up the trips of each night by hand.
@Suite struct EarlierMonthsTests {
    /// The last night, those of about a year and of a month before, and some in between.
    private static func days(_ seed: UInt64) -> [Int32] {
        var dice = SeededDice(seed: seed)
        let others = (0..<6).map { _ in Int32.random(in: 40..<460, using: &dice) }
        let last: Int32 = 470
        let year = last - 365 + Int32.random(in: -2...2, using: &dice)
        let month = last - 31 + Int32.random(in: -1...1, using: &dice)
        return Set(others + [last, year, month]).sorted()
    }

    /// The night whose data ended nearest to a day, by looking at all of them.
    private static func nearest(_ nights: PublishedNights, to day: Int32) -> Int? {
        var best: (number: Int, distance: Int32)?
        for number in 1..<nights.nights.count {
            guard let through = nights.dataThrough(number) else { continue }
            let distance = abs(through.dayNumber - day)
            guard distance <= 3, distance <= best?.distance ?? 3 else { continue }
            best = (number, distance)
        }
        return best?.number
    }

    /// The month of an answer and the generation it is read from, and the sums of its trips.
    private static func twin(
        _ nights: PublishedNights,
        _ month: Month,
        _ type: String?,
        _ region: String?
    ) -> (month: Month, number: Int, sums: KPISums)? {
        guard let through = nights.dataThrough(nights.nights.count) else { return nil }
        for back: Int32 in [12, 1] {
            let earlier = Month(monthNumber: month.monthNumber - back)
            let age = through.dayNumber - month.lastDay.dayNumber
            guard let number = nearest(nights, to: earlier.lastDay.dayNumber + age) else {
                continue
            }
            func trips(_ number: Int, _ month: Month) -> [ReferenceTrip] {
                nights.nights[number - 1].trips.filter {
                    $0.month == month && $0.isCounted && [nil, $0.tripType].contains(type)
                        && [nil, $0.region].contains(region)
                }
            }
            let (then, now) = (trips(number, earlier), trips(nights.nights.count, month))
            guard !then.isEmpty, then.count * 10 >= now.count else { continue }
            return (earlier, number, ReferenceGeneration.sums(then))
        }
        return nil
    }

    @Test(arguments: [1, 2] as [UInt64])
    func anOpenMonthIsComparedWithWhatTheEarlierOneReadAtTheSameAge(seed: UInt64) throws {
        let nights = try PublishedNights(seed: seed, days: Self.days(seed))
        let served = try ServedGeneration(nights.mart.folder, number: nights.nights.count)
        var (kinds, ages) = (Set<Int32>(), Set<Int>())
        for month in served.months where month.isOpen {
            for type in [nil, "BLS", "ALS1", "FW"] {
                for region in [nil, "08", "10", "UNKNOWN"] {
                    let month = month.month
                    let filter = ServedFilter(
                        months: month...month,
                        tripType: type,
                        region: region
                    )
                    let found = served.comparison(filter, .whole)
                    let twin = Self.twin(nights, month, type, region)
                    #expect(found?.month == twin?.month, "\(filter)")
                    #expect(found?.generation.number == twin?.number, "\(filter)")
                    #expect(found?.cell == twin.map { ServedCell($0.sums) }, "\(filter)")
                    guard let found else { continue }
                    #expect(found.kind == .sameAge)
                    let age = served.header.dataThrough.map {
                        Int($0.dayNumber - month.lastDay.dayNumber)
                    }
                    #expect(abs(found.ageDays - (age ?? .max)) <= 3)
                    kinds.insert(month.monthNumber - found.month.monthNumber)
                    ages.insert(found.ageDays)
                }
            }
        }
        // A year or a month before, at more than one age.
        #expect(!kinds.isEmpty && ages.count > 1)
    }

    /// The content that a rollback withdrew was wrong, and is compared with nothing.
    @Test func withdrawnContentIsNotComparedWith() throws {
        let days: [Int32] = [80, 105, 470]
        let nights = try PublishedNights(seed: 4, days: Array(days.prefix(2)))
        try nights.rollBack(to: 1)
        let all = try PublishedNights(seed: 4, days: days)
        try nights.mart.publish(all.nights[2])
        for (mart, isKept) in [(nights.mart, false), (all.mart, true)] {
            let number = try #require(try mart.folder.servedNumber())
            let served = try ServedGeneration(mart.folder, number: number)
            let month = try #require(served.months.last?.month)
            let found = served.comparison(ServedFilter(months: month...month), .whole)
            #expect((found?.generation.number == 2) == isKept)
            #expect((found == nil) != isKept)
        }
    }

    /// The difference of two generations may be one trip, also where neither shows a small count.
    @Test func onlyReadersOfEveryNumberSeeAnotherGenerationBeside() throws {
        let nights = try PublishedNights(seed: 5, days: [105, 470])
        let (first, served) = (
            try ServedGeneration(nights.mart.folder, number: 1),
            try ServedGeneration(nights.mart.folder, number: 2)
        )
        let month = try #require(served.months.last?.month)
        var count = 0
        for type in [nil, "BLS", "ALS1", "FW"] {
            for region in [nil, "08", "10", "UNKNOWN"] {
                var filter = ServedFilter(months: month...month, tripType: type, region: region)
                for numbers in [VisibleNumbers.suppressed, .beside(["08"])] {
                    #expect(served.comparison(filter, numbers) == nil, "\(numbers) \(filter)")
                }
                guard let found = served.comparison(filter, .whole) else { continue }
                filter.months = found.month...found.month
                #expect(found.cell == first.whole.cell(filter), "\(filter)")
                count += 1
            }
        }
        #expect(count > 5)
    }

    /// A damaged history file takes the comparison along, and nothing else.
    @Test func aDamagedHistoryFileLeavesTheGenerationServed() throws {
        let nights = try PublishedNights(seed: 7, days: [105, 470])
        try FileDamage.overwrite(nights.mart.folder.historyPath(1), at: 0, count: 100)
        let served = try ServedGeneration(nights.mart.folder, number: 2)
        let month = try #require(served.months.last?.month)
        #expect(served.comparison(ServedFilter(months: month...month), .whole) == nil)
        #expect(served.whole.cell(ServedFilter()).trips != nil)
    }
}
