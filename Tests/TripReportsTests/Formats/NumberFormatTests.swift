import Testing
import TripDomain

@testable import TripReports

@Suite struct NumberFormatTests {
    @Test(arguments: [
        ([1, 2], ["33 %", "67 %"]), ([1, 1, 1], ["34 %", "33 %", "33 %"]),
        ([325, 675], ["33 %", "67 %"]), ([0, 7], ["0 %", "100 %"]), ([0, 0], ["–", "–"]),
    ])
    func sharesOfAWholeAddUpTo100(parts: [Int64], shares: [String]) {
        #expect(NumberFormat.wholePercents(parts) == shares)
    }

    /// No amount is not an amount of $0.00.
    @Test func aCostIsShownWhereOneIsKnown() {
        #expect(NumberFormat.knownCost(CostSums()) == "–")
        #expect(NumberFormat.knownCost(CostSums(trips: 3)) == "not known")
        #expect(NumberFormat.knownCost(CostSums(trips: 3, costedTrips: 1)) == "$0.00")
        var sums = KPISums()
        #expect(KPISum.contractedCostCents.kpi.text(sums) == "–")
        sums[.contractedTrips] = 2
        #expect(KPISum.contractedCostCents.kpi.text(sums) == "not known")
        sums[.contractedCostedTrips] = 1
        #expect(KPISum.contractedCostCents.kpi.text(sums) == "$0.00")
    }

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
