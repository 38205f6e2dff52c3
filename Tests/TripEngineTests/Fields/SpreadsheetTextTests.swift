import Testing

@testable import TripEngine

/// Ids that a spreadsheet lost.
@Suite struct SpreadsheetTextTests {
    private func isOne(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { SpreadsheetText.isOne($0) }
    }

    @Test(arguments: ["1.23457E+11", "2E+15", "9,87654E+12", "1.5e+09", "1.23E+100", "12.5E+10"])
    func aSpreadsheetTextIsRecognised(text: String) {
        #expect(isOne(text))
    }

    @Test(arguments: ["##", "########", "#N/A", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#DIV/0!"])
    func aValueThatIsNotShownIsRecognised(text: String) {
        #expect(isOne(text))
    }

    @Test(arguments: [
        "#", "#12", "#NA", "12#", "#n/a ",
        "", "E+11", "1E+1", "123457000000", "1.2.3E+11", "RUN1E+11", "1.23457E-11", "1.2E+1x",
        "A-1.2E+11", "1,2,3E+10", ".5E+11", "1E+1234",
    ])
    func otherIDsAreNot(text: String) {
        #expect(!isOne(text))
    }
}
