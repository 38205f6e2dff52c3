import Glibc

/// What the system writes of a program that it ends: its whole memory.
enum MemoryDump {
    /// Has none written: the memory of the server holds patients, passwords and tokens.
    ///
    /// Programs it starts inherit that.
    static func forbid() {
        var none = rlimit()
        (none.rlim_cur, none.rlim_max) = (0, 0)
        // A limit may always be lowered.
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
