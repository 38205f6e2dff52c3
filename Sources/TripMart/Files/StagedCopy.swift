import Glibc

/// A file that is being copied into the archive, readable for its owner alone.
///
/// A class, because it owns a file descriptor and the unnamed file: a copy that is not ended is
/// removed. Used by one thread at a time.
public final class StagedCopy {
    /// Whether its first bytes are those of gzip.
    public private(set) var isGzip = false
    private let path: String
    private let descriptor: Int32
    private var isEmpty = true
    private var isEnded = false

    init(path: String) throws(MartError) {
        self.path = path
        try FileSystem.remove(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileSystem.error(errno, path, creating: true) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !isEnded { unlink(path) }
    }

    /// Appends the next bytes.
    ///
    /// - Precondition: The first two bytes of the file come together.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(MartError) {
        if isEmpty { isGzip = bytes.starts(with: [0x1F, 0x8B]) }
        isEmpty = isEmpty && bytes.isEmpty
        try FileSystem.writeAll(bytes, to: descriptor, path)
    }

    /// Syncs the bytes to disk, and gives the file its name.
    func end(as final: String) throws(MartError) {
        guard fsync(descriptor) == 0 else { throw FileSystem.error(errno, path) }
        try FileSystem.move(path, to: final)
        isEnded = true
    }
}
