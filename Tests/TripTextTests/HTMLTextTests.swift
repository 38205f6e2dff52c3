import Testing

@testable import TripText

@Suite struct HTMLTextTests {
    @Test func theFiveSpecialCharactersAreReplaced() {
        #expect(HTMLText.escaped("a<b>c&d\"e'f") == "a&lt;b&gt;c&amp;d&quot;e&#39;f")
    }

    @Test func everyOtherCharacterIsKept() {
        for text in ["", "Région 08 – §", "日本語", "\r\n\t", "🚑🏽"] {
            #expect(HTMLText.escaped(text) == text)
        }
    }

    @Test func controlCharactersAreShownAsCodePoints() {
        #expect(HTMLText.escaped("O\u{92}B\u{7F}\u{0}<") == "O\\u{0092}B\\u{7F}\\0&lt;")
    }

    @Test(arguments: ["\u{600}", "\u{301}", "\u{200D}", "\u{FE0F}"])
    func anAccentHidesNoSpecialCharacter(accent: String) {
        let marks = ["<": "&lt;", ">": "&gt;", "&": "&amp;", "\"": "&quot;", "'": "&#39;"]
        for (mark, word) in marks {
            let escaped = HTMLText.escaped(accent + mark + accent)
            #expect(Array(escaped.utf8) == Array((accent + word + accent).utf8))
        }
    }
}
