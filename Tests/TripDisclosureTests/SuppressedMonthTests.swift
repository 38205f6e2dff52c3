import Testing
import TripDomain

@testable import TripDisclosure

@Suite struct SuppressedMonthTests {
    /// Every number that the month's own alternative tables leave visible is that of its cell.
    @Test(arguments: [(UInt64(1), 60), (2, 300), (3, 1200)])
    func aRowShowsTheNumbersOfItsCellOrNone(seed: UInt64, trips: Int) throws {
        let cells = RandomCube.make(seed: seed, trips: trips, months: 1, types: 4, regions: 5)
            .filter { $0.month == "m0" }
        let month = SuppressedMonth("m0", cells, threshold: 11, slotLimit: RecodedCube.slotLimit)
        var shown = 0
        for row in month.rows {
            let cell = cells.first { $0.tripType == row.tripType && $0.region == row.region }
            let values = (cell?.sums ?? KPISums()).values
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

    @Test func rowsAreInOrderAndUnique() {
        let cells = RandomCube.make(seed: 5, trips: 300, months: 1, types: 4, regions: 30)
            .filter { $0.month == "m0" }
        let month = SuppressedMonth("m0", cells, threshold: 11, slotLimit: 80)
        #expect(!month.merged[1].isEmpty)
        #expect(zip(month.rows, month.rows.dropFirst()).allSatisfy { $0.key < $1.key })
    }

    @Test func anUnsuppressedMonthShowsEverything() {
        let cells = RandomCube.make(seed: 5, trips: 40, months: 1, types: 2, regions: 2)
            .filter { $0.month == "m0" }
        let month = SuppressedMonth(whole: "m0", cells)
        #expect(month.rows.map(\.values) == cells.map { $0.sums.values })
    }
}
