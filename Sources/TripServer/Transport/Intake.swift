/// How newcomers are taken in, and how many wait for it.
enum Intake {
    /// Connections that are taken in before what others sent is read.
    ///
    /// By fours, as the library takes them by itself, those who come while thousands ask would wait for half a minute.
    static let perTurn: UInt = 64
    /// Connections that wait to be taken in, so that a burst finds room; the system may be set to keep fewer.
    ///
    /// Whoever finds no place tries again a second later, then three, then seven.
    static let backlog = 4_096

    /// Connections that are taken in at once in a crowd: what those sent who were taken in before is read sooner.
    static let perTurnInCrowd: UInt = 8
    /// Connections that wait then.
    ///
    /// Turning somebody away costs more than not hearing them. So few are gone through in one turn, so that nobody waits to be
    /// taken in for longer than that takes, however slow it is.
    static let backlogInCrowd = 4
}
