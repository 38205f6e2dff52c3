import Testing

@Suite struct SourceWordsTests {
    @Test func rawValuesAreReadWithAndWithoutText() {
        let text = """
            enum Code: String {
                /// One.
                case one
                /// Two.
                case twoWords = "two_words"

                var text: String {
                    case three
            """
        #expect(SourceWords.rawValues(of: "Code", in: text) == ["one", "two_words"])
        let numbers = "enum Status: Int32 {\n    case good = 0\n    case bad = 65\n}"
        #expect(SourceWords.rawValues(of: "Status", in: numbers) == ["0", "65"])
    }

    @Test func subcommandsAreReadWithTheirOwn() {
        let one = "struct A: ParsableCommand {\n    f(commandName: \"run\")\n}"
        #expect(SourceWords.subcommands(in: one) == ["run"])
        let two = one + "\n    struct List: ParsableCommand {\n    struct Show: ParsableCommand {"
        #expect(SourceWords.subcommands(in: two) == ["run list", "run show"])
    }

    @Test func flagsAreReadAsTheyAreTyped() {
        let text = """
            @Option(help: "The key.")
            var keyFile: String?
            @Flag var full = false
            @Option(name: .customLong("class"), help: "A class.")
            var tripClass: String?
            """
        let twoLines = text.replacing("@Flag var", with: "@Flag\nvar")
        #expect(SourceWords.flags(in: twoLines) == ["--key-file", "--full", "--class"])
    }

    @Test func keysAreReadFromTheReaders() {
        let text = "map.optional(\"files\"); try map.truth(\"required\"); f.text(\"`not`\")"
        #expect(SourceWords.keys(in: text) == ["files", "required"])
    }

    @Test func theSourcesHaveSuchWords() {
        let words = SourceWords(repository: .this)
        #expect(words.subcommands.contains("rejects show"))
        #expect(words.flags.isSuperset(of: ["--mart", "--key-file", "--class", "--by"]))
        #expect(words.pipelineKeys.isSuperset(of: ["sources", "on_refused_file", "count_when"]))
        #expect(words.makeWords.isSuperset(of: ["run", "test", "check"]))
    }
}
