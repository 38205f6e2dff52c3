import Testing

@testable import TripRuns

@Suite struct GlobTests {
    @Test(arguments: [
        ("*.csv*", "a.csv", true), ("*.csv*", "a.csv.gz", true), ("*.csv*", "sub/a.csv", false),
        ("**/*.csv", "sub/deep/a.csv", true), ("**/*.csv", "a.csv", true),
        ("claims_*.csv", "claims_1.csv", true), ("claims_?.csv", "claims_12.csv", false),
        ("a*b*c", "aXbYc", true), ("a*b*c", "aXc", false), ("*", "", true),
    ])
    func patternsMatchAsAShellWould(pattern: String, path: String, expected: Bool) {
        #expect(Glob(text: pattern).matches(path) == expected)
    }
}
