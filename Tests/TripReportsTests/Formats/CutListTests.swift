import Testing

@testable import TripReports

@Suite struct CutListTests {
    @Test(arguments: [
        (50, 75, ["", "50 of 75 rejects; all: --limit 75"]), (75, 75, []), (0, 0, []),
        (50, 200_000, ["", "50 of 200,000 rejects; more: --limit 100000"]),
    ])
    func aListThatIsCutSaysHowToSeeAll(shown: Int, total: Int, lines: [String]) {
        #expect(CutList.hint(shown: shown, of: total, "reject") == lines)
    }
}
