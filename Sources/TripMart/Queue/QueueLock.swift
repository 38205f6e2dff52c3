import Glibc

/// Keeps those who work on the queue apart; gone with the process, however it ends.
final class QueueLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Takes a lock.
    ///
    /// - Parameters:
    ///   - path: The lock's file, which stays.
    ///   - isWaiting: Whether to wait for whoever has it.
    /// - Returns: The lock, held until it is let go; nil where somebody has it and nobody waits.
    /// - Throws: ``MartError`` of the file.
    static func take(_ path: String, isWaiting: Bool) throws(MartError) -> QueueLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o660)
        guard descriptor >= 0 else { throw FileSystem.error(errno, path, creating: true) }
        // Those who ask for runs and those who carry them out may be two accounts of one group.
        fchmod(descriptor, 0o660)
        let lock = QueueLock(descriptor: descriptor)
        while flock(descriptor, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw FileSystem.error(errno, path) }
        }
        return lock
    }
}
