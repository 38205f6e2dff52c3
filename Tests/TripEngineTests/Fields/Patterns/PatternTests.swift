import Foundation
import TestSupport
import Testing

@testable import TripEngine

@Suite struct PatternTests {
    private func matches(_ pattern: String, _ text: String) throws -> Bool {
        try Pattern(pattern).matches(Array(text.utf8))
    }

    @Test(arguments: [
        ("[0-9]{3}[0-9A-Z]{0,4}", "528A8", true), ("[0-9]{3}[0-9A-Z]{0,4}", "52", false),
        ("[0-9]{3}[0-9A-Z]{0,4}", "528a8", false), ("\\d{10}V\\d{6}", "1234567890V123456", true),
        ("a|bc|d", "bc", true), ("a|bc|d", "abc", false), ("(ab)+", "ababab", true),
        ("x*", "", true), ("[^,]*", "a;b", true), (".", "é", true), ("a{2,3}", "aaaa", false),
    ])
    func patternsMatchWholeTexts(pattern: String, text: String, expected: Bool) throws {
        #expect(try matches(pattern, text) == expected)
    }

    @Test func theFirstGroupIsCaptured() throws {
        let pattern = try Pattern("claims_(\\d{8})")
        #expect(pattern.capture(in: "claims_20261101.csv.gz") == "20261101")
        #expect(pattern.capture(in: "old_claims_20261101.csv") == "20261101")
        #expect(pattern.capture(in: "claims_2026.csv") == nil)
        #expect(try Pattern("(b)|a").capture(in: "ab") == "a")
        #expect(try Pattern("ab|b+").capture(in: "xabbb") == "ab")
        #expect(try Pattern("a*").capture(in: "baa") == "")
        #expect(try Pattern("a+(b?)").capture(in: "xaab") == "b")
        #expect(try Pattern("abc|b").capture(in: "abd b") == "b")
        #expect(try Pattern("\\d+").capture(in: "a17b") == "17")
    }

    @Test(arguments: ["(", ")", "[", "[]", "a{", "a{2", "a{3,2}", "*a", "\\", "^a", "\\q", "[z-a]"])
    func aTextThatIsNoPatternIsRefused(pattern: String) {
        #expect(throws: PatternFault.self) { try Pattern(pattern) }
    }

    @Test func nestedRepeatsStayLinear() throws {
        // Exponential for an engine that backtracks: 2^4000 ways to divide the text.
        #expect(try !matches("(a+)+b", String(repeating: "a", count: 4000)))
    }

    @Test func randomPatternsAgreeWithAnotherEngine() throws {
        var random = SeededDice(seed: 11)
        let atoms = ["a", "b", ".", "[ab]", "[^a]", "(a|b)", "(ab)", "c"]
        let repeats = ["", "", "", "?", "*", "+", "{2}", "{1,3}", "{2,}"]
        for _ in 0..<3000 {
            let pattern = (0..<(1 + random.next() % 4)).map { _ in
                random.pick(atoms) + random.pick(repeats)
            }.joined(separator: random.next() % 5 == 0 ? "|" : "")
            let text = (0..<(random.next() % 7)).map { _ in
                random.pick(["a", "b", "c"])
            }.joined()
            let other = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
            let range = NSRange(text.startIndex..., in: text)
            let expected = other.firstMatch(in: text, range: range) != nil
            var table = PatternTable(try Pattern(pattern))
            let byTable = Array(text.utf8).withUnsafeBufferPointer { table.matches($0) }
            #expect(byTable == expected, "\(pattern) on \(text)")
            #expect(try matches(pattern, text) == expected, "\(pattern) on \(text)")
        }
    }

    @Test func theTablePassesTextsOutsideASCIIToThePattern() throws {
        var table = PatternTable(try Pattern("[^x]{1,2}"))
        for (text, expected) in [("éa", true), ("éaa", false), ("x", false), ("aé", true)] {
            #expect(Array(text.utf8).withUnsafeBufferPointer { table.matches($0) } == expected)
        }
        // Of one length: two scalars, which may be two, three or four bytes.
        var fixed = PatternTable(try Pattern("[^x][a-zé]"))
        for (text, expected) in [
            ("é", false), ("aé", true), ("éé", true), ("ab", true), ("xb", false), ("a", false),
            ("abc", false), ("", false), ("a\u{80}", false),
        ] {
            #expect(Array(text.utf8).withUnsafeBufferPointer { fixed.matches($0) } == expected)
        }
    }
}
