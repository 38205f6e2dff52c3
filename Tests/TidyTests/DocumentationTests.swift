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
        let reasons = words.rawValues(
            of: "RejectReason",
            in: "Sources/TripDomain/Generation/Reject.swift"
        )
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
            "Sources/TripCrypto/CryptoFault.swift",
            "Sources/TripRuns/RunError.swift", "Sources/TripMart/MartError.swift",
            "Sources/TripEngine/Bytes/SourceFault.swift",
            "Sources/TripIdentity/IdentityFault.swift",
        ]
        for file in files {
            let codes = words.rawValues(of: "Code", in: file)
            #expect(codes.count > 2)
            #expect(codes.filter { !text.contains("| `\($0)` |") } == [], "\(file)")
        }
    }

    @Test func everyWordThatPasswordsAreNotMadeOfIsListed() {
        let source = repository.text("Sources/TripIdentity/Accounts/PasswordRules.swift")
        let page = repository.text("docs/SECURITY.md")
        guard let list = Self.part(of: source, after: "commonWords = [", until: "\n    ]"),
            let section = Self.part(of: page, after: "are not made of\n", until: "\n## "),
            let shown = Self.part(of: section, after: "```\n", until: "```")
        else {
            Issue.record("the words are not where they were")
            return
        }
        // Every second part stands between quotes.
        let parts = list.split(separator: "\"", omittingEmptySubsequences: false)
        let words = stride(from: 1, to: parts.count, by: 2).map {
            parts[$0] == " " ? "blank" : parts[$0]
        }
        #expect(words.count > 50)
        #expect(shown.split(whereSeparator: \.isWhitespace).sorted() == words.sorted())
    }

    private static func part(
        of text: some StringProtocol,
        after start: String,
        until end: String
    ) -> Substring? {
        let text = Substring(text)
        guard let first = text.firstRange(of: start),
            let last = text[first.upperBound...].firstRange(of: end)
        else { return nil }
        return text[first.upperBound..<last.lowerBound]
    }

    @Test func theMailThatThePageShowsIsThatOfACase() throws {
        // The page shows the run of a server, whose folders are the usual ones.
        let expected = repository.text("Tests/CommandTests/Cases/run/03/expected")
            .replacing(" \\\n             --reference $ROOT/data/reference --input in", with: "")
            .replacing(" --mart mart", with: "")
            .replacing("$ROOT/", with: "")
        let page = repository.text("docs/OPERATIONS.md").split(separator: "```\n")
        let mail = try #require(page.first { $0.hasPrefix("WITHHELD") })
        let (summary, details) = (mail.prefix { $0 != "\n" }, mail.drop { $0 != "\n" }.dropFirst())
        #expect(expected.contains("--- stdout\n\(summary)\n"))
        #expect(expected.contains("--- stderr\n\(details)"))
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

    /// One row of the page about ASVS.
    private struct Requirement {
        let number: String
        let level: Int
        let state: String
    }

    /// What is said of a requirement, as the head of the page counts it; the first, where no word
    /// of the others begins the text.
    private static let states = ["applies, and shown", "partly", "not done", "does not apply"]

    private var requirements: [Requirement] {
        PageRules.prose(repository.text("docs/ASVS.md")).compactMap { _, line -> Requirement? in
            let cells = line.split(separator: "|").map { cell in
                cell.split(separator: " ").joined(separator: " ")
            }
            guard cells.count == 5, cells[0].contains("."), let level = Int(cells[1]) else {
                return nil
            }
            let state = Self.states.dropFirst().first { cells[3].hasPrefix($0) }
            return Requirement(number: cells[0], level: level, state: state ?? Self.states[0])
        }
    }

    @Test func theCountsOfRequirementsAreThoseOfTheirRows() {
        let (page, rows) = (repository.text("docs/ASVS.md"), requirements)
        func counts(_ rows: [Requirement]) -> [Int] {
            let levels = (1...3).map { level in rows.count { $0.level == level } }
            return [levels[0], levels[1], levels[0] + levels[1], levels[2]]
        }
        func line(_ word: String, _ counts: [Int]) -> String {
            "| \(word) | " + counts.map(String.init).joined(separator: " | ") + " |"
        }
        let parts = Self.states.map { state in counts(rows.filter { $0.state == state }) }
        let lines = zip(Self.states, parts).map { line($0, $1) } + [line("all", counts(rows))]
        #expect(lines.filter { !page.contains($0) } == [])
        #expect(Set(rows.map(\.number)).count == rows.count)

        let both = parts.map { $0[2] }
        let sentence = """
            of \(counts(rows)[2]), \(both[0]) apply and are shown, \(both[1]) are met in part, \
            \(both[2]) are not met, and \(both[3]) ask for what there is not.
            """
        let quoted = repository.text("docs/SECURITY.md").split { $0 == " " || $0 == "\n" }
        let isQuoted = quoted.joined(separator: " ").contains(sentence)
        #expect(isQuoted, "docs/SECURITY.md: \(sentence)")
    }

    @Test func everyRequirementThatIsNotMetStandsAtTheHead() {
        let heading = "## What is not met"
        let lines = PageRules.prose(repository.text("docs/ASVS.md")).map(\.line)
        var (state, named) = ("", [String: [String]]())
        for line in lines.drop(while: { $0 != heading }).dropFirst() {
            if line.hasPrefix("## ") { break }
            if line.hasPrefix("**") { state = line.filter { $0 != "*" }.lowercased() }
            let numbers = line.split { !$0.isNumber && $0 != "." }.filter { word in
                word.split(separator: ".").count == 3
            }
            named[state, default: []] += numbers.map(String.init)
        }
        for state in ["partly", "not done"] {
            let expected = requirements.filter { $0.state == state }.map(\.number)
            #expect(named[state, default: []].sorted() == expected.sorted(), "\(state)")
        }
    }
}
