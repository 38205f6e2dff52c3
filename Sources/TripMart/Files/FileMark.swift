import Glibc

/// What changes where a file is written or replaced, and whom it is open to.
public struct FileMark: Sendable, Equatable {
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int
    /// Whether anybody but its owner may read or write it.
    public let isOpenToOthers: Bool

    /// Looks at a file; nil where it is not there or may not be looked at.
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
