import Testing

@testable import TripRuns

/// Names as a person orders them.
@Suite struct NaturalOrderTests {
    @Test(arguments: [
        ("2", "10"), ("trips_9", "trips_10"), ("sep", "oct"), ("Apr-2026", "Aug-2026"),
        ("12-2025", "01-2026"), ("10-31-2025", "01-05-2026"),
        ("claims_12312025", "claims_01052026"),
        ("oct2025", "jan2026"), ("september", "october"), ("w2/9", "w10/1"),
    ])
    func theFirstComesBeforeTheSecond(earlier: String, later: String) {
        #expect(NaturalOrder(earlier) < NaturalOrder(later))
        #expect(!(NaturalOrder(later) < NaturalOrder(earlier)))
        // As text they would be the other way round, or nothing would have to be said.
    }

    @Test(arguments: [
        ("20251231", "20260105"), ("2025-12", "2026-01"), ("trips_01", "trips_02"),
    ])
    func paddedNamesAreOrderedAsText(earlier: String, later: String) {
        #expect(NaturalOrder(earlier) < NaturalOrder(later))
        #expect(earlier < later)
    }

    @Test(arguments: [
        ("north", "south"), ("a_2", "b_1"), ("marina", "decatur"), ("trips", "trips_2"),
    ])
    func otherWordsHaveNoOrder(left: String, right: String) {
        #expect(!(NaturalOrder(left) < NaturalOrder(right)))
        #expect(!(NaturalOrder(right) < NaturalOrder(left)))
    }
}
