import NIOCore
import Testing

@testable import TripServer

@Suite struct IntakeTests {
    /// A crowd in which so many are turned away one after the other.
    private static func crowd(turnedAwayInARow count: Int) -> Crowding {
        var crowding = Crowding()
        crowding.noteTurn(isQueued: true, at: .uptimeNanoseconds(10_000_000_000))
        for _ in 0..<32 { crowding.noteNewcomer(hasLeft: true, isTurnedAway: true) }
        crowding.noteNewcomer(hasLeft: false, isTurnedAway: false)
        for _ in 0..<count { crowding.noteNewcomer(hasLeft: false, isTurnedAway: true) }
        return crowding
    }

    @Test func aCrowdIsTakenInByFewAndByMoreWhereAllComeToNothing() {
        #expect(Intake.usual.next(Crowding()) == .usual)
        var intake = Intake.usual.next(Self.crowd(turnedAwayInARow: 0))
        #expect(intake == .crowded)
        for wanted: UInt in [16, 32, 64, 64] {
            intake = intake.next(Self.crowd(turnedAwayInARow: 257))
            #expect(intake == Intake(perTurn: wanted, backlog: Intake.crowded.backlog))
        }
        for wanted: UInt in [32, 16, 8, 8] {
            intake = intake.next(Self.crowd(turnedAwayInARow: 256))
            #expect(intake == Intake(perTurn: wanted, backlog: Intake.crowded.backlog))
        }
        #expect(intake.next(Crowding()) == .usual)
    }
}
