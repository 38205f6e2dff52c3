import Testing
import TripDomain

@testable import TripMart

@Suite struct HistoryIndexTests {
    private static let longAgo = CivilDate(dayNumber: 0)

    /// The order in force is that of the generations that are answered from where one is damaged.
    @Test func theOrderInForceLeavesOutWhatWasWithdrawn() throws {
        let nights = try PublishedNights(seed: 1, days: [60, 90, 120, 150], count: 200)
        try nights.rollBack(to: 2)
        try nights.mart.publish(nights.nights[3])
        try nights.rollBack(to: 1)
        let folder = nights.mart.folder
        let index = HistoryIndex(folder)
        for number in 1...8 {
            #expect(
                index.inForce(before: number, backTo: Self.longAgo).map(\.number)
                    == (try folder.generations(before: number)),
                "\(number)"
            )
        }
        #expect(index.inForce(before: 7, backTo: Self.longAgo).map(\.number) == [1])
        #expect(index.inForce(before: 6, backTo: Self.longAgo).map(\.number) == [5, 2, 1])
    }

    @Test func theSearchEndsAtADay() throws {
        let nights = try PublishedNights(seed: 2, days: [60, 90, 120, 150], count: 400)
        let index = HistoryIndex(nights.mart.folder)
        let day = try #require(nights.dataThrough(2))
        #expect(index.inForce(before: 4, backTo: day).map(\.number) == [3, 2])
        let next = CivilDate(dayNumber: day.dayNumber + 1)
        #expect(index.inForce(before: 4, backTo: next).map(\.number) == [3])
    }

    /// A file that was put back from a copy is read again.
    @Test func anotherFileIsReadAgain() throws {
        let nights = try PublishedNights(seed: 3, days: [60, 90], count: 200)
        let folder = nights.mart.folder
        let index = HistoryIndex(folder)
        #expect(index.entry(1)?.dataThrough == nights.dataThrough(1))
        #expect(index.entry(3) == nil)
        try BuiltMart.tamper(
            folder.historyPath(1),
            "UPDATE generation SET data_through = '2020-01-01'"
        )
        #expect(index.entry(1)?.dataThrough == CivilDate(text: "2020-01-01"))
        try FileDamage.overwrite(folder.historyPath(2), at: 0, count: 100)
        #expect(index.entry(2) == nil)
        #expect(index.inForce(before: 3, backTo: Self.longAgo).map(\.number) == [1])
    }
}
