import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

@Suite struct RegionComparisonTests {
    private func column(_ values: [String?]) -> TextColumn {
        let pool = Array(Set(values.compactMap(\.self))).sorted()
        return TextColumn(
            codes: values.map { value in
                value.flatMap { pool.firstIndex(of: $0) }.map { UInt32($0 + 1) } ?? 0
            },
            pool: TextPool(pool)
        )
    }

    @Test(
        arguments: [
            ("08", "8", false), ("8", "8", false), ("8", "9", true), ("UNKNOWN", "8", true),
            ("North", "North", false), ("North", "north", true), ("-8", "8", true),
            ("1x", "01x", true), ("\u{E9}", "e\u{301}", true),
        ]
    )
    func numbersAreComparedAsNumbersAndTextsAsBytes(
        region: String,
        named: String,
        differs: Bool
    ) {
        let comparison = RegionComparison(region: column([region]), named: column([named]))
        #expect(comparison.known == 1)
        #expect(comparison.different == (differs ? 1 : 0))
    }

    @Test func onlyTripsThatHaveBothAreCompared() {
        let comparison = RegionComparison(
            region: column(["08", nil, "09", nil, "10"]),
            named: column([nil, "08", "9", nil, "11"])
        )
        #expect(comparison.known == 2)
        #expect(comparison.different == 1)
        var sum = comparison
        sum += comparison
        #expect((sum.known, sum.different) == (4, 2))
    }
}
