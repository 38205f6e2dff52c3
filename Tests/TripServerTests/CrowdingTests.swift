import NIOCore
import Testing

@testable import TripServer

@Suite struct CrowdingTests {
    private static func second(_ number: Double) -> NIODeadline {
        .uptimeNanoseconds(UInt64(number * 1_000_000_000))
    }

    /// A queue from whose head some leave.
    private static func queue(_ leave: [Bool]) -> Crowding {
        var crowding = Crowding()
        for hasLeft in leave { note(&crowding, hasLeft: hasLeft, at: 10) }
        return crowding
    }

    /// Somebody is taken in, who has left or not.
    private static func note(_ crowding: inout Crowding, hasLeft: Bool, at number: Double) {
        crowding.noteNewcomer(at: second(number))
        crowding.noteLeavers(hasLeft ? 1 : 0)
    }

    /// A queue at whose head so many of a hundred have left, evenly among those who stay.
    private static func queue(leaving count: Int) -> Crowding {
        queue((0..<200).map { $0 * count / 100 != ($0 + 1) * count / 100 })
    }

    @Test func aQueueOfWhichSomeLeaveIsACrowd() {
        #expect(Self.queue(leaving: 100).isCrowded)
        #expect(Self.queue(leaving: 15).isCrowded)
    }

    @Test func aQueueOfThoseWhoWaitIsServed() {
        #expect(!Self.queue(leaving: 0).isCrowded)
        #expect(!Self.queue(leaving: 9).isCrowded)
    }

    /// A whole queue, as long as there is room for, of which one in thirty leaves by chance: no part of it looks like a crowd.
    @Test(arguments: 1...20) func aFewWhoLeaveByChanceMakeNoCrowd(seed: UInt64) {
        var state = seed
        let leave = (0..<Intake.backlog).map { _ in
            // Knuth's numbers, of which the upper ones are taken.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % 30 == 0
        }
        #expect((100...175).contains(leave.count { $0 }))
        #expect(!Self.queue(leave).isCrowded)
    }

    @Test func thoseWhoLeftBeforeAreJudgedWithThoseWhoComeNow() {
        for (count, isCrowded) in [(15, false), (16, true)] {
            var crowding = Self.queue([])
            crowding.noteNewcomer(at: Self.second(10))
            crowding.noteLeavers(count)
            for _ in 0..<127 { crowding.noteNewcomer(at: Self.second(10)) }
            #expect(crowding.isCrowded == isCrowded)
        }
    }

    /// Those who stayed before they came make it known no later than a step of its own.
    @Test(arguments: 0...200) func aCrowdIsKnownWithinAStep(staying: Int) {
        var crowding = Self.queue(Array(repeating: false, count: staying))
        // Sixteen who have left, or one more than have come by then, and the rest of a step; or the first who are judged at all.
        let known = max(
            Crowding.sampleCount - staying,
            Crowding.leaversInCrowd + 1 + Crowding.stepCount - 1
        )
        for _ in 0..<known { Self.note(&crowding, hasLeft: true, at: 10) }
        #expect(crowding.isCrowded)
    }

    /// They count as long as those are judged with whom they came, not with the first who are.
    @Test func thoseWhoLeftLastAreJudgedLast() {
        var crowding = Self.queue(Array(repeating: false, count: 128))
        // Of the last 128, 16 have left for the first time at the third step.
        for number in 0..<96 { Self.note(&crowding, hasLeft: number % 5 == 0, at: 10) }
        #expect(crowding.isCrowded)
    }

    /// Who came too long ago goes step by step: the others are judged with those who come now.
    @Test func stepsOfTheLastFiveSecondsAreJudgedThoughOthersAreOlder() {
        var crowding = Crowding()
        for _ in 0..<32 { crowding.noteNewcomer(at: Self.second(10)) }
        for _ in 0..<96 { crowding.noteNewcomer(at: Self.second(14)) }
        for _ in 0..<31 { Self.note(&crowding, hasLeft: true, at: 15.5) }
        #expect(!crowding.isCrowded)
        Self.note(&crowding, hasLeft: true, at: 15.5)
        #expect(crowding.isCrowded)
    }

    /// Of those who come after a quiet time as many are judged as of those who come first.
    @Test func aStepThatWasBegunLongAgoIsNotFilled() {
        var crowding = Crowding()
        for _ in 0..<31 { crowding.noteNewcomer(at: Self.second(10)) }
        for _ in 0..<127 { Self.note(&crowding, hasLeft: true, at: 3_600) }
        #expect(!crowding.isCrowded)
        Self.note(&crowding, hasLeft: true, at: 3_600)
        #expect(crowding.isCrowded)
    }

    /// A turn in which somebody found no place, as often as one was taken in.
    private static func missTurn(_ crowding: inout Crowding, at number: Double) {
        crowding.noteTurn(takenCount: 5, missedCount: 5, at: second(number))
    }

    /// A turn after which everybody had found a place.
    private static func calmTurn(_ crowding: inout Crowding, at number: Double) {
        crowding.noteTurn(takenCount: 1, missedCount: 0, at: second(number))
    }

