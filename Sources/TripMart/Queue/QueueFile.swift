import Glibc

/// Opens files of a folder in which another account may put what it likes.
///
/// No link is followed, no pipe is waited at, nothing of two names is written, and nothing is read beyond what one of our
/// files can have.
enum QueueFile {
    /// More than a request with its ending can have.
    private static let byteCountMax = 16_384

    /// The bytes of a file.
    ///
    /// - Throws: ``MartError`` with code `damaged` where it is no file of ours; of the file else.
    static func read(_ path: String) throws(MartError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | guarded)
        guard descriptor >= 0 else { throw refused(errno, path) }
        defer { close(descriptor) }
        let size = try requireOwn(descriptor, path)
        guard size <= byteCountMax else { throw noneOfOurs(path) }
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled, filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw noneOfOurs(path) }
            filled += count
        }
        return bytes
    }

    /// Writes a file that is not there, for both accounts of the group.
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
        // The process may take rights away from what it makes.
        fchmod(descriptor, 0o660)
        try FileSystem.writeAll(bytes, to: descriptor, path)
        guard !isSynced || fsync(descriptor) == 0 else { throw FileSystem.error(errno, path) }
    }

    /// Opens the file of a lock, made where it is missing.
    ///
    /// - Throws: ``MartError`` with code `damaged` where it is no file of ours; of the file else.
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
            _ = try requireOwn(found, path)
            return found
        } catch {
            close(found)
            throw error
        }
    }

    private static let guarded = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

    /// Requires a file of one name, and gives its size.
    private static func requireOwn(_ descriptor: Int32, _ path: String) throws(MartError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystem.error(errno, path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw noneOfOurs(path)
        }
        return Int(status.st_size)
    }

    private static func refused(_ errno: Int32, _ path: String) -> MartError {
        // A link, or a pipe that nobody reads.
        [ELOOP, ENXIO].contains(errno) ? noneOfOurs(path) : FileSystem.error(errno, path)
    }

    private static func noneOfOurs(_ path: String) -> MartError {
        MartError(
            .damaged,
            file: path,
            remedy: "This is no file of the queue. Take it away, and see who put it there."
        )
    }
}
