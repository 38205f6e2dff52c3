import Testing

@testable import TripReports

@Suite struct StateWordTests {
    @Test(arguments: [
        ("  warn duplicates   1", "warning"), ("  held rules.yaml", "warning"),
        ("WITHHELD | 1", "error"), ("NOT PUBLISHED | x", "error"), ("PUBLISHED 1 | x", "info"),
        ("  waits a.csv", "info"),
    ])
    func aLineHasTheLevelOfItsFirstWord(line: String, level: String) {
        #expect(StateWord.first(of: line)?.level.rawValue == level)
    }

    @Test(arguments: ["  items    3 read", "rejected corrections: 2", "heldback", ""])
    func otherLinesHaveNone(line: String) {
        #expect(StateWord.first(of: line) == nil)
    }
}
