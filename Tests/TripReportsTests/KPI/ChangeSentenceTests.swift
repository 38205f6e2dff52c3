import Testing
import TripDomain
import TripMart

@testable import TripReports

@Suite struct ChangeSentenceTests {
    /// A month of contracted trips whose costs are known.
    private static func month(trips: Int64, cents: Int64) -> KPISums {
        var sums = KPISums()
        (sums[.trips], sums[.contractedTrips], sums[.contractedCostedTrips]) = (trips, trips, trips)
        (sums[.costCents], sums[.contractedCostCents]) = (cents, cents)
        return sums
    }

    private static func reason(from: KPISums, to: KPISums) throws -> String {
        let group = ComparedGroup(value: "08", from: from, to: to)
        let change = try #require(ChangeDecomposition(.vendorCost, of: [group]))
        #expect(change.parts.map(\.kind) == [.mix])
        return ChangeSentence.reason(
            .vendorCost,
            .region,
            try #require(change.parts.first),
            "VISN 8"
        )
    }

    /// Where trips are credits, more of them cost less: the sign of the part is not that of the
    /// trips.
    @Test func moreTripsAreMoreAlsoWhereTheyAreCredits() throws {
        let (few, many) = (Self.month(trips: 2, cents: 200), Self.month(trips: 4, cents: 400))
        let group = "contracted trips of region 08 (VISN 8)"
        #expect(try Self.reason(from: few, to: many) == "there were more \(group)")
        #expect(try Self.reason(from: many, to: few) == "there were fewer \(group)")
        let (less, least) = (Self.month(trips: 2, cents: -200), Self.month(trips: 4, cents: -400))
        let credits = ", which are credits on the whole"
        #expect(try Self.reason(from: less, to: least) == "there were more \(group)\(credits)")
        #expect(try Self.reason(from: least, to: less) == "there were fewer \(group)\(credits)")
    }
}
