import Glibc

/// A file that new passwords are held against, while it is open.
final class PasswordFile {
    let path: String
    /// Its bytes, as many as there were when it was opened.
    let size: Int
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``IdentityFault/passwordFile(_:_:)`` where it is none, or cannot be read.
    init(_ path: String) throws(IdentityFault) {
        // Nobody is waited for who might write into a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw IdentityFault.passwordFile(path, .unreadable(errno: errno))
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw IdentityFault.passwordFile(path, .notAFile)
        }
        self.path = path
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Some of its bytes.
    ///
    /// - Parameters:
    ///   - start: The offset of the first.
    ///   - count: How many.
    /// - Returns: As many as were asked for.
    /// - Throws: ``IdentityFault/passwordFile(_:_:)`` where they cannot be read, or the file was cut meanwhile.
    func bytes(from start: Int, count: Int) throws(IdentityFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, off_t(start))
        guard read == count else {
            throw flawed(.unreadable(errno: read < 0 ? errno : EIO))
        }
        return bytes
    }

    /// What is wrong with this file.
    func flawed(_ flaw: PasswordFileFlaw) -> IdentityFault { .passwordFile(path, flaw) }
}
