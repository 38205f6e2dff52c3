import Testing

@Suite struct WordRulesTests {
    @Test func sourcesAndPagesSpeakTheFieldsWords() {
        let repository = Repository.this
        let paths = repository.paths.filter { path in
            path.hasPrefix("Sources/") || path.hasPrefix("Tests/Dashboard/")
                || path.hasPrefix("docs/") && path.hasSuffix(".md") || path == "README.md"
                || path == "CHANGELOG.md" || path.hasPrefix("pipelines/")
        }
        #expect(paths.count > 300)
        #expect(paths.flatMap { WordRules.breaches($0, repository.text($0)) } == [])
    }

    @Test func aRefusedWordIsFoundInNamesAndSentences() {
        #expect(WordRules.breaches("a.swift", "let isCrowd = nobodyKnows // Whoever").count == 3)
        #expect(WordRules.breaches("a.swift", "let crowded = anybody").isEmpty)
        #expect(WordRules.breaches("docs/STYLE.md", "nobody").isEmpty)
    }
}
