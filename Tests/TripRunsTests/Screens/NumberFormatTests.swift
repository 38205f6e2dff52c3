import Testing

@testable import TripRuns

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

    @Test func numbersInARowAreOneRange() {
        #expect(NumberFormat.ranges([1, 2, 3, 4, 6, 8, 9]) == "1 to 4, 6, 8 to 9")
        #expect(NumberFormat.ranges([7]) == "7")
        #expect(NumberFormat.ranges([]) == "")
        #expect(
            NumberFormat.range(-3 ... -3) == "-3"
                && NumberFormat.range(-3...Int.max) == "-3 to \(Int.max)"
        )
    }

    @Test(arguments: [
        ("claims_20261101.csv.gz", "claims_20261101.csv.gz"), ("a b", "'a b'"), ("", "''"),
        ("it's", "'it'\\''s'"), ("$(x)", "'$(x)'"), ("é.csv", "'é.csv'"), ("~/x", "'~/x'"),
    ])
    func wordsWithShellCharactersAreQuoted(word: String, text: String) {
        #expect(NumberFormat.shell(word) == text)
    }

    @Test func sharesRoundHalfUp() {
        #expect(NumberFormat.wholePercent(1, of: 200) == "1 %")
        #expect(NumberFormat.wholePercent(0, of: 0) == "–")
    }
}
