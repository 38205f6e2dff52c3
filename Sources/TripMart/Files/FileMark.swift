import Glibc

/// Metadata of a file that changes when it is written or replaced, and its permissions.
public struct FileMark: Sendable, Equatable {
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int
    /// Whether users other than its owner may read or write it.
    public let isOpenToOthers: Bool

    /// Reads the metadata of a file; nil where it does not exist or may not be read.
    ///
    /// - Parameter path: The file.
    public init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        isOpenToOthers = status.st_mode & 0o077 != 0
    }
}
