import Testing

@testable import TripReports

@Suite struct WaterfallTests {
    @Test func eachBarBeginsWhereTheOneBeforeItEnds() {
        #expect(
            Waterfall.bars([50, 50, -25, 0, -75], width: 8)
                == ["████", "    ████", "      ░░", "", "░░░░░░"]
        )
        #expect(Waterfall.bars([-3, 1], width: 6) == ["░░░░░░", "██"])
        #expect(Waterfall.bars([], width: 6) == [])
        #expect(Waterfall.bars([0, 0], width: 6) == ["", ""])
    }

    @Test func aSmallChangeIsStillSeen() {
        #expect(Waterfall.bars([1_000, 1, -1], width: 5) == ["█████", "    █", "    ░"])
        #expect(Waterfall.bars([1, 1_000], width: 5) == ["█", "█████"])
    }

    @Test func noBarIsWiderThanTheColumn() {
        let values = [0, 1, -1, 900, -70_000, Int64.max, Int64.min]
        let all = values.flatMap { one in
            values.flatMap { two in values.map { [one, two, $0, one, $0] } }
        }
        for changes in all {
            for (change, bar) in zip(changes, Waterfall.bars(changes, width: 24)) {
                #expect(bar.count <= 24 && bar.isEmpty == (change == 0))
                #expect(bar.contains("█") == (change > 0) && bar.contains("░") == (change < 0))
            }
        }
    }
}
