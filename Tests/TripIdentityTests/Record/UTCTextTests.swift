import Testing

@testable import TripIdentity

@Suite struct UTCTextTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (1_793_513_640, "2026-11-01T06:14:00Z"), (4_102_444_799, "2099-12-31T23:59:59Z"),
    ])
    func secondsAreWrittenAndRead(seconds: Int64, text: String) {
        #expect(UTCText.text(seconds) == text)
        #expect(UTCText.seconds(text) == seconds)
    }

    @Test func aMinuteIsWrittenForPeople() {
        #expect(UTCText.minute(1_793_513_640 + 59) == "2026-11-01 06:14 UTC")
    }

    @Test(arguments: [
        "", "2026-11-01", "2026-11-31T00:00:00Z", "2026-11-01T06:14:00", "2026-11-1T06:14:00Z",
        "2147483647-25-01T00:00:00Z",
    ])
    func otherTextsAreRefused(text: String) {
        #expect(UTCText.seconds(text) == nil)
    }
}
