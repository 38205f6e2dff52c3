import Testing

@testable import TripEngine
@testable import TripRules

/// Random patterns on random texts of few letters, against SQLite's own LIKE and GLOB.
struct WildcardMatchTests {
    @Test(arguments: WildcardKind.allCases)
    func randomPatternsMatchAsInSQLite(kind: WildcardKind) {
        var dice = ExpressionDice(seed: 14)
        let referee = SQLiteOracle()
        let letters = ["a", "b", "A", "ä", "Ä", "]", "-", "^", "é"]
        let signs = kind == .like ? ["%", "_", "%"] : ["*", "?", "[", "]", "[^", "[a-b]", "*"]
        var matchCount = 0
        for _ in 0..<40 {
            let cases = (0..<250).map { _ -> (text: String, pattern: String) in
                let text = (0..<dice.roll(7)).map { _ in dice.pick(letters) }.joined()
                let pattern = (0..<dice.roll(6)).map { _ in
                    dice.oneIn(2) ? dice.pick(signs) : dice.pick(letters)
                }
                return (text, pattern.joined())
            }
            let tests = cases.map { "'\($0.text)' \(kind.rawValue) '\($0.pattern)'" }
            let row = referee.query("SELECT " + tests.joined(separator: ", ")).rows[0]
            for (index, item) in cases.enumerated() {
                let (text, pattern) = (Array(item.text.utf8), Array(item.pattern.utf8))
                let isMatch = WildcardMatch.matches(kind, pattern: pattern.span, text: text.span)
                matchCount += isMatch ? 1 : 0
                #expect(row[index] == .integer(isMatch ? 1 : 0), "\(tests[index])")
            }
        }
        #expect(matchCount > 500)
    }

    /// The time of a match stays below the product of the lengths, whatever the pattern.
    @Test func aPatternOfManyWildcardsIsDecidedInTime() {
        let text = Array(repeating: UInt8(ascii: "a"), count: 3000)
        let pattern = Array((String(repeating: "a*", count: 300) + "b").utf8)
        let isMatch = WildcardMatch.matches(.glob, pattern: pattern.span, text: text.span)
        #expect(!isMatch)
    }
}
