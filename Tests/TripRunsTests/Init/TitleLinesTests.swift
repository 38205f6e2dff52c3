import Testing

@testable import TripEngine
@testable import TripRuns

@Suite struct TitleLinesTests {
    private static func lines(_ counts: [Int]) -> [SampleLine] {
        counts.enumerated().map { index, count in
            SampleLine(
                offset: index * 10,
                lineNumber: index + 1,
                fieldCount: count,
                filledCount: count
            )
        }
    }

    @Test(arguments: [
        // Fields of each line, lines not read, the last that looks like a title, records among
        // them.
        ([8, 8, 8], 0, 0, []), ([1, 8, 1, 8, 8, 1], 1, 3, [2]), ([8, 1, 8, 8], 0, 2, [1]),
        ([1, 1, 8, 8, 1], 2, 2, []), ([1, 8, 7, 8], 1, 1, []),
    ])
    func titlesStandBeforeTheRecordsOrOneLineBelow(
        counts: [Int],
        unread: Int,
        last: Int,
        records: [Int]
    ) {
        let titles = TitleLines(
            Self.lines(counts),
            unread: unread,
            fieldCount: 8,
            hasHeader: false
        )
        #expect(titles.last == last)
        #expect(titles.recordLines == records)
        #expect((titles.question == nil) == (last == 0))
    }

    @Test func theRecordsAmongTitlesAreNamed() {
        let titles = TitleLines(
            Self.lines([1, 8, 1, 8]),
            unread: 1,
            fieldCount: 8,
            hasHeader: false
        )
        #expect(
            titles.question
                == "lines 1-3 look like titles (line 2 has the form of a record): those after "
                + "line 1 are read; are they no trips, write {preamble_lines: 3}"
        )
    }
}
