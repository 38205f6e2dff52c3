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
    /// As many in a crowd.
    ///
    /// Turning somebody away costs more than not hearing them. So few are gone through in one turn, so that nobody waits for
    /// longer than that takes, however slow it is.
    static let backlogInCrowd = 4
}
