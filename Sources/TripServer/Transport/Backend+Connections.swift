/// How many connections there may be, and how they are taken in.
extension Backend {
    /// Each takes some 58 KB after its handshake: beside kept answers that take all of their room 2,500 came to the 256 MB there are.
    private static let connectionLimit = 2_400
    /// Connections that are being closed or opened beside those, where there is room for them.
    private static let connectionsBetween = 500
    /// As many as open files are raised for.
    static let connectionsAtOnce = connectionLimit + connectionsBetween

    /// How many connections are kept.
    static func connectionCount() -> Int {
        connectionCount(OpenFiles.raise(for: connectionsAtOnce))
    }

    /// The same where there is room for so many.
    static func connectionCount(_ room: Int) -> Int {
        max(1, min(connectionLimit, room - min(connectionsBetween, room / 4)))
    }
}
