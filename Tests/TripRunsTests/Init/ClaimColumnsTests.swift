import Testing

@testable import TripEngine
@testable import TripRuns

/// The columns of a line of a claim, by their names and values.
@Suite struct ClaimColumnsTests {
    private func profiles(_ columns: [(name: String, cells: [String])]) -> [ColumnProfile] {
        columns.enumerated().map { index, one in
            var column = SampleColumn(name: one.name)
            for cell in one.cells {
                var text = cell
                text.withUTF8 { column.append($0) }
            }
            return ColumnProfile(column, index: index)
        }
    }

    @Test func theNumberThatStaysIsTheClaim() {
        let twice = ["11", "11", "12", "12"]
        let columns = ClaimColumns(
            profiles([
                ("CUR_CLM_UNIQ_ID", twice), ("CLM_LINE_NUM", ["1", "2", "1", "2"]),
                ("CLM_TYPE_CD", ["71", "71", "72", "72"]), ("CLM_CNTL_NUM", twice),
            ])
        )
        #expect(columns.claim?.name == "CLM_CNTL_NUM")
        #expect(columns.line?.name == "CLM_LINE_NUM")
    }

    @Test func aNumberThatNoTwoLinesHaveIsNoClaim() {
        let columns = ClaimColumns(profiles([("claim_number", ["1", "2", "3"])]))
        #expect(columns.claim == nil)
    }

    @Test(arguments: [
        ("Line Charge", ["1", "2", "1", "2"]), ("line_status", ["1", "2", "1", "2"]),
        ("line", ["a", "b", "a", "b"]), ("units", ["1", "2", "1", "2"]),
    ])
    func otherColumnsAreNoNumberOfALine(name: String, cells: [String]) {
        #expect(ClaimColumns(profiles([(name, cells)])).line == nil)
    }

    @Test(arguments: [
        ("Frequency", ["1", "1", "7"], true), ("Adjustment Type", ["0", "2", "1"], true),
        ("Adjustment Amount", ["0", "2", "1"], false), ("Pay Frequency Date", ["1", "7"], false),
        ("Status", ["1", "7", "8"], false),
    ])
    func theNameSaysWhichColumnIsTheFrequency(name: String, cells: [String], isFound: Bool) {
        #expect((ClaimFrequency(profiles([(name, cells)])[0]) != nil) == isFound)
    }

    @Test func whatIsInNoListIsSaid() throws {
        let found = ClaimFrequency(profiles([("freq", ["1", "1", "5"])])[0])
        let question = try #require(found).question
        #expect(question.hasPrefix("`freq` has 1 in 2 records, 5 in 1 record: look whether 1 is"))
        #expect(question.hasSuffix("; lines with 5 are rejected until a list has it"))
    }
}
