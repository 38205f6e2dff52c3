import Testing

@testable import TripRuns

@Suite struct WeekdayTests {
    @Test(arguments: [
        ("Wed 10/14/2026", "10/14/2026"), ("WEDNESDAY, 14 Oct 2026", "14 Oct 2026"),
        ("Thurs.  10/15/2026", "10/15/2026"), ("Sat, x", "x"),
    ])
    func theRestIsBehindItsNameAndMark(text: String, rest: String) {
        #expect(Self.rest(text) == rest)
    }

    @Test(arguments: [
        "Wed", "We 10/14/2026", "Wed10/14/2026", "Wed,10/14/2026", "Weds 10/14/2026",
        "Oct 14 2026", "10/14/2026", "",
    ])
    func otherTextsHaveNone(text: String) {
        #expect(Self.rest(text).isEmpty)
    }

    private static func rest(_ text: String) -> String {
        var text = text
        return text.withUTF8 { String(decoding: Weekday.rest(of: $0), as: UTF8.self) }
    }
}
