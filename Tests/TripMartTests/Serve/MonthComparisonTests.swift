import Testing
import TripDomain

@testable import TripMart

@Suite struct MonthComparisonTests {
    /// A generation of sixteen months, of which the last ones are open.
    private static func served() throws -> (PublishedNights, ServedGeneration) {
        let nights = try PublishedNights(seed: 8, days: [480])
        return (nights, try ServedGeneration(nights.mart.folder, number: 1))
    }

    /// Two settled months are compared as they are served: a year apart, else a month apart.
    @Test func settledMonthsAreComparedAsTheyAreServed() throws {
        let (_, served) = try Self.served()
        let settled = served.months.filter { !$0.isOpen }.map(\.month)
        try #require(settled.count > 12)
        for (index, month) in settled.enumerated() {
            for numbers in [VisibleNumbers.whole, .suppressed, .beside(["08"])] {
                func trips(_ month: Month) -> Int64? {
                    served.cube(numbers).cell(ServedFilter(months: month...month)).trips
                }
                let known = [index - 12, index - 1].filter { $0 >= 0 }.map { settled[$0] }
                    .filter { (trips($0) ?? .max / 10) * 10 >= trips(month) ?? 0 }
                let earlier = known.first { trips($0) != nil } ?? known.first
                let found = served.comparison(ServedFilter(months: month...month), numbers)
                #expect(found?.month == earlier, "\(month.text) \(numbers)")
                #expect(found?.kind == (earlier == nil ? nil : .settled))
                #expect(found?.generation.number == (earlier == nil ? nil : 1))
                guard let earlier, let found, let through = served.header.dataThrough else {
                    continue
                }
                let cell = served.cube(numbers).cell(ServedFilter(months: earlier...earlier))
                #expect(found.cell == cell)
                #expect(found.ageDays == Int(through.dayNumber - earlier.lastDay.dayNumber))
            }
        }
    }

    /// Where no generation read an earlier month at the same age, there is nothing to compare with.
    @Test func anOpenMonthIsNeverComparedWithASettledOne() throws {
        let (_, served) = try Self.served()
        let open = served.months.filter(\.isOpen).map(\.month)
        #expect(!open.isEmpty)
        for month in open {
            #expect(served.comparison(ServedFilter(months: month...month), .whole) == nil)
        }
        #expect(served.comparisonMark.isEmpty)
    }

    /// A report compares from the generation's file as a screen does from the served cube.
    @Test func aMonthOfAReportIsComparedAsItIsServed() throws {
        let nights = try PublishedNights(seed: 8, days: [75, 105, 120, 135, 470])
        let (folder, number) = (nights.mart.folder, nights.nights.count)
        let served = try ServedGeneration(folder, number: number)
        let mart = try ServedMart.open(folder, generation: number)
        let rows = try mart.kpi(KPIQuery(by: [.month])).rows
        var kinds = Set<MonthComparison.Kind>()
        for row in rows {
            let month = try #require(Month(text: row.keys[0]))
            let found = mart.comparison(of: row, among: rows, in: folder)
            let expected = served.comparison(ServedFilter(months: month...month), .whole)
            #expect(found?.month == expected?.month, "\(month.text)")
            #expect(found?.kind == expected?.kind)
            #expect(found?.generation == expected?.generation)
            #expect(found?.ageDays == expected?.ageDays)
            #expect(found?.cell == expected?.cell)
            if let found { kinds.insert(found.kind) }
        }
        #expect(kinds == [.settled, .sameAge])
    }

    /// The declared measures of the compared month, over its trips as that night had them.
    @Test func theComparedMonthHasItsMeasures() throws {
        let nights = try PublishedNights(
            seed: 8,
            days: [75, 105, 120, 135, 470],
            hasMeasures: true
        )
        let served = try ServedGeneration(nights.mart.folder, number: nights.nights.count)
        var kinds = Set<MonthComparison.Kind>()
        for month in served.months.map(\.month) {
            for region in [nil, "08"] as [String?] {
                let filter = ServedFilter(months: month...month, region: region)
                guard let found = served.comparison(filter, .whole) else { continue }
                kinds.insert(found.kind)
                let night = nights.nights[found.generation.number - 1]
                let trips = night.trips.filter {
                    $0.isCounted && $0.month == found.month && region ?? $0.region == $0.region
                }
                let expected = ReferenceGeneration.measured.map {
                    MeasureChange.State($0.measure, ReferenceGeneration.value($0, trips))
                }
                #expect(found.measures == expected, "\(month.text) \(region ?? "")")
                let suppressed = served.comparison(filter, .suppressed)
                #expect(suppressed?.measures.isEmpty ?? true)
            }
        }
        #expect(kinds == [.settled, .sameAge])
    }

    @Test func onlyASingleMonthWithTripsIsCompared() throws {
        let (_, served) = try Self.served()
        let months = served.months.map(\.month)
        let (first, last) = (try #require(months.first), try #require(months.last))
        let after = Month(monthNumber: last.monthNumber + 1)
        #expect(served.comparison(ServedFilter(), .whole) == nil)
        #expect(served.comparison(ServedFilter(months: months[1]...months[2]), .whole) == nil)
        #expect(served.comparison(ServedFilter(months: after...after), .whole) == nil)
        #expect(served.comparison(ServedFilter(months: first...first), .whole) == nil)
        let none = ServedFilter(months: months[1]...months[1], tripType: "none")
        #expect(served.comparison(none, .whole) == nil)
    }

    /// A reader of some regions is told nothing of the others.
    @Test func readersOfSomeRegionsCompareTheirOwn() throws {
        let (_, served) = try Self.served()
        let settled = served.months.filter { !$0.isOpen }.map(\.month)
        let filter = ServedFilter(months: settled[1]...settled[1], scope: ["10"])
        let found = try #require(served.comparison(filter, .whole))
        let own = ServedFilter(months: found.month...found.month, region: "10")
        #expect(found.cell == served.whole.cell(own))
        #expect(served.comparison(ServedFilter(months: filter.months, scope: []), .whole) == nil)
    }
}
