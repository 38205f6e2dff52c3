import Glibc

/// Keeps those who work on the queue apart; gone with the process, however it ends.
final class QueueLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // Not by closing alone: a child that is being started has a copy until it becomes another program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// How long it is tried between two looks, in microseconds.
    private static let pause: UInt32 = 2_000

    /// Takes a lock.
    ///
    /// - Parameters:
    ///   - path: The lock's file, which stays.
    ///   - milliseconds: How long to wait for whoever has it. Nobody waits for ever: another account may hold it.
    /// - Returns: The lock, held until it is let go; nil where somebody has it for as long.
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
