import Glibc
import Testing
import TripDomain

/// Days and months against the C library's calendar.
@Suite struct CivilDateTests {
    @Test func everyDayOfFourCenturiesAgreesWithTheCLibrary() {
        // 146,097 days are one whole cycle of the Gregorian calendar.
        for dayNumber in Int32(-25_000)..<Int32(121_097) {
            var seconds = time_t(dayNumber) * 86_400
            var parts = tm()
            gmtime_r(&seconds, &parts)
            let date = CivilDate(dayNumber: dayNumber)
            let (year, month, day) = date.parts
            guard year == Int(parts.tm_year) + 1900, month == Int(parts.tm_mon) + 1,
                day == Int(parts.tm_mday)
            else {
                Issue.record("day \(dayNumber) is \(date.text)")
                return
            }
            guard CivilDate(year: year, month: month, day: day) == date else {
                Issue.record("\(date.text) does not lead back to \(dayNumber)")
                return
            }
        }
    }

    @Test(arguments: ["2024-02-29", "1999-12-31", "2000-01-01", "0001-01-01", "9999-12-31"])
    func textLeadsBackToItself(text: String) {
        #expect(CivilDate(text: text)?.text == text)
    }

    @Test(arguments: [
        "2023-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "2024-1-01", "20240101",
        "2024-01-01 ", "24-01-01", "2024/01/01", "",
    ])
    func daysThatDoNotExistAreNotRead(text: String) {
        #expect(CivilDate(text: text) == nil)
    }

    @Test func theFiscalYearBeginsInOctober() {
        #expect(Month(year: 2026, month: 9).fiscalYear == 2026)
        #expect(Month(year: 2026, month: 10).fiscalYear == 2027)
    }

    @Test func aMonthKnowsItsLastDay() {
        #expect(Month(year: 2024, month: 2).lastDay.text == "2024-02-29")
        #expect(Month(text: "2026-10")?.lastDay.text == "2026-10-31")
        #expect(Month(text: "2026-13") == nil)
    }

    @Test func secondsBeforeTheEpochFallOnTheRightDay() {
        #expect(CivilTime.text(ofSeconds: -1) == "1969-12-31 23:59:59")
        #expect(CivilTime.date(ofSeconds: -86_400).text == "1969-12-31")
    }
}
