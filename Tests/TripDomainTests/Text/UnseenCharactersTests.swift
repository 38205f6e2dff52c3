import Testing
import TripDomain

@Suite struct UnseenCharactersTests {
    @Test(arguments: [
        ("O\u{92}Brien", "O\\u{0092}Brien"), ("a\u{7F}\u{1B}[2J", "a\\u{7F}\\u{1B}[2J"),
        ("a\tb\nc", "a\tb\nc"), ("a\u{202E}b", "a\\u{202E}b"), ("Zoë–日本", "Zoë–日本"),
        ("a\u{A0}b", "a\u{A0}b"),
    ])
    func charactersThatAreNotSeenAreNamed(text: String, shown: String) {
        #expect(UnseenCharacters.named(in: text, keeping: "\n\t") == shown)
    }

    @Test(arguments: [
        ("VA\u{A0}", "VA\\u{00A0}"), ("\u{FEFF}T-1", "\\u{FEFF}T-1"), ("a\u{A0}b", "a\\u{00A0}b"),
        ("\u{3000}", "\\u{3000}"), ("a\nb", "a\\nb"), (" a ", " a "),
        ("東\u{3000}京", "東\u{3000}京"), ("a\u{2009}b", "a\\u{2009}b"),
    ])
    func blanksAtTheEndsOfACellAreNamedToo(text: String, shown: String) {
        #expect(UnseenCharacters.namedInCell(text) == shown)
    }

    @Test func aControlCharacterIsNamedInAPage() {
        #expect(UnseenCharacters.controlsNamed(in: "a\u{92}\u{202E}\n") == "a\\u{0092}\u{202E}\n")
    }
}
