import Testing

@testable import TripReports

@Suite struct NumberFormatTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (4_638_000, "4,638,000"), (-1000, "-1,000"),
    ])
    func digitsAreGrouped(value: Int64, text: String) {
        #expect(NumberFormat.count(value) == text)
    }

    @Test(arguments: [
        (1_340_211_820, "$13,402,118.20"), (5, "$0.05"), (-120, "-$1.20"), (0, "$0.00"),
    ])
    func centsAreDollars(cents: Int64, text: String) {
        #expect(NumberFormat.dollars(cents) == text)
    }

    @Test func aPercentHasTwoDecimals() {
        #expect(NumberFormat.percent(4111) == "41.11")
        #expect(NumberFormat.percent(5) == "0.05")
        #expect(NumberFormat.percent(-5) == "-0.05")
        #expect(NumberFormat.percent(nil) == "–")
    }

    @Test func sharesRoundHalfUp() {
        #expect(NumberFormat.wholePercent(1, of: 200) == "1 %")
        #expect(NumberFormat.wholePercent(0, of: 0) == "–")
    }
}