    @Test func aCrowdIsOverAfterASecondInWhichAllFindAPlace() {
        var crowding = Self.queue(leaving: 100)
        Self.calmTurn(&crowding, at: 10.9)
        #expect(crowding.isCrowded)
        Self.missTurn(&crowding, at: 10.95)
        Self.calmTurn(&crowding, at: 11)
        #expect(crowding.isCrowded)
        // Who found no place in the second before counts no more.
        Self.calmTurn(&crowding, at: 11.99)
        #expect(crowding.isCrowded)
        Self.calmTurn(&crowding, at: 12)
        #expect(!crowding.isCrowded)
    }

    /// As many as leave where one begins, and more than come at once by chance.
    @Test(arguments: [(70, 9, false), (70, 10, true), (0, 4, false), (0, 5, true), (0, 0, false)])
    func aCrowdLastsWhereOneInEightFindsNoPlace(taken: Int, missed: Int, isCrowded: Bool) {
        var crowding = Self.queue(leaving: 100)
        for number in 0..<taken {
            crowding.noteTurn(
                takenCount: 1,
                missedCount: 0,
                at: Self.second(10.1 + Double(number) / 100)
            )
        }
        crowding.noteTurn(takenCount: 0, missedCount: missed, at: Self.second(11))
        #expect(crowding.isCrowded == isCrowded)
    }

    @Test func whoFoundNoPlaceBeforeACrowdDoesNotMakeItLast() {
        var crowding = Crowding()
        crowding.noteTurn(takenCount: 0, missedCount: 1_000, at: Self.second(10))
        for _ in 0..<128 { Self.note(&crowding, hasLeft: true, at: 10) }
        #expect(crowding.isCrowded)
        Self.calmTurn(&crowding, at: 11)
        #expect(!crowding.isCrowded)
    }

    @Test func whatBeginsAfterAQuietHourIsNotTheSameCrowd() {
        var crowding = Self.queue(leaving: 100)
        Self.missTurn(&crowding, at: 3_600)
        #expect(!crowding.isCrowded)
    }

    /// Threads that stand still for a second are no calm.
    @Test func aTurnThatTookLongEndsNoCrowd() {
        var crowding = Crowding()
        Self.calmTurn(&crowding, at: 10)
        for _ in 0..<128 { Self.note(&crowding, hasLeft: true, at: 12.5) }
        Self.calmTurn(&crowding, at: 12.6)
        #expect(crowding.isCrowded)
        Self.missTurn(&crowding, at: 14)
        #expect(crowding.isCrowded)
        Self.calmTurn(&crowding, at: 15)
        #expect(!crowding.isCrowded)
    }

    /// The first of a crowd after a quiet hour are judged as well.
    @Test func theFirstWhoComeAreJudged() {
        var crowding = Crowding()
        for second in [3_600, 3_600.1] {
            for _ in 0..<64 { Self.note(&crowding, hasLeft: true, at: second) }
            Self.missTurn(&crowding, at: second + 0.05)
        }
        #expect(crowding.isCrowded)
    }

    @Test func aCrowdThatLastsIsJudgedAnewAfterAMinute() {
        var crowding = Self.queue(leaving: 100)
        for second in stride(from: 10.5, to: 70, by: 0.5) {
            Self.missTurn(&crowding, at: second)
            #expect(crowding.isCrowded)
        }
        Self.missTurn(&crowding, at: 70)
        #expect(!crowding.isCrowded)
        // Those who came after it wait, and are served.
        for _ in 0..<1_000 { crowding.noteNewcomer(at: Self.second(70)) }
        #expect(!crowding.isCrowded)
        for _ in 0..<128 { Self.note(&crowding, hasLeft: true, at: 70) }
        #expect(crowding.isCrowded)
    }

    @Test func thoseWhoLeftAQueueThatIsOverDoNotCount() {
        var crowding = Crowding()
        for start in [10.0, 3_600] {
            Self.missTurn(&crowding, at: start)
            for number in 0..<100 { Self.note(&crowding, hasLeft: number < 12, at: start) }
            Self.calmTurn(&crowding, at: start + 0.1)
        }
        #expect(!crowding.isCrowded)
    }

    /// Threads may be behind though nobody waits to be taken in.
    @Test func thoseWhoLeaveUnansweredAreACrowdWithoutAQueue() {
        var crowding = Crowding()
        Self.calmTurn(&crowding, at: 10)
        for _ in 0..<127 { crowding.noteNewcomer(at: Self.second(10)) }
        crowding.noteLeavers(16)
        #expect(!crowding.isCrowded)
        crowding.noteNewcomer(at: Self.second(10))
        #expect(crowding.isCrowded)
        Self.calmTurn(&crowding, at: 10.9)
        #expect(crowding.isCrowded)
        Self.calmTurn(&crowding, at: 11)
        #expect(!crowding.isCrowded)
    }

    @Test func fewWhoLeaveInALongTimeAreNone() {
        var crowding = Crowding()
        for second in 10..<200 {
            Self.calmTurn(&crowding, at: Double(second))
            for _ in 0..<20 { Self.note(&crowding, hasLeft: true, at: Double(second)) }
        }
        #expect(!crowding.isCrowded)
    }
}
