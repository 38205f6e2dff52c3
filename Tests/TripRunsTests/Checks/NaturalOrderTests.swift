import Testing

@testable import TripRuns

/// Names as a person orders them.
@Suite struct NaturalOrderTests {
    @Test(arguments: [
        ("2", "10"), ("trips_9", "trips_10"), ("sep", "oct"), ("Apr-2026", "Aug-2026"),
        ("12-2025", "01-2026"), ("10-31-2025", "01-05-2026"),
        ("claims_12312025", "claims_01052026"),
        ("oct2025", "jan2026"), ("september", "october"), ("w2/9", "w10/1"),
        ("claims_31-08-2026", "claims_01-09-2026"), ("31082026", "01092026"),
        ("1.12.2025", "31.1.2026"), ("trips", "trips_2"), ("a/15.3.2026", "a/2.4.2026"),
        ("c_2026-10-30_06-14-00", "c_2026-10-31_06-14-00"),
        ("20261030-06-14-00", "20261031-06-14-00"),
        ("2026-10-30T06.14.00", "2026-10-30T07.14.00"), ("20261030061400", "20261031061400"),
    ])
    func theFirstComesBeforeTheSecond(earlier: String, later: String) {
        #expect(NaturalOrder.read(earlier, later) == .before)
        #expect(NaturalOrder.read(later, earlier) == .after)
    }

    @Test(arguments: [
        ("20251231", "20260105"), ("2025-12", "2026-01"), ("trips_01", "trips_02"),
    ])
    func paddedNamesAreOrderedAsText(earlier: String, later: String) {
        #expect(NaturalOrder.read(earlier, later) == .before)
        #expect(earlier < later)
    }

    @Test(arguments: [
        ("north", "south"), ("a_2", "b_1"), ("marina", "decatur"), ("oct", "oct_final"),
        ("oct-v1", "oct"), ("31.08.26", "01.09.26"), ("first", "second"), ("a_1", "a_01"),
    ])
    func otherWordsHaveNoOrder(left: String, right: String) {
        #expect(NaturalOrder.read(left, right) == .unknown)
        #expect(NaturalOrder.read(right, left) == .unknown)
    }
}
