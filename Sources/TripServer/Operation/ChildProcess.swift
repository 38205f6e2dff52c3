import Glibc

/// Programs that the server starts: they inherit none of its connections, and read their own input
/// alone.
enum ChildProcess {
    /// Connections that may be opened between the list of open files and the start of the program.
    ///
    /// The call that closes all from a number on, `posix_spawn_file_actions_addclosefrom_np`, is
    /// declared for `_GNU_SOURCE` alone, which Swift's Glibc is read without.
    private static let descriptorsMeanwhile: Int32 = 64
    private static let checkInterval = Duration.milliseconds(50)
    /// How long the server waits for a program.
    private static let patience = Duration.seconds(60)

    /// Where a program's output goes.
    enum Output {
        /// To the server's log.
        case log
        /// Nowhere, since it may name users.
        case nowhere
    }

    /// Where a program is that is named by its path, or by its name alone; nil where there is none.
    static func path(_ program: String) -> String? {
        func isProgram(_ path: String) -> Bool {
            guard access(path, X_OK) == 0 else { return false }
            // The right to enter a folder is the same bit.
            guard let folder = opendir(path) else { return true }
            closedir(folder)
            return false
        }
        if program.contains("/") { return isProgram(program) ? program : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(program)" }.first(where: isProgram)
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: The program, by its path or its name, and its arguments.
    ///   - input: Its standard input; nil for the server's own.
    ///   - output: Where its output goes.
    /// - Returns: Its number; nil where it cannot be started.
    static func start(_ words: [String], input: Int32? = nil, output: Output) -> pid_t? {
        guard let program = words.first else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        switch output {
        case .log: posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        case .nowhere:
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
        }
        // Connections are the server's alone, and its port.
        for descriptor in (STDERR_FILENO + 1)...(highestDescriptor() + descriptorsMeanwhile) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, which is ended whole; and signals as a shell would leave them, none
        // held back.
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        return posix_spawnp(&process, program, &actions, &attributes, &arguments, environ) == 0
            ? process : nil
    }

    /// Runs a program to its end, or for a minute.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - input: Its standard input: at most what a pipe holds, 64 KiB.
    /// - Returns: Its exit status; nil where it could not be started, took too long, or was ended.
    static func run(_ words: [String], input: String) async -> Int32? {
        var ends: [Int32] = [0, 0]
        guard input.utf8.count < 64 * 1024, pipe(&ends) == 0 else { return nil }
        let bytes = Array(input.utf8)
        let isWritten = write(ends[1], bytes, bytes.count) == bytes.count
        close(ends[1])
        let process = isWritten ? start(words, input: ends[0], output: .nowhere) : nil
        close(ends[0])
        guard let process else { return nil }
        switch await ending(of: process, within: patience, checkingEvery: checkInterval) {
        case .ended(let status): return status & 0x7f == 0 ? status >> 8 & 0xff : nil
        case .goesOn:
            endAtOnce(process)
            return nil
        case .unknown: return nil
        }
    }

    /// The state of a program that the server waited for.
    enum Ending: Equatable {
        /// It has ended, with a status as `waitpid` tells it.
        case ended(Int32)
        /// It goes on: its time is over, or the waiting was called off.
        case goesOn
        /// It has ended, and the system did not keep its status, as where the ends of children are
        /// ignored.
        case unknown
    }

    /// Waits until a program has ended.
    ///
    /// - Parameters:
    ///   - process: Its number.
    ///   - patience: How long at most; nil for as long as the waiting is not called off.
    ///   - interval: How often it is checked.
    /// - Returns: Its state.
    static func ending(
        of process: pid_t,
        within patience: Duration?,
        checkingEvery interval: Duration
    ) async -> Ending {
        let clock = ContinuousClock()
        let end = patience.map { clock.now + $0 }
        var status: Int32 = 0
        while true {
            let found = waitpid(process, &status, WNOHANG)
            if found == process { return .ended(status) }
            if found == -1 { return .unknown }
            if Task.isCancelled { return .goesOn }
            if let end, clock.now >= end { return .goesOn }
            // Cut short where the waiting is called off, which the loop checks.
            try? await Task.sleep(for: interval)
        }
    }

    /// Ends a program, and all that it has started, without asking.
    static func endAtOnce(_ process: pid_t) {
        var status: Int32 = 0
        kill(-process, SIGKILL)
        waitpid(process, &status, 0)
    }

    /// The greatest number of an open file or connection.
    private static func highestDescriptor() -> Int32 {
        guard let entries = opendir("/proc/self/fd") else { return STDERR_FILENO }
        defer { closedir(entries) }
        var highest = STDERR_FILENO
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            highest = max(highest, Int32(name) ?? 0)
        }
        return highest
    }
}
