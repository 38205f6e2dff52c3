import Glibc

/// Opens files of a folder that another account may write to.
///
/// It follows no link, waits at no pipe, writes no file with two names, and reads no file larger
/// than one of the queue can be.
enum QueueFile {
    /// More bytes than a request with its ending can have.
    private static let byteCountMax = 16_384

    /// The bytes of a file.
    ///
    /// - Throws: ``MartError`` with code `damaged` where it is not a file of the queue; or an error
    ///   of the file.
    static func read(_ path: String) throws(MartError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | guarded)
        guard descriptor >= 0 else { throw refused(errno, path) }
        defer { close(descriptor) }
        let size = try requireFile(descriptor, path)
        guard size <= byteCountMax else { throw notOfQueue(path) }
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled, filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw notOfQueue(path) }
            filled += count
        }
        return bytes
    }

    /// Writes a new file that both accounts of the group can read and write.
    ///
    /// - Throws: ``MartError`` of the file.
    static func writeNew(
        _ bytes: [UInt8],
        to path: String,
        isSynced: Bool
    ) throws(MartError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | guarded, 0o660)
        guard descriptor >= 0 else { throw FileSystem.error(errno, path, creating: true) }
        defer { close(descriptor) }
        // The process's umask may remove permissions from the new file.
        fchmod(descriptor, 0o660)
        try FileSystem.writeAll(bytes, to: descriptor, path)
        guard !isSynced || fsync(descriptor) == 0 else { throw FileSystem.error(errno, path) }
    }

    /// Opens the file of a lock, and creates it where it is missing.
    ///
    /// - Throws: ``MartError`` with code `damaged` where it is not a file of the queue; or an error
    ///   of the file.
    static func openLock(_ path: String) throws(MartError) -> Int32 {
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | guarded, 0o660)
        if made >= 0 {
            fchmod(made, 0o660)
            return made
        }
        guard errno == EEXIST else { throw FileSystem.error(errno, path, creating: true) }
        let found = open(path, O_RDWR | guarded)
        guard found >= 0 else { throw refused(errno, path) }
        do throws(MartError) {
            _ = try requireFile(found, path)
            return found
        } catch {
            close(found)
            throw error
        }
    }

    private static let guarded = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

    /// Requires a regular file with one name, and returns its size; one that was replaced since it
    /// was opened has none, and its bytes are those of a moment ago.
    private static func requireFile(_ descriptor: Int32, _ path: String) throws(MartError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystem.error(errno, path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
            throw notOfQueue(path)
        }
        return Int(status.st_size)
    }

    private static func refused(_ errno: Int32, _ path: String) -> MartError {
        // A link, or a pipe without a reader.
        [ELOOP, ENXIO].contains(errno) ? notOfQueue(path) : FileSystem.error(errno, path)
    }

    private static func notOfQueue(_ path: String) -> MartError {
        MartError(
            .damaged,
            file: path,
            remedy: "This is no file of the queue. Remove it, and find out which account wrote it."
        )
    }
}

/// A lock on the queue; the system releases it when the process ends.
final class QueueLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // Closing alone is not enough: a child process has a copy of the descriptor between fork
        // and exec.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The pause between two attempts, in microseconds.
    private static let pause: UInt32 = 2_000

    /// Takes a lock.
    ///
    /// - Parameters:
    ///   - path: The lock's file, which is never removed.
    ///   - milliseconds: How long to wait for another holder. The wait is limited, because another
    ///     account may hold the lock.
    /// - Returns: The lock, held until it is released; nil where another process held it for that
    ///   long.
    /// - Throws: ``MartError`` of the file.
    static func take(_ path: String, waiting milliseconds: Int) throws(MartError) -> QueueLock? {
        let lock = QueueLock(descriptor: try QueueFile.openLock(path))
        var left = milliseconds * 1_000 / Int(pause)
        while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw FileSystem.error(errno, path) }
            if left == 0 { return nil }
            left -= 1
            usleep(pause)
        }
        return lock
    }
}

/// The text of a file in the queue: a first line with its format, then lines of a name and a value.
struct QueueText {
    private static let first = "triptych request 1"
    private(set) var values: [String: String] = [:]

    init() {}

    /// Reads a file; nil where it has another format or a later version.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else {
            return nil
        }
        let lines = text.split(separator: "\n")
        guard lines.first == Self.first[...] else { return nil }
        for line in lines.dropFirst() {
            let sides = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, values.updateValue("\(sides[1])", forKey: "\(sides[0])") == nil
            else { return nil }
        }
    }

    var bytes: [UInt8] {
        let lines = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return Array(([Self.first] + lines).joined(separator: "\n").utf8) + [0x0A]
    }

    /// A value; setting one replaces control characters by spaces, so that it cannot start another
    /// line.
    subscript(_ name: String) -> String? {
        get { values[name] }
        set {
            values[name] = newValue.map { value in
                String(
                    String.UnicodeScalarView(value.unicodeScalars.map { $0.value < 32 ? " " : $0 })
                )
            }
        }
    }

    subscript(number name: String) -> Int64? {
        get { values[name].flatMap { Int64($0) } }
        set { self[name] = newValue.map { "\($0)" } }
    }

    /// Seconds of UTC from 1970 to the end of the year 9999: other accounts can write files of the
    /// queue.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// A time; nil also where it is out of range.
    subscript(time name: String) -> Int64? {
        get { self[number: name].flatMap { Self.times.contains($0) ? $0 : nil } }
        set { self[number: name] = newValue }
    }
}

extension QueueText {
    init(_ request: RunRequest) {
        self[time: "at"] = request.at
        self["by"] = request.by
        self["plan"] = request.plan
    }

    var request: RunRequest? {
        let plan = self["plan"]
        guard let at = self[time: "at"], let by = self["by"], plan.map(RunRequest.isPlan) ?? true
        else { return nil }
        return RunRequest(at: at, by: by, plan: plan)
    }

    init(_ stage: RunStage) {
        self["stage"] = stage.name
        self[number: "done"] = stage.done
        self[number: "total"] = stage.total
    }

    var stage: RunStage? {
        guard let name = self["stage"], let done = self[number: "done"],
            let total = self[number: "total"]
        else { return nil }
        return RunStage(name: name, done: done, total: total)
    }

    var ending: RunEnding? {
        get {
            guard let at = self[time: "ended"],
                let outcome = self["outcome"].flatMap(RunEnding.Outcome.init)
            else { return nil }
            return RunEnding(
                at: at,
                outcome: outcome,
                exitCode: self[number: "exit"].map { Int($0) },
                run: self[number: "run"].map { Int($0) },
                generation: self[number: "generation"].map { Int($0) },
                summary: self["summary"] ?? ""
            )
        }
        set {
            self[time: "ended"] = newValue?.at
            self["outcome"] = newValue?.outcome.rawValue
            self[number: "exit"] = newValue?.exitCode.map { Int64($0) }
            self[number: "run"] = newValue?.run.map { Int64($0) }
            self[number: "generation"] = newValue?.generation.map { Int64($0) }
            self["summary"] = newValue?.summary
        }
    }
}
