import Glibc

/// A file as a sequence of bytes: read and written at offsets, completely or with an error.
///
/// Several threads may read and write it at once where their ranges do not overlap.
final class PageFile: Sendable {
    let path: String
    private let descriptor: Int32

    init(path: String, isWritable: Bool = true) throws(PageError) {
        self.path = path
        descriptor = open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed("open", errno) }
    }

    deinit {
        close(descriptor)
    }

    var size: Int {
        get throws(PageError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw failed("read", errno) }
            return Int(status.st_size)
        }
    }

    /// Reads exactly `count` bytes, or throws.
    func read(_ count: Int, at offset: Int) throws(PageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBufferPointer { buffer throws(PageError) in
            try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        return bytes
    }

    /// Fills a buffer, or throws.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(PageError) {
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
                throw failed("read", errno)
            }
            guard number > 0 else {
                throw PageError(
                    code: .notSQLite,
                    path: path,
                    finding: "The file ends before byte \(offset + buffer.count)."
                )
            }
            done += number
        }
    }

    /// Writes all of a buffer, in as many calls as needed.
    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(PageError) {
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
                throw failed("write", errno)
            }
            done += number
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(PageError) {
        try bytes.withUnsafeBufferPointer { buffer throws(PageError) in
            try write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }

    private func failed(_ call: String, _ number: Int32) -> PageError {
        PageError(
            code: .ioFailed,
            path: path,
            finding: "The system refused to \(call) the file (error \(number)).",
            errorNumber: number
        )
    }
}
