/// How many newcomers are taken in, and how many wait.
struct Intake: Equatable {
    /// Connections that are taken in before what others sent is read.
    let perTurn: UInt
    /// Connections that wait to be taken in.
    ///
    /// Whoever finds no place tries again a second later, then three, then seven; the system keeps no more than it is set to.
    let backlog: Int

    /// As long as those who are answered are still there.
    ///
    /// A burst finds room, and by fours, as the library takes them by itself, those who come while thousands ask would wait for
    /// half a minute.
    static let usual = Intake(perTurn: 64, backlog: 4_096)
    /// While they are not.
    ///
    /// The fewer at once, the sooner is each of them through; and turning somebody away costs more than not hearing them: a
    /// short queue is gone through in the time that somebody may wait.
    static let crowded = Intake(perTurn: 8, backlog: 64)
    /// So many in a row come to nothing only where the queue is too slow for anybody: one that stood still for a moment is
    /// shorter.
    private static let inARowMax = 4 * crowded.backlog

    /// What is taken in next.
    ///
    /// - Parameter crowding: What became of the newcomers so far.
    /// - Returns: How many, and how many wait meanwhile.
    func next(_ crowding: Crowding) -> Intake {
        guard crowding.isCrowded else { return .usual }
        guard self != .usual else { return .crowded }
        // Others take the time of each turn then, and not those who are taken in.
        let perTurn = crowding.turnedAwayInARow > Self.inARowMax ? perTurn * 2 : perTurn / 2
        return Intake(
            perTurn: min(max(perTurn, Self.crowded.perTurn), Self.usual.perTurn),
            backlog: Self.crowded.backlog
        )
    }
}
