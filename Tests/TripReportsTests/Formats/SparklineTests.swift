import Testing

@testable import TripReports

@Suite struct SparklineTests {
    @Test func theLeastIsTheLowestBarAndTheGreatestTheHighest() {
        #expect(Sparkline.text([10, 45, 80]) == "▁▅█")
    }

    @Test func anUnknownNumberIsABlank() {
        #expect(Sparkline.text([0, nil, 7]) == "▁ █")
        #expect(Sparkline.text([nil, nil]) == "  ")
        #expect(Sparkline.text([]) == "")
    }

    @Test func equalNumbersHaveEqualBars() {
        #expect(Sparkline.text([5, 5, 5]) == "▁▁▁")
    }
}
