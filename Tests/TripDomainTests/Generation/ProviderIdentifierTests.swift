import Testing

@testable import TripDomain

@Suite struct ProviderIdentifierTests {
    @Test(arguments: [
        ("1234567893", true), ("1993999998", true), ("1234567890", false), ("3234567893", false),
        ("123456789", false), ("12345678930", false), ("12345678x3", false), ("", false),
    ])
    func theCheckDigitDecides(text: String, expected: Bool) {
        #expect(ProviderIdentifier.isValid(Array(text.utf8)) == expected)
    }

    @Test func anyOneWrongDigitIsFound() {
        let valid = Array("1234567893".utf8)
        for index in valid.indices {
            for digit in UInt8(0x30)...0x39 where digit != valid[index] {
                var wrong = valid
                wrong[index] = digit
                #expect(!ProviderIdentifier.isValid(wrong))
            }
        }
    }
}
