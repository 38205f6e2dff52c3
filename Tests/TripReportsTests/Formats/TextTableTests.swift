import Testing

@testable import TripReports

@Suite struct TextTableTests {
    private static var table: TextTable {
        var table = TextTable([
            TextTable.Column(title: "region", alignment: .left),
            TextTable.Column(title: "", alignment: .label, rank: 3),
            TextTable.Column(title: "in-house trips", alignment: .right),
            TextTable.Column(title: "vendor cost", alignment: .right, rank: 2),
            TextTable.Column(title: "what is missing", alignment: .prose),
        ])
        table.add([
            "01", "VA New England Healthcare System", "1,204", "$186,655.61",
            "vehicle and provider_npi are blank, contract not in contracts.csv",
        ])
        table.add(["02", "", "3", "$1.00", "nothing"])
        return table
    }

    private static func lines(_ width: Int?) -> [String] { table.lines(on: Screen(width: width)) }

    @Test func aTableWithoutALimitHasOneLineForEachRow() {
        #expect(
            Self.lines(nil) == [
                "region                                    in-house trips  vendor cost  what is missing",
                "01      VA New England Healthcare System           1,204  $186,655.61  vehicle and "
                    + "provider_npi are blank, contract not in contracts.csv",
                "02                                                     3        $1.00  nothing",
            ]
        )
    }

    @Test func titlesBreakFirstThenLabelsAreCut() {
        let lines = Self.lines(110)
        #expect(lines[0] == "                      in-house")
        #expect(lines[1] == "region                   trips  vendor cost  what is missing")
        #expect(lines[2].hasPrefix("01      VA New Engl…     1,204  $186,655.61  vehicle and"))
        #expect(lines[2].hasSuffix("contracts.csv"))
    }

    @Test func proseBreaksAtWordsBeforeAColumnIsLeftOut() {
        #expect(
            Self.lines(76) == [
                "                      in-house",
                "region                   trips  vendor cost  what is missing",
                "01      VA New Engl…     1,204  $186,655.61  vehicle and provider_npi are",
                "                                               blank, contract not in",
                "                                               contracts.csv",
                "02                           3        $1.00  nothing",
            ]
        )
    }

    @Test func columnsAreLeftOutByRankAndNamed() {
        #expect(
            Self.lines(42) == [
                "        in-house",
                "region     trips  what is missing",
                "01         1,204  vehicle and provider_npi",
                "                    are blank, contract",
                "                    not in contracts.csv",
                "02             3  nothing",
                "not shown for want of width: region names, vendor cost   --wide shows all",
            ]
        )
    }

    /// A line below a table speaks of a column only where it is there.
    @Test func aTableKnowsTheColumnsItShows() {
        #expect(Self.table.shows("vendor cost", on: Screen(width: 76)))
        #expect(!Self.table.shows("vendor cost", on: Screen(width: 42)))
        #expect(!Self.table.shows("no column", on: .usual))
    }

    /// Not every command has the flag.
    @Test func aScreenOfACommandWithoutTheFlagPromisesNone() {
        #expect(
            Self.table.lines(on: Screen(width: 42).withoutWideFlag).last
                == "not shown for want of width: region names, vendor cost"
        )
    }

    @Test func aTableWithoutRanksIsWrittenRowByRow() {
        var table = TextTable([("file", .left), ("rows", .right), ("not equal", .right)])
        table.add(["generations/000001.sqlite and more of it", "4,006", "0"])
        #expect(
            table.lines(on: Screen(width: 40)) == [
                "generations/000001.sqlite and more of it · rows 4,006 · not equal 0"
            ]
        )
    }

    @Test func aColumnWithoutTitleAndTextTakesNoRoom() {
        var table = TextTable([("a", .left), ("", .prose), ("b", .right)])
        table.add(["x", "", "1"])
        #expect(table.lines(on: .usual) == ["a  b", "x  1"])
    }

    @Test func aNameThatWouldControlTheTerminalIsShownAsEscapes() {
        var table = TextTable([("file", .left), ("n", .right)])
        table.add(["a\u{1B}[2Jb\nc", "1"])
        #expect(table.lines(on: .usual) == ["file            n", "a\\u{1B}[2Jb\\nc  1"])
    }

    /// Numbers are whole, and nothing is wider than the screen, at every width.
    @Test(arguments: 40...120)
    func numbersAreNeverBroken(width: Int) {
        let screen = Screen(width: width)
        let lines = screen.text(Self.table.lines(on: screen)).split(separator: "\n")
        #expect(lines.contains { $0.contains("1,204") })
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
    }
}
