import Testing

@testable import TripEngine
@testable import TripRuns

@Suite struct UnitListGuessTests {
    private static func guess(_ name: String, _ cells: [String]) -> UnitListGuess? {
        var column = SampleColumn(name: name)
        for cell in cells {
            var cell = cell
            cell.withUTF8 { column.append($0) }
        }
        return UnitListGuess.find(in: [ColumnProfile(column, index: 0)])
    }

    @Test(arguments: [
        ("Units", ["M6=06:51, V2", "M7=06:52", "", "V2"], ",", "=", 1),
        ("Crews", ["V9@23:58;V2", "V2;V3", "M1"], ";", "@", 2),
        ("Sent", ["M6 at 06:51|V2 at 06:52", "V2|V9"], "|", " at ", 2),
        ("Units", ["M6=soon,V2=", "M6,V2,", " , "], ",", nil, 2),
    ])
    func aColumnOfListedUnitsIsFound(
        name: String,
        cells: [String],
        separator: String,
        mark: String?,
        count: Int
    ) {
        let found = Self.guess(name, cells)
        #expect(found?.separator == separator)
        #expect(found?.timeMark == mark)
        #expect(found?.listCount == count)
    }

    @Test(arguments: [
        ("Modifiers", ["TQ,NH", "RH,QN"]), ("Stations", ["Lake, North", "Lake, South"]),
        ("Column 4", ["08/516", "10/642"]), ("Column 4", ["8,516", "10;642"]),
        ("Units", ["M6", "V2", "M7"]), ("Paid", ["1,204.50", "2,204.50"]),
        ("Sent", ["M6", "V2", "V3", "V4", "M6,V2"]),
        ("Units", ["sent to the wrong house, came back", "none, at all"]),
    ])
    func otherColumnsListNone(name: String, cells: [String]) {
        #expect(Self.guess(name, cells) == nil)
    }

    @Test func theQuestionSaysWhatToWriteAndQuotesNoCell() {
        let found = Self.guess("Units", ["M6=06:51, V2", "M7=06:52, V2"])
        #expect(
            found?.question(tripID: ["Incident"])
                == "2 cells of `Units` list several units; are they trips of their own, write "
                + "{split: \",\", unit_time: {after: \"=\"}} for it, and compose `trip_id` of "
                + "`Incident` + `Units`; until then a record is one trip"
        )
    }
}
