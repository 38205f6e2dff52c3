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
    /// The fewer at once, the sooner is each of them through; and turning somebody away costs more than not hearing them: most
    /// of a short queue are gone through in the time that somebody may wait.
    static let crowded = Intake(perTurn: 8, backlog: 16)

    /// What is taken in next.
    ///
    /// Where nearly all have waited too long, others take the time of each turn, and not those who are taken in: more of them
    /// go through it at once.
    ///
    /// - Parameters:
    ///   - isCrowded: Whether those who are answered have left.
    ///   - judged: What became of the newcomers who were judged since the last turn, where some were.
    /// - Returns: How many, and how many wait meanwhile.
    func next(isCrowded: Bool, judged: Crowding.Sample?) -> Intake {
        guard isCrowded else { return .usual }
        guard self != .usual else { return .crowded }
        guard let judged else { return self }
        var perTurn = perTurn
        if judged.turnedAwayCount * 8 >= judged.seenCount * 7 {
            perTurn *= 2
        } else if judged.turnedAwayCount * 2 < judged.seenCount {
            perTurn /= 2
        }
        return Intake(
            perTurn: min(max(perTurn, Self.crowded.perTurn), Self.usual.perTurn),
            backlog: Self.crowded.backlog
        )
    }
}
