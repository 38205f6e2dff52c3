import Testing

/// Every rule holds in the whole repository, and each finds what it is meant to find.
@Suite struct CodeRulesTests {
    private static let repository = Repository.this
    private static let sources =
        repository.swiftPaths(below: "Sources").map { ($0, repository.text($0)) }
    private static let all =
        sources + repository.swiftPaths(below: "Tests").map { ($0, repository.text($0)) }
    private static let parsedAll = Repository.swift.map { ($0, $1) }.sorted { $0.0 < $1.0 }
    private static let parsedSources = parsedAll.filter { $0.0.hasPrefix("Sources/") }

    private func breaches(
        _ files: [(String, SwiftText)],
        _ rule: (String, SwiftText) -> [Breach]
    )
        -> [Breach]
    {
        files.flatMap { rule($0.0, $0.1) }
    }

    private func found(_ code: String, _ rule: (String, SwiftText) -> [Breach]) -> [Int] {
        rule("Sources/X/Y.swift", SwiftText(code)).map(\.line)
    }

    @Test func theRepositoryIsFoundAtAll() {
        #expect(Self.sources.count > 20)
    }

    // MARK: Length

    @Test func sourcesHaveFourHundredLinesAtMost() {
        #expect(Self.sources.flatMap { CodeRules.length($0, $1) } == [])
    }

    @Test func commentsHaveAHundredColumns() {
        #expect(Self.sources.flatMap { CodeRules.commentWidth($0, $1) } == [])
    }

    @Test func commentWidthCountsColumnsOfComments() {
        let comment = "    // " + String(repeating: "é", count: 93)
        #expect(CodeRules.commentWidth("a", comment + "\nlet x = 1").isEmpty)
        #expect(CodeRules.commentWidth("a", "\n" + comment + "é").map(\.line) == [2])
        #expect(CodeRules.commentWidth("a", "f()" + comment + "é").isEmpty)
    }

    @Test func lengthCountsLines() {
        let long = String(repeating: "\n", count: CodeRules.fileLineLimit)
        #expect(CodeRules.length("a", long).isEmpty)
        #expect(CodeRules.length("a", long + "\n").count == 1)
    }

    @Test func functionsFitOneScreen() {
        #expect(breaches(Self.parsedAll, CodeRules.functionLength) == [])
    }

    @Test func functionLengthCountsFromNameToBrace() {
        let body = String(repeating: "    work(\"}\")\n", count: 69)
        #expect(found("func f() {\n" + body + "}", CodeRules.functionLength) == [1])
        #expect(found("func f() {\n" + body.dropFirst(14) + "}", CodeRules.functionLength) == [])
    }

    @Test func functionsAreFoundWithTheirLines() {
        let code = """
            protocol P {
                func none()
            }
            struct S {
                init(a: () -> Int = { 1 }) {
                    one()
                }
                var x: Int { 1 }
                func f() {
                    if true { }
                    func inner() { }
                }
            }
            """
        let lines = CodeRules.functions(SwiftText(code)).map { [$0.line, $0.lineCount] }
        #expect(lines == [[5, 3], [9, 4], [11, 1]])
    }

    // MARK: Names

    @Test func namesSayWhatThingsDo() {
        #expect(breaches(Self.parsedAll, CodeRules.names) == [])
    }

    @Test func bannedNamesAreFoundAsWordsAlone() {
        #expect(found("struct TripManager {}", CodeRules.names) == [1])
        #expect(found("struct Baseline {}\nenum Base64 {}", CodeRules.names) == [])
        let path = "Sources/X/Extensions/Int+Helper.swift"
        #expect(CodeRules.names(path, SwiftText("")).count == 2)
    }

    // MARK: Arguments

    @Test func whatIsDangerousCarriesItsArgument() {
        #expect(breaches(Self.parsedAll, CodeRules.arguments) == [])
    }

    @Test func argumentsStandOnTheLineOrAboveIt() {
        #expect(found("let a = try? f()", CodeRules.arguments) == [1])
        #expect(found("let a = try? f()  // A cache; missing is fine.", CodeRules.arguments) == [])
        #expect(found("// Missing is fine.\nlet a = try? f()", CodeRules.arguments) == [])
        #expect(found("// Far away.\n\nlet a = try? f()", CodeRules.arguments) == [3])
        #expect(found("let a = \"try?\"", CodeRules.arguments) == [])
        #expect(found("let a = (try? f()) ?? 1", CodeRules.arguments) == [1])
        #expect(found("let a: Entry? = nil", CodeRules.arguments) == [])
        let run = String(repeating: "nonisolated(unsafe) let a = b\n", count: 6)
        #expect(found("// Disjoint slots.\n" + run, CodeRules.arguments) == [])
        #expect(found("x()\nclass C: @unchecked Sendable {}", CodeRules.arguments) == [2])
    }

    @Test func nothingIsForcedOrAborted() {
        #expect(breaches(Self.parsedAll, CodeRules.forbiddenCalls) == [])
    }

    @Test func forbiddenCallsAreFound() {
        #expect(found("let a = try! f()", CodeRules.forbiddenCalls) == [1])
        #expect(found("let a = \"try!\"  // never try!", CodeRules.forbiddenCalls) == [])
    }

    @Test func onlyTheCommandPrints() {
        #expect(breaches(Self.parsedSources, CodeRules.printing) == [])
    }

    @Test func printingIsFound() {
        #expect(found("print(1)", CodeRules.printing) == [1])
        #expect(found("blueprint(1); pages.print(2)", CodeRules.printing) == [])
    }

    @Test func noRowOfALibraryIsReadAsItIs() {
        #expect(breaches(Self.parsedSources, CodeRules.bareRows) == [])
        // Renamed, they would be looked for in vain.
        #expect(CodeRules.rowFiles.filter { Repository.swift[$0] == nil } == [])
    }

    @Test func aBareRowIsFoundWhereTheLibraryIsAtHand() {
        let with = "import GRDB\n"
        #expect(found(with + "let row = try Row.fetchOne(db, sql: a)", CodeRules.bareRows) == [2])
        #expect(found(with + "static func account(_ row: Row) {}", CodeRules.bareRows) == [2])
        #expect(found(with + "let rows: [GRDB.Row] = []", CodeRules.bareRows) == [2])
        #expect(found("let row = Row()", CodeRules.bareRows) == [])
        let ours = "StoredRow(a); Month.Row(b); IdentityRow.fetchOne(c); Rows(d)  // Row"
        #expect(found(with + ours, CodeRules.bareRows) == [])
        let wrapping = CodeRules.rowFiles.flatMap {
            CodeRules.bareRows($0, SwiftText(with + "let row: Row"))
        }
        #expect(wrapping == [])
    }

    // MARK: Leftovers

    @Test func openWorkHasANameAndANumber() {
        #expect(Self.all.flatMap { CodeRules.openWork($0, $1) } == [])
    }

    @Test func openWorkIsFound() {
        let mark = "TO" + "DO"
        #expect(CodeRules.openWork("a", "// \(mark): mend").count == 1)
        #expect(CodeRules.openWork("a", "// \(mark)(ann, #12): mend").isEmpty)
    }

    @Test func noCodeIsCommentedOut() {
        #expect(breaches(Self.parsedAll, CodeRules.deadCode) == [])
    }

    @Test func commentedOutCodeIsFound() {
        #expect(found("// let a = f()", CodeRules.deadCode) == [1])
        #expect(found("// for each file, in order\n/// return f()", CodeRules.deadCode) == [])
    }
}
