import Glibc

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
