import Testing
import TripDomain

@Suite struct CountedTests {
    @Test func aCountOfOneTakesTheSingular() {
        #expect(Counted.text(1, "trip") == "1 trip")
        #expect(Counted.text(0, "trip") == "0 trips")
        #expect(Counted.text(4_638_000, "trip") == "4,638,000 trips")
        #expect(Counted.text(2, "basis", plural: "bases") == "2 bases")
        #expect(Counted.text(Int64(-1), "trip") == "-1 trip")
    }

    @Test func numbersInARowAreOneRange() {
        #expect(Counted.ranges([1, 2, 3, 4, 6, 8, 9]) == "1 to 4, 6, 8 to 9")
        #expect(Counted.ranges([7]) == "7")
        #expect(Counted.ranges([]) == "")
        #expect(
            Counted.range(-3 ... -3) == "-3"
                && Counted.range(-3...Int.max) == "-3 to \(Int.max)"
        )
    }

    @Test func monthsInARowAreOneRange() {
        let months = ["2025-11", "2025-12", "2026-01", "2026-03"].compactMap { Month(text: $0) }
        #expect(Counted.months(months) == "2025-11 to 2026-01, 2026-03")
        #expect(Counted.months([]) == "")
    }

    @Test(arguments: [
        (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
        (21, "21st"), (112, "112th"),
    ])
    func ordinalsFollowTheirLastDigits(number: Int, text: String) {
        #expect(Counted.ordinal(number) == text)
    }

    @Test(arguments: [(4111, "41.11"), (5, "0.05"), (-5, "-0.05"), (0, "0.00")])
    func hundredthsAreExact(value: Int64, text: String) {
        #expect(Counted.hundredths(value) == text)
    }
}
