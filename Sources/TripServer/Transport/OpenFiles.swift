import Glibc

/// How many files and connections the process may have open.
enum OpenFiles {
    /// What it needs beside connections that are counted: generations, accounts, the record, what libraries open, and
    /// newcomers who are taken in in this turn.
    private static let reserve = 100 + 2 * Int(Intake.perTurn)

    /// Takes as many as it may use of what the system gives; programs it starts may close every one up to the limit.
    ///
    /// - Parameter count: Connections it may use.
    /// - Returns: How many connections there is room for.
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
