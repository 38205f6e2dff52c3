import Testing

@testable import TripReports

@Suite struct RowSetTests {
    @Test func textsASpreadsheetWouldRunAreDefused() {
        #expect(RowSet.cell("=1+1") == "'=1+1")
        #expect(RowSet.cell("\t=1") == "'\t'=1")
        #expect(RowSet.cell("\r=1") == "\"'\r'=1\"")
    }

    @Test func quotesAndDelimitersAreEscaped() {
        #expect(RowSet.cell("a,b") == "\"a,b\"")
        #expect(RowSet.cell("a\"b") == "\"a\"\"b\"")
        #expect(RowSet.cell("plain") == "plain")
        // The quote and the accent on it are one character of Swift, and two of a spreadsheet.
        #expect(RowSet.cell("a\"\u{301},=1+1") == "\"a\"\"\u{301},=1+1\"")
    }

    @Test func numbersAreLeftAsTheyAre() {
        var set = RowSet(["a", "b"])
        set.add([.integer(-5), .hundredths(-1)])
        #expect(set.csv == "a,b\n-5,-0.01")
    }

    @Test func jsonEscapesSpecialCharacters() {
        #expect(JSONValue.text("a\"\\\n\u{1}").json == "\"a\\\"\\\\\\n\\u0001\"")
    }
}
