import Glibc

/// A file that new passwords are compared with, while it is open.
final class PasswordFile {
    let path: String
    /// Its size in bytes when it was opened.
    let size: Int
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``IdentityFault/passwordFile(_:_:)`` where it is not a file, or cannot be read.
    init(_ path: String) throws(IdentityFault) {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
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
    /// - Returns: Exactly that many bytes.
    /// - Throws: ``IdentityFault/passwordFile(_:_:)`` where they cannot be read, or the file was
    ///   truncated meanwhile.
    func bytes(from start: Int, count: Int) throws(IdentityFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, off_t(start))
        guard read == count else {
            throw flawed(.unreadable(errno: read < 0 ? errno : EIO))
        }
        return bytes
    }

    /// The fault for a problem with this file.
    func flawed(_ flaw: PasswordFileFlaw) -> IdentityFault { .passwordFile(path, flaw) }
}
