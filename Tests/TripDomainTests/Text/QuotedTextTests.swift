import Testing
import TripDomain

@Suite struct QuotedTextTests {
    @Test(arguments: [
        ("trip", "\"trip\""), ("", "\"\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""),
        ("a\"\u{301}b", "\"a\"\"\u{301}b\""), ("é'", "\"é'\""),
    ])
    func everyQuoteIsDoubled(text: String, quoted: String) {
        #expect(Array(QuotedText.quoted(text).utf8) == Array(quoted.utf8))
    }
}
