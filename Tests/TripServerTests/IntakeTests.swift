import Testing

@testable import TripServer

@Suite struct IntakeTests {
    private static func next(_ intake: Intake, turnedAway count: Int?) -> Intake {
        let judged = count.map {
            Crowding.Sample(seenCount: 128, leftCount: 0, turnedAwayCount: $0)
        }
        return intake.next(isCrowded: true, judged: judged)
    }

    @Test func aCrowdIsTakenInByFewAndByMoreWhereNearlyAllComeToNothing() {
        #expect(Intake.usual.next(isCrowded: false, judged: nil) == .usual)
        var intake = Self.next(.usual, turnedAway: 128)
        #expect(intake == .crowded)
        for wanted: UInt in [16, 32, 64, 64] {
            intake = Self.next(intake, turnedAway: 112)
            #expect((intake.perTurn, intake.backlog) == (wanted, Intake.crowded.backlog))
        }
        // As long as some are in time and others not, or nobody was judged, it stays.
        for count in [64, 111, nil] { #expect(Self.next(intake, turnedAway: count) == intake) }
        for wanted: UInt in [32, 16, 8, 8] {
            intake = Self.next(intake, turnedAway: 63)
            #expect((intake.perTurn, intake.backlog) == (wanted, Intake.crowded.backlog))
        }
        #expect(intake.next(isCrowded: false, judged: nil) == .usual)
    }

    /// A thread that takes so long for each turn that eight at once are too few for anybody ends with as many as are in time, though
    /// each look says that fewer would do.
    @Test(arguments: [(100, 8), (200, 16), (240, 16)] as [(Int, UInt)])
    func itSettlesWhereThoseWhoAreTakenInAreInTime(turnMilliseconds: Int, wanted: UInt) {
        var intake = Intake.crowded
        var paces: [UInt] = []
        for _ in 0..<20 {
            // Whoever is behind so many turns has waited for that long.
            let turns = max(1, Intake.crowded.backlog / Int(intake.perTurn))
            intake = Self.next(intake, turnedAway: turns * turnMilliseconds > 250 ? 128 : 0)
            paces.append(intake.perTurn)
        }
        #expect(Set(paces.dropFirst(4)) == [wanted])
    }
}
