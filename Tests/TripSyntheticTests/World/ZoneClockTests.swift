import Testing
import TripDomain

@testable import TripEngine
@testable import TripSynthetic

@Suite struct ZoneClockTests {
    private func day(_ text: String) throws -> Int32 {
        try #require(CivilDate(text: text)).dayNumber
    }

    @Test(arguments: [
        ("2007-03-11", "2007-11-04"), ("2025-03-09", "2025-11-02"), ("2026-03-08", "2026-11-01"),
        ("2028-03-12", "2028-11-05"),
    ])
    func daylightTimeRunsFromTheSecondSundayOfMarchToTheFirstOfNovember(
        spring: String,
        autumn: String
    ) throws {
        let eastern = try #require(ZoneClock(shortName: "eastern"))
        let (spring, autumn) = (try day(spring), try day(autumn))
        #expect(eastern.moment(dayNumber: spring, minute: 119) == .plain(-300))
        #expect(eastern.moment(dayNumber: spring, minute: 120) == .skipped(-240))
        #expect(eastern.moment(dayNumber: spring, minute: 179) == .skipped(-240))
        #expect(eastern.moment(dayNumber: spring, minute: 180) == .plain(-240))
        #expect(eastern.moment(dayNumber: autumn, minute: 59) == .plain(-240))
        #expect(eastern.moment(dayNumber: autumn, minute: 60) == .repeated(-240, -300))
        #expect(eastern.moment(dayNumber: autumn, minute: 119) == .repeated(-240, -300))
        #expect(eastern.moment(dayNumber: autumn, minute: 120) == .plain(-300))
    }

    @Test(arguments: [
        ("arizona", -420), ("puerto_rico", -240), ("hawaii", -600), ("manila", 480),
    ])
    func someZonesKeepOneOffset(name: String, minutes: Int) throws {
        let zone = try #require(ZoneClock(shortName: name))
        for text in ["2026-01-15", "2026-03-08", "2026-07-15", "2026-11-01"] {
            #expect(zone.moment(dayNumber: try day(text), minute: 150) == .plain(minutes))
        }
    }

    @Test func sundaysAgreeWithCountingDays() throws {
        // 1970-01-04 was a Sunday.
        for year in 2007...2099 {
            for month in 1...12 {
                let first = Month(year: year, month: month).firstDay.dayNumber
                let sundays = (first..<(first + 14)).filter { ($0 - 3) % 7 == 0 }
                #expect(ZoneClock.sunday(1, ofMonth: month, year: year) == sundays[0])
                #expect(ZoneClock.sunday(2, ofMonth: month, year: year) == sundays[1])
            }
        }
    }
}
