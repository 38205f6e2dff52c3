import Testing

@Suite struct PageRulesTests {
    private static let repository = Repository.this
    private static let pages = Dictionary(
        uniqueKeysWithValues: repository.pages.map { ($0, repository.text($0)) }
    )

    @Test func everyPageHasOneHeadline() {
        #expect(Self.pages.flatMap { PageRules.headline($0, $1) } == [])
    }

    @Test func headlinesInCodeDoNotCount() {
        #expect(PageRules.headline("a", "# One\n```\n# no\n```\n## Two\n").isEmpty)
        #expect(PageRules.headline("a", "# One\n# Two\n").count == 1)
        #expect(PageRules.headline("a", "none\n").count == 1)
    }

    @Test func everyLinkLeadsSomewhere() {
        let paths = Set(Self.repository.paths)
        let breaches = Self.pages.flatMap {
            PageRules.links($0, $1, pages: Self.pages, paths: paths)
        }
        #expect(breaches == [])
    }

    @Test func brokenLinksAreFound() {
        let pages = ["docs/B.md": "# B\n\n## 65: no input\n"]
        func count(_ text: String) -> Int {
            PageRules.links("docs/A.md", text, pages: pages, paths: ["docs/B.md", "x/y"]).count
        }
        #expect(count("[b](B.md) [b](B.md#65-no-input) [x](../x) [w](https://a.b/c)") == 0)
        #expect(count("[b](C.md)") == 1)
        #expect(count("[b](B.md#66)") == 1)
    }

    @Test func everyTestThatIsNamedIsThere() {
        let paths = Set(Self.repository.paths)
        #expect(Self.pages.flatMap { PageRules.tests($0, $1, paths: paths) } == [])
    }

    @Test func testsThatAreNotThereAreFound() {
        func count(_ text: String) -> Int {
            PageRules.tests("a", text, paths: ["Tests/A/OneTests.swift", "Tests/test_a.py"]).count
        }
        #expect(count("`OneTests`, `test_a.py`, `A`, swift test, Tests, `Tests/A`") == 0)
        #expect(count("`TwoTests`") == 1)
        #expect(count("`test_b.py` and `OneTests`") == 1)
    }

    @Test func nothingNamesOneMachine() {
        let texts = Self.repository.paths.filter { path in
            [".md", ".swift", ".yaml", ".service", ".timer", "Makefile", "run", ".sh"]
                .contains { path.hasSuffix($0) }
        }
        let breaches = texts.flatMap { PageRules.machineWords($0, Self.repository.text($0)) }
        #expect(breaches == [])
    }

    @Test func pathsOfOneMachineAreFound() {
        #expect(PageRules.machineWords("a", "see " + "/home" + "/ann/x").count == 1)
        #expect(PageRules.machineWords("a", "/usr/share/zoneinfo, /var/lib/triptych").isEmpty)
    }

    @Test func nothingLargeIsCommitted() {
        let sizes = Self.repository.paths.map { ($0, Self.repository.size($0)) }
        #expect(PageRules.sizes(sizes) == [])
    }

    @Test func largeFilesAreFound() {
        let limit = PageRules.fileSizeLimit
        #expect(PageRules.sizes([("docs/a.png", limit)]).isEmpty)
        #expect(PageRules.sizes([("docs/a.png", limit + 1)]).count == 1)
        let half = PageRules.sampleSizeLimit / 2 + 1
        #expect(PageRules.sizes([("data/sample/a", half), ("data/sample/b", half)]).count == 1)
    }
}
