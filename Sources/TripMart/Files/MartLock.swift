import Glibc

/// The process that holds the lock of a mart.
public struct LockOwner: Sendable, Hashable {
    /// The process.
    public let pid: Int32
    /// The machine.
    public let host: String
    /// The time at which it took the lock, in seconds since 1970 of UTC.
    public let startedAt: Int64
    /// The name of its command, without the arguments.
    public let command: String

    /// Describes one owner.
    public init(pid: Int32, host: String, startedAt: Int64, command: String) {
        self.pid = pid
        self.host = host
        self.startedAt = startedAt
        self.command = command
    }
}

/// Keeps two runs from writing to one mart.
///
/// The lock is the kernel's (on the open file description), so that it ends with the process in any
/// case; the text in the file only describes the owner. The file itself stays.
public final class MartLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone is not enough: a child process has a copy of the descriptor between fork
        // and exec.
        release()
        close(descriptor)
    }

    /// Takes the lock, or fails at once with its owner.
    ///
    /// - Parameters:
    ///   - folder: The mart; its folder must exist.
    ///   - command: The command, for the error that another run reports.
    ///   - now: The time, in seconds since 1970 of UTC.
    /// - Returns: The lock; it is held until it is released or deinitialized.
    /// - Throws: ``MartError`` with code `locked` and the owner, or of the file.
    public static func acquire(
        _ folder: MartFolder,
        command: String,
        now: Int64
    ) throws(MartError) -> MartLock {
        let path = folder.lockPath
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw FileSystem.error(errno, path, creating: true) }
        guard setLock(descriptor) else {
            let number = errno
            defer { close(descriptor) }
            guard number == EAGAIN || number == EACCES else {
                throw FileSystem.error(number, path)
            }
            throw MartError(
                .locked,
                file: path,
                remedy: "Another run is at work on this mart. Wait for it to end, then run again.",
                lockOwner: readOwner(path)
            )
        }
        let lock = MartLock(descriptor: descriptor)
        let text = "pid \(getpid())\nhost \(hostName())\nstarted \(now)\ncommand \(command)\n"
        guard ftruncate(descriptor, 0) == 0 else { throw FileSystem.error(errno, path) }
        try FileSystem.writeAll(Array(text.utf8), to: descriptor, path)
        return lock
    }

    /// The current owner of the lock; nil where it is free.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The owner, as the lock's file describes it.
    /// - Throws: ``MartError`` where the lock's file cannot be read.
    public static func owner(_ folder: MartFolder) throws(MartError) -> LockOwner? {
        let path = folder.lockPath
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.error(errno, path)
        }
        defer { close(descriptor) }
        var request = wholeFile(type: F_RDLCK)
        guard withLock(descriptor, ofdGetLock, &request) else {
            throw FileSystem.error(errno, path)
        }
        if request.l_type == Int16(F_UNLCK) { return nil }
        return readOwner(path)
            ?? LockOwner(pid: 0, host: "unknown", startedAt: 0, command: "unknown")
    }

    /// Releases the lock.
    ///
    /// Deinitializing the object does the same.
    public func release() {
        var request = Self.wholeFile(type: F_UNLCK)
        // An error can be ignored: the lock ends with its last descriptor in any case.
        _ = Self.withLock(descriptor, Self.ofdSetLock, &request)
    }

    /// The machine's name.
    static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    /// The kernel's numbers for locks of an open file description; the header hides them from
    /// Swift behind a feature macro.
    private static let ofdGetLock: Int32 = 36
    private static let ofdSetLock: Int32 = 37

    private static func setLock(_ descriptor: Int32) -> Bool {
        var request = wholeFile(type: F_WRLCK)
        return withLock(descriptor, ofdSetLock, &request)
    }

    private static func withLock(
        _ descriptor: Int32,
        _ command: Int32,
        _ request: inout flock
    ) -> Bool {
        withUnsafeMutablePointer(to: &request) {
            fcntl(descriptor, command, UnsafeMutableRawPointer($0)) == 0
        }
    }

    private static func wholeFile(type: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        return request
    }

    private static func readOwner(_ path: String) -> LockOwner? {
        // An unreadable owner only shortens the message; the lock itself is the kernel's.
        guard let bytes = try? FileSystem.readAll(path) else { return nil }
        var values: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
        }
        guard let pid = values["pid"].flatMap({ Int32($0) }), let host = values["host"],
            let started = values["started"].flatMap({ Int64($0) })
        else { return nil }
        return LockOwner(
            pid: pid,
            host: host,
            startedAt: started,
            command: values["command"] ?? ""
        )
    }
}
