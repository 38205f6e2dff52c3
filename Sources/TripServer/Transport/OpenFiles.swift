import Glibc

/// How many files and connections the process may have open.
enum OpenFiles {
    /// What it needs beside connections that are counted: generations, accounts, the record, what
    /// libraries open, and new connections that are accepted in one turn.
    private static let reserve = 100 + 2 * Int(Backend.acceptsPerTurn)

    /// Takes as many as it may use of what the system gives; programs it starts may close every one
    /// up to the limit.
    ///
    /// - Parameter count: Connections it may use.
    /// - Returns: How many connections may be open.
    static func raise(for count: Int) -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 0 }
        let wanted = min(limits.rlim_max, rlim_t(count + reserve))
        if limits.rlim_cur < wanted {
            var most = limits
            most.rlim_cur = wanted
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 { limits = most }
        }
        return max(0, Int(clamping: limits.rlim_cur) - reserve)
    }
}

/// How many connections are open, and how many wait to be accepted.
extension Backend {
    /// Each takes some 58 KB after its handshake: with 2,500, and kept answers that take all of
    /// their space, the server came to the 256 MB it may take.
    private static let connectionMax = 2_400
    /// Connections that are being closed or opened beside those.
    private static let connectionsBetween = 500
    /// As many as open files are raised for; the library accepts no more until one is closed.
    static let connectionsAtOnce = connectionMax + connectionsBetween

    /// New connections that are accepted before requests are read again.
    ///
    /// With four, the library's default, a client that connects while thousands ask without pause
    /// waits for half a minute.
    static let acceptsPerTurn: UInt = 64
    /// Connections that wait in the system to be accepted, so that a burst is not refused; the
    /// system may be set to keep fewer.
    static let backlog = 4_096

    /// How many connections are kept.
    static func connectionCount() -> Int {
        connectionCount(OpenFiles.raise(for: connectionsAtOnce))
    }

    /// How many are kept where so many may be open.
    static func connectionCount(_ openMax: Int) -> Int {
        max(1, min(connectionMax, openMax - min(connectionsBetween, openMax / 4)))
    }
}
