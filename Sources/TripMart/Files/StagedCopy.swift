import Glibc

/// A file on its way into the archive, readable for its owner alone.
///
/// A class, because it owns a file descriptor. Used by one thread at a time.
public final class StagedCopy {
    /// Where it is, until it gets its name.
    let path: String
    /// Whether its first bytes are those of gzip.
    public private(set) var isGzip = false
    private let descriptor: Int32
    private var isEmpty = true

    init(path: String) throws(MartError) {
        self.path = path
        try FileSystem.remove(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileSystem.error(errno, path, creating: true) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Appends the next bytes; the first two come together.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(MartError) {
        if isEmpty { isGzip = bytes.starts(with: [0x1F, 0x8B]) }
        isEmpty = isEmpty && bytes.isEmpty
        try FileSystem.writeAll(bytes, to: descriptor, path)
    }

    /// Waits until the bytes are on the disk.
    func sync() throws(MartError) {
        guard fsync(descriptor) == 0 else { throw FileSystem.error(errno, path) }
    }
}
