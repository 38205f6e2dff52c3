import Testing
import TripDomain

@Suite struct MaskedTests {
    @Test func noWayOfPrintingShowsTheValue() {
        let secret = "1234567890V123456"
        let masked = Masked(secret)
        var dumped = ""
        dump(masked, to: &dumped)
        for text in ["\(masked)", String(reflecting: masked), "\([masked])", dumped] {
            #expect(!text.contains(secret))
        }
        #expect(masked.revealed() == secret)
    }
}
