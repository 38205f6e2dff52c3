import Testing

/// What stands behind each ✓ of the style page: a mark is a promise that something checks the rule.
@Suite struct StyleMarksTests {
    /// A phrase of each marked rule with the check behind it.
    private let checks = [
        "A target exists only because it forbids something": "ImportTableTests",
        "No `Manager`, `Helper`": "CodeRulesTests.namesSayWhatThingsDo",
        "400 is the limit": "CodeRulesTests.sourcesHaveFourHundredLinesAtMost",
        "A function fits one screen": "CodeRulesTests.functionsFitOneScreen",
        "`swift format` decides the rest": "make check: swift format lint --strict",
        "Every public declaration is documented": "make check: swift format lint --strict",
        "carry the argument that makes them right": "CodeRulesTests.whatIsDangerousCarries…",
        "reject reason has its paragraph": "DocumentationTests",
        "Nothing is swallowed": "CodeRulesTests.whatIsDangerousCarriesItsArgument",
        "one suite per file": "TestLayoutTests",
        "No warnings": "the compiler, by treatAllWarnings(as: .error)",
        "without a name and a number": "CodeRulesTests.openWorkHasANameAndANumber",
    ]

    @Test func everyMarkedRuleHasItsCheck() {
        let text = Repository.this.text("docs/STYLE.md")
        // Rules run over lines; a mark stands at the end of its sentence.
        let joined = text.split(separator: "\n").map { $0.drop { $0 == " " } }
            .joined(separator: " ")
        var rest = joined[...]
        var sentences: [Substring] = []
        while let mark = rest.firstIndex(of: "✓") {
            sentences.append(rest[..<mark])
            rest = rest[rest.index(after: mark)...]
        }
        // The first says what the mark means.
        let unmatched = sentences.dropFirst().filter { sentence in
            !checks.keys.contains { sentence.suffix(160).contains($0) }
        }
        #expect(sentences.count > 10)
        #expect(unmatched == [])
    }
}
