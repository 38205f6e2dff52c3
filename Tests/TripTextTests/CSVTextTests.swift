import Testing

@testable import TripText

@Suite struct CSVTextTests {
    private static func cell(_ text: String) -> String {
        CSVText.lines(["a"], [[.text(text)]])[1]
    }

    @Test func textsASpreadsheetWouldRunAreDefused() {
        #expect(Self.cell("=1+1") == "'=1+1")
        #expect(Self.cell("\t=1") == "'\t'=1")
        #expect(Self.cell("\r=1") == "\"'\r'=1\"")
    }

    @Test func quotesAndDelimitersAreEscaped() {
        #expect(Self.cell("a,b") == "\"a,b\"")
        #expect(Self.cell("a\"b") == "\"a\"\"b\"")
        #expect(Self.cell("plain") == "plain")
        // The quote and the accent on it are one character of Swift, and two of a spreadsheet.
        #expect(Self.cell("a\"\u{301},=1+1") == "\"a\"\"\u{301},=1+1\"")
    }

    @Test func whatIsNotThereIsAnEmptyCell() {
        let row: [RowValue] = [.text(nil), .number(.integer(nil)), .number(.hundredths(nil))]
        #expect(CSVText.lines(["a", "b", "c"], [row])[1] == ",,")
    }

    @Test func numbersTruthsAndListsAreLeftAsTheyAre() {
        let row: [RowValue] = [
            .number(.integer(-5)), .number(.hundredths(-1)), .truth(true), .list(["x", "y,z"]),
        ]
        #expect(CSVText.lines(["a", "b", "c", "d"], [row])[1] == "-5,-0.01,true,\"x; y,z\"")
    }

    @Test func everyLineOfTheTextHasItsEnd() {
        let text = CSVText.text(["a", "b"], [[.truth(false), .text("x")]])
        #expect(String(decoding: text, as: UTF8.self) == "a,b\r\nfalse,x\r\n")
        #expect(String(decoding: CSVText.text(["a"], []), as: UTF8.self) == "a\r\n")
    }

    /// The same values as members of an object.
    @Test func valuesOfARowAreWrittenInJSONToo() {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("a", RowValue.text("x"))
            json.value("b", RowValue.text(nil))
            json.value("c", RowValue.number(.hundredths(105)))
            json.value("d", RowValue.number(.integer(nil)))
            json.value("e", RowValue.truth(false))
            json.value("f", RowValue.list(["x", "y"]))
        }
        let text = #"{"a": "x", "b": null, "c": 1.05, "d": null, "e": false, "f": ["x", "y"]}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == text)
    }
}
