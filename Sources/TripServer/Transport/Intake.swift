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
    /// The fewer at once, the sooner is each of them through; and turning somebody away costs more than not hearing them. At
    /// 500 a second, which a small part of a processor takes in or turns away, nobody waits for longer than ``Crowding`` lets
    /// them.
    static let crowded = Intake(perTurn: 8, backlog: 128)
}
