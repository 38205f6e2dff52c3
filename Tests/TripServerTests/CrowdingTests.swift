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
        crowding.noteTurn(hasEmptied: false, at: second(10))
        // Evenly among those who stay.
        for number in 0..<100 {
            crowding.noteNewcomer(hasLeft: number * count / 100 != (number + 1) * count / 100)
        }
        return crowding
    }

    @Test func aQueueOfThoseWhoLeftIsACrowd() {
        #expect(Self.queue(leaving: 100).isCrowded)
        #expect(Self.queue(leaving: 60).isCrowded)
    }

    @Test func aQueueOfThoseWhoWaitIsServed() {
        #expect(!Self.queue(leaving: 0).isCrowded)
        #expect(!Self.queue(leaving: 40).isCrowded)
    }

    @Test func nobodyIsLookedAtWhereNobodyWasLeftWaiting() {
        var crowding = Crowding()
        #expect(!crowding.looksAtNewcomers)
        crowding.noteTurn(hasEmptied: false, at: Self.second(10))
        #expect(crowding.looksAtNewcomers)
        crowding.noteTurn(hasEmptied: true, at: Self.second(10.1))
        #expect(!crowding.looksAtNewcomers)
    }

    @Test func aCrowdIsOverOnceNobodyWasLeftWaitingForASecond() {
        var crowding = Self.queue(leaving: 100)
        crowding.noteTurn(hasEmptied: true, at: Self.second(10.9))
        #expect(crowding.isCrowded)
        crowding.noteTurn(hasEmptied: false, at: Self.second(10.95))
        crowding.noteTurn(hasEmptied: true, at: Self.second(11.9))
        #expect(crowding.isCrowded)
        crowding.noteTurn(hasEmptied: true, at: Self.second(12))
        #expect(!crowding.isCrowded)
        #expect(!crowding.looksAtNewcomers)
    }

    @Test func whoWaitedForAQuarterOfASecondIsStillAnswered() {
        #expect(Crowding.admits(waited: .milliseconds(250)))
        #expect(!Crowding.admits(waited: .milliseconds(251)))
    }
}
