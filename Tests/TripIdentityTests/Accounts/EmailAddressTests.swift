import Testing

@testable import TripIdentity

@Suite struct EmailAddressTests {
    @Test(arguments: ["a@b.test", "first.last+tag@mail.b.test"])
    func usualAddressesAreAccepted(text: String) { #expect(EmailAddress.isValid(text)) }

    @Test(arguments: [
        "", "a", "@b.test", "a@", "a@b", "a@b@c.test", "a b@c.test", "a@b.test\r\nBcc: x@y.test",
        "a@b.test,x@y.test", "<a@b.test>", "-f@b.test", "ä@b.test", "a@b.test\u{0}",
        String(repeating: "a", count: 250) + "@b.test",
    ])
    func otherTextsAreNoAddresses(text: String) { #expect(!EmailAddress.isValid(text)) }
}
