import Glibc

/// How many files and connections the process may have open.
enum OpenFiles {
    /// What it needs beside connections: generations, accounts, the record, and what libraries open.
    private static let reserve = 100

    /// Takes as many as the system gives.
    ///
    /// - Returns: How many connections there is room for.
    static func raise() -> Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 0 }
        if limits.rlim_cur < limits.rlim_max {
            var most = limits
            most.rlim_cur = limits.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 { limits = most }
        }
        return max(0, Int(clamping: limits.rlim_cur) - reserve)
    }
}
