import Testing

@testable import TripDomain

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("regoin", "region"), ("BLS", "bls"), ("als", "ALS1"), ("va_flet", "va_fleet"),
        ("ID", "id"), ("8", "08"), ("08", "8"),
    ])
    func aSlipIsNearToItsWord(typed: String, word: String) {
        #expect(NearestName.find(typed, among: [word, "something else"]) == word)
    }

    /// A list of the known words follows where a command names one of them.
    @Test(arguments: [
        ("roll", "rollback"), ("payed", "paid"), ("inhouse", "in_house"), ("fiscal", "fiscal_year"),
        ("mnth", "month"), ("8", "08"),
    ])
    func aWordOfACommandMayBeCutShort(typed: String, word: String) {
        #expect(NearestName.meant(by: typed, among: ["something else", word]) == word)
    }

    @Test(arguments: [("9", "90"), ("99", "09"), ("ro", "rollback"), ("owner", "month")])
    func nothingIsMeantByAnotherWord(typed: String, word: String) {
        #expect(NearestName.meant(by: typed, among: [word]) == nil)
        // Of two that begin with it, neither is meant more than the other.
        #expect(NearestName.meant(by: "trip", among: ["trip_type", "trip_class"]) == nil)
    }

    /// Punctuation is forgotten more often than a letter is added.
    @Test(arguments: ["BLSE", "blse", "BLS E", "B-LSE"])
    func aWordWithoutItsPunctuationIsMeant(typed: String) {
        #expect(NearestName.find(typed, among: ["BLS", "BLS-E", "ALS1-E"]) == "BLS-E")
    }

    @Test(arguments: [("99", "09"), ("2025", "2026"), ("x", "y"), ("VA", "VB"), ("zone", "month")])
    func codesAreNotNearToEachOther(typed: String, word: String) {
        #expect(NearestName.find(typed, among: [word]) == nil)
    }
}
