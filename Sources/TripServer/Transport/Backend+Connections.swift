import NIOCore

/// How many connections there may be, and how they are taken in.
extension Backend {
    /// Each takes some 60 KB after its handshake: with the server's own 83 MB, 232 MB of the 256 there are.
    private static let connectionLimit = 2_500
    /// Connections that are being closed or opened beside those, where there is room for them.
    private static let connectionsBetween = 500
    /// As many as open files are raised for.
    static let connectionsAtOnce = connectionLimit + connectionsBetween

    /// Connections that wait to be taken in.
    ///
    /// Whoever finds no place tries again a second later, then three, then seven. The system keeps no more than it is set to.
    static let backlog = 4_096
    /// Connections that are taken in before what others sent is read.
    ///
    /// By fours, as by itself, those who come while thousands ask would wait for half a minute.
    private static let connectionsPerTurn: UInt = 64

    /// How many connections are kept.
    static func connectionCount() -> Int {
        connectionCount(OpenFiles.raise(for: connectionsAtOnce))
    }

    /// The same where there is room for so many.
    static func connectionCount(_ room: Int) -> Int {
        max(1, min(connectionLimit, room - min(connectionsBetween, room / 4)))
    }

    /// Has a server take in many connections in a turn.
    ///
    /// - Parameter channel: What it listens with; where it has no such setting, it takes in as many as by itself.
    static func takeInMany(_ channel: any Channel) {
        _ = channel.setOption(ChannelOptions.maxMessagesPerRead, value: connectionsPerTurn)
    }
}
