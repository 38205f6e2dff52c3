import NIOCore
import Testing

@testable import TripServer

@Suite struct CrowdingTests {
    private static func second(_ number: Double) -> NIODeadline {
        .uptimeNanoseconds(UInt64(number * 1_000_000_000))
    }

    /// A queue at whose head so many of a hundred have left.
    private static func queue(leaving count: Int) -> Crowding {
        var crowding = Crowding()
        crowding.noteTurn(isQueued: true, at: second(10))
        // Evenly among those who stay.
        for number in 0..<100 {
            let hasLeft = number * count / 100 != (number + 1) * count / 100
            crowding.noteNewcomer(hasLeft: hasLeft, isTurnedAway: hasLeft)
        }
        return crowding
    }

    @Test func aQueueOfWhichSomeLeaveIsACrowd() {
        #expect(Self.queue(leaving: 100).isCrowded)
        #expect(Self.queue(leaving: 15).isCrowded)
    }

    @Test func aQueueOfThoseWhoWaitIsServed() {
        #expect(!Self.queue(leaving: 0).isCrowded)
        #expect(!Self.queue(leaving: 9).isCrowded)
    }

    @Test func nobodyIsLookedAtWhereThereIsNoQueue() {
        var crowding = Crowding()
        #expect(!crowding.looksAtNewcomers)
        crowding.noteTurn(isQueued: true, at: Self.second(10))
        #expect(crowding.looksAtNewcomers)
        crowding.noteTurn(isQueued: false, at: Self.second(10.1))
        #expect(!crowding.looksAtNewcomers)
    }

    @Test func aCrowdIsOverAfterASecondWithoutAQueue() {
        var crowding = Self.queue(leaving: 100)
        crowding.noteTurn(isQueued: false, at: Self.second(10.9))
        #expect(crowding.isCrowded)
        crowding.noteTurn(isQueued: true, at: Self.second(10.95))
        crowding.noteTurn(isQueued: false, at: Self.second(11.9))
        #expect(crowding.isCrowded)
        crowding.noteTurn(isQueued: false, at: Self.second(12))
        #expect(!crowding.isCrowded)
        #expect(!crowding.looksAtNewcomers)
    }

    @Test func whatBeginsAfterAQuietHourIsNotTheSameCrowd() {
        var crowding = Self.queue(leaving: 100)
        crowding.noteTurn(isQueued: true, at: Self.second(3_600))
        #expect(!crowding.isCrowded)
    }

    @Test func thoseWhoLeftAQueueThatIsOverDoNotCount() {
        var crowding = Crowding()
        for start in [10.0, 3_600] {
            crowding.noteTurn(isQueued: true, at: Self.second(start))
            for number in 0..<20 {
                crowding.noteNewcomer(hasLeft: number < 3, isTurnedAway: number < 3)
            }
            crowding.noteTurn(isQueued: false, at: Self.second(start + 0.1))
        }
        #expect(!crowding.isCrowded)
    }

    @Test func whoWaitedForAQuarterOfASecondInACrowdIsTurnedAway() {
        let crowding = Self.queue(leaving: 100)
        #expect(crowding.admits(waited: .milliseconds(250)))
        #expect(!crowding.admits(waited: .milliseconds(251)))
        #expect(Crowding().admits(waited: .seconds(60)))
    }
}
