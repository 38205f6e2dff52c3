import Testing

@testable import TripDomain

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("regoin", "region"), ("BLS", "bls"), ("als", "ALS1"), ("va_flet", "va_fleet"),
        ("ID", "id"),
    ])
    func aSlipIsNearToItsWord(typed: String, word: String) {
        #expect(NearestName.find(typed, among: [word, "something else"]) == word)
    }

    @Test(arguments: [("99", "09"), ("2025", "2026"), ("x", "y"), ("VA", "VB"), ("zone", "month")])
    func codesAreNotNearToEachOther(typed: String, word: String) {
        #expect(NearestName.find(typed, among: [word]) == nil)
    }
}
