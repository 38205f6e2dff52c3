/// How many newcomers are taken in, and how many wait.
struct Intake: Equatable {
    /// Connections that are taken in before what others sent is read.
    private(set) var perTurn: UInt
    /// Connections that wait to be taken in.
    ///
    /// Whoever finds no place tries again a second later, then three, then seven; the system keeps no more than it is set to.
    let backlog: Int
    /// The least that is taken in at once in this crowd: fewer were too few.
    private(set) var floor: UInt
    /// Whether more were taken in before.
    private var isLowered = false

    private init(perTurn: UInt, backlog: Int) {
        (self.perTurn, self.backlog, floor) = (perTurn, backlog, perTurn)
    }

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
        var next = self
        if judged.turnedAwayCount * 8 >= judged.seenCount * 7 {
            next.perTurn = min(perTurn * 2, Self.usual.perTurn)
            // Where they were lowered to what is too few, they are not again: it would be so half of the time.
            if isLowered { next.floor = next.perTurn }
            next.isLowered = false
        } else if judged.turnedAwayCount * 2 < judged.seenCount, perTurn > floor {
            (next.perTurn, next.isLowered) = (perTurn / 2, true)
        }
        return next
    }
}
