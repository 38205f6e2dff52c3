import Testing
import TripDomain

@Suite struct CivilTimeTests {
    @Test(arguments: [
        (0, "1970-01-01 00:00:00"), (-1, "1969-12-31 23:59:59"), (86_399, "1970-01-01 23:59:59"),
        (-86_400, "1969-12-31 00:00:00"), (1_793_513_640, "2026-11-01 06:14:00"),
        (253_402_300_799, "9999-12-31 23:59:59"),
    ])
    func aTimeIsWrittenAsItsDayAndTimeOfDay(seconds: Int64, text: String) {
        #expect(CivilTime.text(ofSeconds: seconds) == text)
        #expect(CivilTime.date(ofSeconds: seconds).text == text.prefix(10))
    }

    /// A damaged file may hold any number of seconds, which must not stop the program.
    @Test func aTimeBeyondTheRangeHasTheFirstOrTheLastDay() {
        #expect(CivilTime.text(ofSeconds: .max) == "5881580-07-11 15:30:07")
        #expect(CivilTime.text(ofSeconds: .min) == "-5877641-06-23 08:29:52")
    }
}
