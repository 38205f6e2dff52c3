import Testing

@testable import TripReports

@Suite struct RowSetTests {
    @Test func numbersAreLeftAsTheyAre() {
        var set = RowSet(["a", "b"])
        set.add([.integer(-5), .hundredths(-1)])
        #expect(set.csv == "a,b\n-5,-0.01")
    }

    @Test func listsAreOneCellAndObjectsTheirJSON() {
        var set = RowSet(["=a", "b"])
        set.add([.list([.text("x"), .integer(7)]), .object([("y", .null)])])
        #expect(set.csv == "'=a,b\nx; 7,\"{\"\"y\"\": null}\"")
    }

    @Test func jsonEscapesSpecialCharacters() {
        #expect(JSONValue.text("a\"\\\n\u{1}").json == "\"a\\\"\\\\\\n\\u0001\"")
    }
}
