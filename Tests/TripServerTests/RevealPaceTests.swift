import Testing

@testable import TripServer

@Suite struct RevealPaceTests {
    @Test func thirtyMayBeWithinTenMinutes() {
        let pace = RevealPace()
        for second in 0..<30 { #expect(pace.wait(1, at: Int64(second)) == nil) }
        #expect(pace.wait(1, at: 30) == 570)
        #expect(pace.wait(2, at: 30) == nil)
        #expect(pace.wait(1, at: 599) == 1)
        #expect(pace.wait(1, at: 600) == nil)
        #expect(pace.wait(1, at: 600) == 1)
    }
}
