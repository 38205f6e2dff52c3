import TestSupport
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

    /// The plainest matcher: every way to divide the path is tried.
    private static func slowMatch(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if pattern.starts(with: "**/".utf8) {
            if slowMatch(pattern.dropFirst(3), path) { return true }
            guard let slash = path.firstIndex(of: 0x2F) else { return false }
            return slowMatch(pattern, path[(slash + 1)...])
        }
        guard let next = path.first, next != 0x2F || first == 0x2F else {
            return first == 0x2A && slowMatch(pattern.dropFirst(), path)
        }
        switch first {
        case 0x2A:
            return slowMatch(pattern.dropFirst(), path) || slowMatch(pattern, path.dropFirst())
        case 0x3F: return slowMatch(pattern.dropFirst(), path.dropFirst())
        default: return next == first && slowMatch(pattern.dropFirst(), path.dropFirst())
        }
    }

    @Test(arguments: seeds(1...20))
    func randomPatternsMatchAsTheSlowMatcherDoes(seed: Int) {
        var dice = SeededDice(seed: UInt64(seed))
        var matches = 0
        for _ in 0..<2000 {
            let pattern = (0..<dice.below(6)).map { _ in
                dice.pick(["a", "b", "*", "?", "**/", "/"])
            }
            let path = (0..<dice.below(8)).map { _ in dice.pick(["a", "b", "/"]) }.joined()
            let bytes = Array(path.utf8)
            let glob = Glob(text: pattern.joined())
            let expected = Self.slowMatch(Array(glob.text.utf8)[...], bytes[...])
            #expect(glob.matches(bytes) == expected, "\(glob.text) \(path)")
            if expected { matches += 1 }
            // A folder is reached where a path below it matches.
            for cut in bytes.indices where bytes[cut] == 0x2F && cut + 1 < bytes.count && expected {
                #expect(glob.reaches(Array(bytes[..<cut])), "\(glob.text) \(path)")
            }
        }
        #expect(matches > 20)
    }

    @Test(arguments: [
        ("*.csv", "sub", false), ("**/*.csv", "sub", true), ("in/*.csv", "in", true),
        ("in/*.csv", "out", false), ("in/**/x.csv", "in/a/b", true), ("*/x.csv", "a/b", false),
        ("in", "in", false),
    ])
    func aFolderIsReachedByPatternsOfFilesBelowIt(pattern: String, folder: String, is: Bool) {
        #expect(Glob(text: pattern).reaches(Array(folder.utf8)) == `is`)
    }

    @Test func manyStarsTakeNoLongerThanTheirNumber() {
        let glob = Glob(text: String(repeating: "*a", count: 5000))
        #expect(!glob.matches(String(repeating: "a", count: 250) + "b"))
    }

    @Test(arguments: [
        ("*.csv*", "*.csv"), ("**/claims_*.tsv**", "**/claims_*.tsv"), ("*.csv", nil),
        ("claims_*", nil), ("*", nil), ("a.b/*", nil),
    ])
    func theLastStarIsLeftOutAfterAnEnding(pattern: String, plain: String?) {
        #expect(Glob(text: pattern).withoutLastStar?.text == plain)
    }
}
