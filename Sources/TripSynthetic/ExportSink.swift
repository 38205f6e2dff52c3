internal import CZlib
import Glibc
import TripDomain

/// The file an export is written to, plain or gzip.
///
/// The bytes are written under a name ending in `.part`, which runs ignore, and the file is renamed
/// when it is complete.
struct ExportSink: ~Copyable {
    /// A level below zlib's default: twice as fast, for files a few percent larger.
    private static let level: Int32 = 4
    /// Window of 32 KiB with the gzip frame.
    private static let gzipWindowBits: Int32 = 15 + 16
    private static let memoryLevel: Int32 = 8
    private static let chunkSize = 256 << 10

    private let path: String
    private let descriptor: Int32
    /// zlib keeps a pointer to its stream, so that it must not move; nil for a plain file.
    private let stream: UnsafeMutablePointer<z_stream>?
    private let chunk: UnsafeMutableBufferPointer<UInt8>

    /// Opens a file.
    init(path: String, isGzip: Bool) throws(SyntheticFault) {
        self.path = path
        // O_CLOEXEC closes the descriptor if the process starts another program.
        descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard isGzip else {
            stream = nil
            chunk = UnsafeMutableBufferPointer(start: nil, count: 0)
            if descriptor < 0 { throw Self.failure(path, errno) }
            return
        }
        let opened = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        opened.initialize(to: z_stream())
        let status = deflateInit2_(
            opened,
            Self.level,
            Z_DEFLATED,
            Self.gzipWindowBits,
            Self.memoryLevel,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        stream = opened
        chunk = .allocate(capacity: Self.chunkSize)
        if descriptor < 0 { throw Self.failure(path, errno) }
        if status != Z_OK { throw Self.failure(path, ENOMEM) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let stream {
            deflateEnd(stream)
            stream.deallocate()
        }
        chunk.deallocate()
    }

    /// Writes bytes.
    func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(SyntheticFault) {
        if stream == nil {
            try writeAll(bytes)
        } else {
            try deflate(bytes, flush: Z_NO_FLUSH)
        }
    }

    /// Completes the file and renames it to its real name.
    func finish() throws(SyntheticFault) {
        if stream != nil {
            try deflate(UnsafeBufferPointer(start: nil, count: 0), flush: Z_FINISH)
        }
        guard rename(path + ".part", path) == 0 else { throw Self.failure(path, errno) }
    }

    private func deflate(
        _ bytes: UnsafeBufferPointer<UInt8>,
        flush: Int32
    ) throws(SyntheticFault) {
        guard let stream else { return }
        // zlib takes a mutable pointer to the input, but never writes through it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            stream.pointee.next_out = chunk.baseAddress
            stream.pointee.avail_out = UInt32(chunk.count)
            let status = CZlib.deflate(stream, flush)
            precondition(status != Z_STREAM_ERROR, "the stream was opened for deflating")
            let size = chunk.count - Int(stream.pointee.avail_out)
            try writeAll(UnsafeBufferPointer(start: chunk.baseAddress, count: size))
        } while stream.pointee.avail_out == 0
    }

    private func writeAll(_ bytes: UnsafeBufferPointer<UInt8>) throws(SyntheticFault) {
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw Self.failure(path, errno)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        }
    }

    /// Writes a small file as a whole.
    static func write(_ bytes: [UInt8], path: String) throws(SyntheticFault) {
        let sink = try ExportSink(path: path, isGzip: false)
        var failure: SyntheticFault?
        bytes.withUnsafeBufferPointer { buffer in
            do throws(SyntheticFault) { try sink.write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        try sink.finish()
    }

    /// Makes a folder and its parents, where they do not exist.
    static func makeFolder(_ path: String) throws(SyntheticFault) {
        let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
        for end in ends {
            let folder = String(path[..<end])
            if mkdir(folder, 0o755) != 0, errno != EEXIST { throw failure(folder, errno) }
        }
    }

    static func failure(_ path: String, _ number: Int32) -> SyntheticFault {
        SyntheticFault(
            path: path,
            remedy: "cannot write \(path) (system error \(number)); check its folder and the disk"
        )
    }
}
