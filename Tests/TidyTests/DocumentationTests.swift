import Testing

/// What the pages promise against what the sources have: text a reader relies on is tested.
@Suite struct DocumentationTests {
    private let repository = Repository.this
    private let words = SourceWords(repository: .this)

    /// The headings of a page that no word of the sources stands behind, and the other way round.
    private func difference(_ page: String, _ level: String, _ expected: [String]) -> [String] {
        let lines = PageRules.prose(repository.text(page)).map(\.line)
        let headings = lines.filter { $0.hasPrefix(level + " ") }
            .map { String($0.dropFirst(level.count + 1)) }
        return Set(headings).symmetricDifference(expected).sorted()
    }

    @Test func everyRejectReasonHasItsParagraph() {
        let reasons = words.rawValues(of: "RejectReason", in: "Sources/TripDomain/Reject.swift")
        #expect(reasons.count > 10)
        #expect(difference("docs/REJECTS.md", "##", reasons) == [])
    }

    @Test func everyExitStatusHasItsParagraph() {
        let statuses = words.rawValues(of: "ExitStatus", in: "Sources/TripRuns/ExitStatus.swift")
        #expect(statuses.count > 10)
        // The page has other headings too.
        let unmatched = difference("docs/OPERATIONS.md", "##", statuses)
        #expect(unmatched.filter { $0.allSatisfy(\.isNumber) } == [])
    }

    @Test func everyErrorCodeHasItsLine() {
        let text = repository.text("docs/ERRORS.md")
        let files = [
            "Sources/TripRuns/RunError.swift", "Sources/TripMart/MartError.swift",
            "Sources/TripEngine/EngineError.swift", "Sources/TripEngine/Bytes/SourceFault.swift",
            "Sources/TripIdentity/IdentityFault+Code.swift",
        ]
        for file in files {
            let codes = words.rawValues(of: "Code", in: file)
            #expect(codes.count > 5)
            #expect(codes.filter { !text.contains("| `\($0)` |") } == [], "\(file)")
        }
    }

    @Test func everySubcommandHasItsParagraph() {
        let own = words.serverSubcommands
        #expect(own.count > 10)
        let subcommands =
            words.subcommands.map { "triptych " + $0 } + own.map { "triptych-server " + $0 }
        #expect(difference("docs/COMMANDS.md", "##", subcommands) == [])
    }

    @Test func everyPipelineKeyIsExplained() {
        let text = repository.text("docs/PIPELINE.md")
        let types = words.rawValues(
            of: "FieldType",
            in: "Sources/TripEngine/Fields/FieldDefinition.swift"
        )
        #expect(types.count > 5)
        let missing = (words.pipelineKeys + types).filter {
            !text.contains("`\($0)`") && !text.contains("`\($0): ") && !text.contains("\($0):")
        }
        #expect(missing.sorted() == [])
    }

    @Test func everyWordOfMakeAPageNamesExists() {
        for page in repository.pages {
            let unknown = PageRules.commands(repository.text(page)).filter { command in
                command.words.first == "make" && command.words.count > 1
                    && !words.makeWords.contains(command.words[1])
            }
            #expect(unknown.map(\.words) == [], "\(page)")
        }
    }

    @Test func everyCommandAPageShowsExists() {
        let own = words.subcommands.flatMap { $0.split(separator: " ").prefix(1) }
        let names = Set(own + ["help"])
        // The style page's table of targets begins with the same word.
        for page in repository.pages where page != "docs/STYLE.md" {
            for (number, command) in PageRules.commands(repository.text(page)) {
                guard let start = command.firstIndex(where: { $0.hasSuffix("triptych") }),
                    start == 0 || command[start - 1] == "nice", start + 1 < command.count
                else { continue }
                let word = command[start + 1]
                guard word.allSatisfy(\.isLowercase) else { continue }
                #expect(names.contains(Substring(word)), "\(page):\(number): triptych \(word)")
                let flags = command.filter { $0.hasPrefix("--") }.map { flag in
                    String(flag.prefix { $0 == "-" || $0.isLetter })
                }
                let unknown = flags.filter { !words.flags.contains($0) }
                #expect(unknown == [], "\(page):\(number): triptych \(word)")
            }
        }
    }
}
