internal import Glibc
internal import TripCrypto
internal import TripDomain

/// The bytes of a file as they were delivered, in order, hashed on request.
///
/// A class, because it owns a file descriptor: one reader, one close. Used by one thread at a time.
final class RawBytes {
    private enum Origin {
        case file(descriptor: Int32, before: FileStamp)
        case stream(ExportStream)
        case memory([UInt8])
    }

    /// The attributes that must not change between the opening and the last byte.
    private struct FileStamp: Equatable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    /// The file's name in faults.
    let name: String
    /// The number of bytes read so far.
    private(set) var size = 0
    /// The size of the file when it was opened.
    var wholeSize: Int {
        switch origin {
        case .file(_, let before): before.size
        case .stream(let stream): stream.size
        case .memory(let bytes): bytes.count
        }
    }
    private let origin: Origin
    private var hasher: SHA256?

    /// Opens a regular file, or a symbolic link to one.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - name: The file's name in faults.
    ///   - computesHash: Whether the bytes are hashed.
    /// - Throws: `cannotOpen`, `notRegularFile` or `cannotRead`.
    init(path: String, name: String, computesHash: Bool) throws(SourceFault) {
        self.name = name
        hasher = computesHash ? SHA256() : nil
        // Without O_NONBLOCK, opening a named pipe would wait for a writer that may never come.
        var descriptor: Int32
        repeat {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 || errno != EMFILE && errno != ENFILE else {
            throw SourceFault(
                code: .noDescriptors,
                position: SourcePosition(file: name),
                finding: "cannot be opened: the system opens no more files for the command",
                remedy: "Raise the limit of the account (ulimit -n), or run with fewer threads "
                    + "(--threads 1), then run again."
            )
        }
        guard descriptor >= 0 else {
            throw SourceFault(
                code: .cannotOpen,
                position: SourcePosition(file: name),
                finding: "cannot be opened (\(String(cString: strerror(errno))))",
                remedy: "Check that the file is still there and that this account may read it."
            )
        }
        do throws(SourceFault) {
            origin = .file(
                descriptor: descriptor,
                before: try Self.stamp(of: descriptor, name: name)
            )
        } catch {
            close(descriptor)
            throw error
        }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// Reads bytes that come through a pipe, whose size is known.
    ///
    /// The caller opened the descriptor and closes it.
    init(stream: ExportStream, name: String, computesHash: Bool) {
        self.name = name
        hasher = computesHash ? SHA256() : nil
        origin = .stream(stream)
    }

    /// Reads bytes that are in memory already.
    init(bytes: [UInt8], name: String) {
        self.name = name
        hasher = SHA256()
        origin = .memory(bytes)
    }

    deinit {
        if case .file(let descriptor, _) = origin { close(descriptor) }
    }

    /// Fills a buffer with the next bytes.
    ///
    /// - Parameter buffer: Where the bytes go.
    /// - Returns: The number of bytes; less than the buffer's size only at the end.
    /// - Throws: `cannotRead`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceFault) -> Int {
        var filled = 0
        switch origin {
        case .memory(let bytes):
            filled = min(buffer.count, bytes.count - size)
            bytes.withUnsafeBytes { all in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[size..<size + filled]))
            }
        case .file(let descriptor, _): filled = try fill(buffer, from: descriptor)
        case .stream(let stream): filled = try fill(buffer, from: stream.descriptor)
        }
        hasher?.update(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        size += filled
        return filled
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer,
        from descriptor: Int32
    ) throws(SourceFault) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = Glibc.read(descriptor, rest.baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(at: size + filled) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads the next few bytes.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The bytes; fewer only at the end.
    /// - Throws: `cannotRead`.
    func prefix(_ count: Int) throws(SourceFault) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        return Array(buffer[..<(try read(into: buffer))])
    }

    /// Checks that the file has not changed since it was opened, and returns its hash.
    ///
    /// - Returns: SHA-256 of all bytes read, lower-case hexadecimal; nil where none was requested.
    /// - Throws: `changedWhileRead` or `cannotRead`.
    func finish() throws(SourceFault) -> String? {
        if case .file(let descriptor, let before) = origin {
            let after = try Self.stamp(of: descriptor, name: name)
            guard after == before, size == before.size else {
                throw SourceFault(
                    code: .changedWhileRead,
                    position: SourcePosition(file: name, byteOffset: size),
                    finding: "was written to while it was read "
                        + "(\(before.size) bytes at first, \(after.size) at last, \(size) read)",
                    remedy:
                        "Wait until the upload has ended; deliver under another name and rename."
                )
            }
        }
        if case .stream(let stream) = origin, size != stream.size {
            throw Self.changed(name, listed: stream.size, read: size)
        }
        return (hasher.take()?.finish()).map(Self.hexadecimal)
    }

    /// The fault of a file that has another size than it had when it was listed.
    static func changed(_ name: String, listed: Int, read: Int) -> SourceFault {
        SourceFault(
            code: .changedWhileRead,
            position: SourcePosition(file: name, byteOffset: read),
            finding: "was written to since it was listed (\(listed) bytes then, \(read) read)",
            remedy: "Wait until the upload has ended; deliver under another name and rename."
        )
    }

    private func unreadable(at offset: Int) -> SourceFault {
        SourceFault(
            code: .cannotRead,
            position: SourcePosition(file: name, byteOffset: offset),
            finding: "cannot be read at byte \(offset) (\(String(cString: strerror(errno))))",
            remedy: "Check the disk or the network share, then run again."
        )
    }

    private static func stamp(of descriptor: Int32, name: String) throws(SourceFault) -> FileStamp {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw SourceFault(
                code: .cannotRead,
                position: SourcePosition(file: name),
                finding: "cannot be examined (\(String(cString: strerror(errno))))",
                remedy: "Check the disk or the network share, then run again."
            )
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SourceFault(
                code: .notRegularFile,
                position: SourcePosition(file: name),
                finding: "is not a regular file",
                remedy: "Deliver exports as files; folders, pipes and devices are not read."
            )
        }
        return FileStamp(
            size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    /// A hash as lower-case hexadecimal text.
    static func hexadecimal(_ digest: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in digest {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
