import Testing

@Suite struct TestLayoutTests {
    @Test func testsMirrorTheSources() {
        let known = names(in: Repository.swift)
        let tests = Repository.swift.filter { path, _ in
            path.hasPrefix("Tests/") && !path.contains("/Defects/")
        }
        let breaches = tests.flatMap { TestLayout.breaches($0, $1, known: known) }
        #expect(breaches == [])
    }

    @Test func aMisnamedSuiteIsFound() {
        func count(_ file: String, _ code: String) -> Int {
            TestLayout.breaches("Tests/XTests/\(file)", SwiftText(code), known: ["Ledger"]).count
        }
        #expect(count("LedgerTests.swift", "struct LedgerTests { @Test func a() {} }") == 0)
        #expect(count("LedgerTests.swift", "struct BookTests { @Test func a() {} }") == 1)
        #expect(count("BookTests.swift", "struct BookTests { @Test func a() {} }") == 1)
        #expect(
            count("SQLiteOracleTests.swift", "struct SQLiteOracleTests { @Test func a() {} }") == 0
        )
        #expect(count("Ledger.swift", "struct Ledger { @Test func a() {} }") == 1)
        #expect(count("SlowLedger.swift", "struct SlowLedger {}") == 0)
        let two = "struct LedgerTests {}\nstruct BookTests {}"
        #expect(count("LedgerTests.swift", two) == 1)
    }

    /// The types that files declare, and the names of the files and of their folders; a suite is
    /// no subject of its own.
    private func names(in files: [String: SwiftText]) -> Set<String> {
        var names: Set<String> = []
        for (path, text) in files {
            let parts = path.split(separator: "/").map(String.init)
            names.formUnion(parts.dropLast())
            if let file = parts.last, !file.hasSuffix("Tests.swift") {
                names.insert(String(file.dropLast(".swift".count)))
            }
            names.formUnion(CodeRules.types(text).map(\.name))
        }
        return names
    }
}
