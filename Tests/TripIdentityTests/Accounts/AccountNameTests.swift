import Testing

@testable import TripIdentity

@Suite struct AccountNameTests {
    @Test(arguments: [
        "a", "v.smith-2", "first_last@example.test", "0", String(repeating: "a", count: 64),
    ])
    func validNamesAreAccepted(text: String) throws {
        #expect(try AccountName(text).text == text)
    }

    @Test func capitalLettersCountAsSmallOnes() throws {
        #expect(try AccountName("Some.One") == AccountName("some.one"))
    }

    @Test(arguments: [
        "", " a", "a b", ".a", "-a", "a\n", "a'", "é", "а", String(repeating: "a", count: 65),
    ])
    func otherTextsAreRefused(text: String) {
        #expect(throws: IdentityFault.self) { try AccountName(text) }
    }
}
