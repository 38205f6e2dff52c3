import CMalloc
import Glibc
import ServiceLifecycle

/// Gives back to the system the memory of closed connections.
///
/// The C library keeps freed memory for the next connection. Each writes on half of its 72 KB, and
/// not on the same half: with each burst of many connections the server held more, up to 284 MB
/// where one burst takes 190 (2026-11).
struct FreedMemory: Service {
    let registry: ConnectionRegistry

    private static let interval = Duration.seconds(1)
    /// Closed connections that are worth a pass through all memory, which takes up to 12
    /// milliseconds.
    private static let closedMin = 200

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var count = 0
            var isRepeated = false
            while !Task.isCancelled {
                let closed = registry.closedCount
                let isBurst = closed - count >= Self.closedMin
                // Once more a second later: a pass may come in the middle of a burst, before the
                // last of it is freed.
                if isBurst || isRepeated {
                    count = closed
                    // Whether there was memory to give back changes nothing.
                    _ = malloc_trim(0)
                }
                isRepeated = isBurst
                // Cut short where the server stops, which the loop checks.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}

/// Core dumps: the whole memory of a program, which the system writes where it ends one.
enum MemoryDump {
    /// Forbids them: the memory of the server holds patients, passwords and tokens.
    ///
    /// Programs it starts inherit that.
    static func forbid() {
        var none = rlimit()
        (none.rlim_cur, none.rlim_max) = (0, 0)
        // A limit may always be lowered.
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
