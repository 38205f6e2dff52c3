import Glibc

/// The signals by which a program stops itself, and what the system denied it.
///
/// Swift and the system's libraries stop the program with the same signals where an assumption does
/// not hold and where the system gives them no more memory or opens no more files. The handler
/// tells them apart: it asks for some itself.
public enum FaultSignals {
    /// Handles the signals.
    ///
    /// A fault of the program itself ends it by the signal: the system's report names the fault and
    /// nothing else, while Swift's own would show registers and memory, and so parts of records.
    public static func install() {
        // A library that was given no memory may use it all the same: an invalid address.
        for fault in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] {
            signal(fault) { FaultSignals.handle($0) }
        }
        signal(SIGFPE, SIG_DFL)
    }

    /// Makes only calls that are safe inside a signal handler.
    private static func handle(_ number: Int32) {
        // 256 MiB: more than any one allocation asks for, and little beside what a machine has.
        let memory = mmap(
            nil,
            256 << 20,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
            -1,
            0
        )
        if memory == MAP_FAILED {
            leave(
                71,
                "STOPPED | what is served is whole, old or new | out of memory\n",
                """
                The system gives no more memory: a limit of the account (ulimit -v) or of the \
                machine is reached. Raise it, or run with fewer threads (--threads 1), then run \
                the command again.

                """
            )
        }
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == EMFILE || errno == ENFILE {
            leave(
                74,
                "STOPPED | what is served is whole, old or new | no more files can be opened\n",
                """
                The system opens no more files for the command: raise the limit of the account \
                (ulimit -n), or run with fewer threads (--threads 1), then run it again.

                """
            )
        }
        signal(number, SIG_DFL)
        raise(number)
    }

    private static func leave(
        _ status: Int32,
        _ summary: StaticString,
        _ details: StaticString
    ) -> Never {
        _ = write(1, summary.utf8Start, summary.utf8CodeUnitCount)
        _ = write(2, details.utf8Start, details.utf8CodeUnitCount)
        _exit(status)
    }
}
