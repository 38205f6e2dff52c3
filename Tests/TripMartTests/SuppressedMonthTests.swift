import Testing
import TripDomain

@testable import TripMart

@Suite struct SuppressedMonthTests {
    /// Every number the month's own second tables leave shown is that of its cell.
    @Test(arguments: [(UInt64(1), 60), (2, 300), (3, 1200)])
    func aRowShowsTheNumbersOfItsCellOrNone(seed: UInt64, trips: Int) throws {
        let cells = RandomCube.make(seed: seed, trips: trips, months: 1, types: 4, regions: 5)
            .filter { $0.month == "m0" }
        let month = SuppressedMonth("m0", cells, threshold: 11, slotLimit: BoundedCube.slotLimit)
        var shown = 0
        for row in month.rows {
            let cell = cells.first { $0.tripType == row.tripType && $0.region == row.region }
            let values = CubeTables.values(cell?.sums ?? KPISums())
            for (own, value) in zip(row.values, values) where own != nil {
                #expect(own == value)
                shown += 1
            }
            for count in row.values.prefix(4) { #expect(count.map { $0 == 0 || $0 >= 11 } ?? true) }
        }
        #expect(shown > 0)
        for cell in cells {
            #expect(
                month.rows.contains { $0.tripType == cell.tripType && $0.region == cell.region }
            )
        }
    }

    @Test func rowsStandInOrderAndOnce() {
        let cells = RandomCube.make(seed: 5, trips: 300, months: 1, types: 4, regions: 30)
            .filter { $0.month == "m0" }
        let month = SuppressedMonth("m0", cells, threshold: 11, slotLimit: 80)
        #expect(!month.merged[1].isEmpty)
        #expect(zip(month.rows, month.rows.dropFirst()).allSatisfy { $0.place < $1.place })
    }

    @Test func aMonthAsAWholeShowsEverything() {
        let cells = RandomCube.make(seed: 5, trips: 40, months: 1, types: 2, regions: 2)
            .filter { $0.month == "m0" }
        let month = SuppressedMonth(whole: "m0", cells)
        #expect(month.rows.map(\.values) == cells.map { CubeTables.values($0.sums) })
    }
}
