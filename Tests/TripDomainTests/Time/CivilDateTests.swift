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
            let text = "\(filled(year, 4))-\(filled(month, 2))-\(filled(day, 2))"
            guard date.text == text, date.month.text == text.dropLast(3) else {
                Issue.record("\(text) is written \(date.text), in \(date.month.text)")
                return
            }
            guard CivilDate(year: year, month: month, day: day) == date else {
                Issue.record("\(date.text) does not lead back to \(dayNumber)")
                return
            }
        }
    }

    /// A number with zeros in front.
    private func filled(_ value: Int, _ width: Int) -> String {
        let digits = "\(value)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    @Test func everySecondOfADayIsWrittenAsTheClockShowsIt() {
        for second in 0..<86_400 {
            let parts = [second / 3600, second / 60 % 60, second % 60].map { filled($0, 2) }
            let text = "2000-02-29 " + parts.joined(separator: ":")
            guard CivilTime.text(ofSeconds: 951_782_400 + Int64(second)) == text else {
                Issue.record("\(text) is not written so")
                return
            }
        }
    }

    /// The largest years, and years before 0: nothing is written past the end of the buffer.
    @Test func theFarthestDaysAreWrittenInFull() {
        #expect(CivilDate(dayNumber: .max).text == "5881580-07-11")
        #expect(CivilDate(dayNumber: .min).text == "-5877641-06-23")
        #expect(Month(monthNumber: .max).text == "178956970-08")
    }

    @Test(arguments: [
        "2024-00", "2024-13", "2024-1", "2024-1a", "+024-01", "2024/01", "２0-01", "",
    ])
    func monthsThatDoNotExistAreNotRead(text: String) {
        #expect(Month(text: text) == nil)
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

    /// A year is named for the one it ends in; one that begins in January is the calendar's.
    @Test(arguments: 1...12)
    func aFiscalYearMayBeginInAnyMonth(start: Int) {
        for month in 1...12 {
            let year = Month(year: 2026, month: month).fiscalYear(from: start)
            #expect(year == (start > 1 && month >= start ? 2027 : 2026))
        }
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
