import Testing

/// The sheet of the server's pages against the style guide for people.
@Suite struct StyleSheetTests {
    private let guide = Repository.this.text("docs/PAGE_DESIGN.md")
    private let folder = "Sources/TripServer/SignIn/Pages/"

    /// Every colour of a text that is written as a `#` and six digits.
    private func colours(_ text: String) -> Set<String> {
        var found: Set<String> = []
        for part in text.split(separator: "#").dropFirst() {
            let digits = part.prefix { $0.isHexDigit }
            // Sections of templates begin alike.
            let isWord = part.dropFirst(digits.count).first?.isLetter ?? false
            if digits.count == 6 || digits.count == 3, !isWord {
                found.insert(digits.uppercased())
            }
        }
        return found
    }

    @Test func noColourIsUsedThatTheGuideDoesNotName() {
        let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| ") }.joined(
            separator: "\n"
        )
        let named = colours(rows)
        #expect(named.count == 8)
        for path in Repository.this.paths where path.hasPrefix(folder) && !path.hasSuffix(".html") {
            #expect(colours(Repository.this.text(path)).subtracting(named) == [], "\(path)")
        }
    }

    @Test func lettersHaveTheSizesOfTheGuide() {
        let sheet = Repository.this.text(folder + "page.css")
        let sizes = sheet.split(separator: "font-size:").dropFirst().map { part in
            String(part.prefix { $0 != ";" && $0 != "}" })
        }
        #expect(sizes.count > 5)
        #expect(Set(sizes).subtracting(["1.5rem", "1.25rem", "1rem", ".75rem"]) == [])
    }
}
