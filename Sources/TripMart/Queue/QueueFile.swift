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

    /// Requires a regular file with one name, and returns its size.
    private static func requireFile(_ descriptor: Int32, _ path: String) throws(MartError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystem.error(errno, path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
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
