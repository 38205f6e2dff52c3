import Glibc

/// A file as a sequence of bytes: read and written at offsets, completely or with an error.
///
/// Several threads may read and write it at once where their ranges do not overlap.
final class PageFile: Sendable {
    let path: String
    private let descriptor: Int32

    init(path: String, isWritable: Bool = true) throws(MartError) {
        self.path = path
        descriptor = open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed(errno) }
    }

    /// Creates an empty file for its owner alone, without a name once it is open: it is gone when
    /// the process ends, however it ends.
    ///
    /// - Parameter path: The name it has for a moment; what has this name is removed.
    /// - Throws: ``MartError`` of the file or its folder.
    init(temporary path: String) throws(MartError) {
        self.path = path
        try FileSystem.remove(path)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileSystem.error(errno, path, creating: true) }
        try FileSystem.remove(path)
    }

    deinit {
        close(descriptor)
    }

    var size: Int {
        get throws(MartError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw failed(errno) }
            return Int(status.st_size)
        }
    }

    /// Reads exactly `count` bytes, or throws.
    func read(_ count: Int, at offset: Int) throws(MartError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBufferPointer { buffer throws(MartError) in
            try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        return bytes
    }

    /// Fills a buffer, or throws.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(MartError) {
        var done = 0
        while done < buffer.count {
            let number = pread(
                descriptor,
                buffer.baseAddress?.advanced(by: done),
                buffer.count - done,
                offset + done
            )
            if number < 0 {
                if errno == EINTR { continue }
                throw failed(errno)
            }
            guard number > 0 else {
                // The file ends before the buffer is full.
                throw MartError(.notSQLite, file: path)
            }
            done += number
        }
    }

    /// Writes all of a buffer, in as many calls as needed.
    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(MartError) {
        var done = 0
        while done < buffer.count {
            let number = pwrite(
                descriptor,
                buffer.baseAddress?.advanced(by: done),
                buffer.count - done,
                offset + done
            )
            if number < 0 {
                if errno == EINTR { continue }
                throw failed(errno)
            }
            done += number
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(MartError) {
        try bytes.withUnsafeBufferPointer { buffer throws(MartError) in
            try write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }

    private func failed(_ number: Int32) -> MartError {
        [EMFILE, ENFILE].contains(number) || FileSystem.meansFull(number)
            ? FileSystem.error(number, path) : MartError(.ioFailed, file: path)
    }
}
