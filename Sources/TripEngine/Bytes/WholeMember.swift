internal import Synchronization

#if Libdeflate
internal import CLibdeflate

/// Expands a gzip member at once with libdeflate, at twice the speed of zlib: the trait
/// `Libdeflate`.
///
/// libdeflate needs all of a member in memory, compressed and expanded, so it expands members only
/// up to a size. Members that do not fit, that libdeflate refuses, or that do not match their
/// trailer are left to zlib, which reports faults as it does without the trait.
///
/// Used by one thread at a time.
final class WholeMember {
    /// 32 MiB: a file up to this size is read into memory as a whole.
    static let compressedSizeMax = 32 << 20
    /// 128 MiB on each thread that reads: enough for a month of a hundred megabytes.
    static let expandedSizeMax = 128 << 20

    private let decompressor: OpaquePointer
    private let buffers: ExpansionBuffers
    /// The last member's bytes; nil before the first.
    private var bytes: UnsafeMutableBufferPointer<UInt8>?
    /// The range of bytes that `take` has not returned yet.
    private var rest = 0..<0

    init(_ buffers: ExpansionBuffers) {
        self.buffers = buffers
        guard let decompressor = libdeflate_alloc_decompressor() else {
            preconditionFailure("libdeflate has memory")
        }
        self.decompressor = decompressor
    }

    deinit {
        libdeflate_free_decompressor(decompressor)
        if let bytes { buffers.giveBack(bytes) }
    }

    /// The input buffer's size for a file that fits into memory as a whole; nil for a larger file.
    static func inputSize(of fileSize: Int) -> Int? {
        // One byte more than the file has, so that the first read finds its end.
        fileSize <= compressedSizeMax ? fileSize + 1 : nil
    }

    /// Expands a member.
    ///
    /// - Parameters:
    ///   - input: The file from the member's deflate data on, to its end.
    ///   - limit: The most bytes it may expand to.
    /// - Returns: The number of bytes of deflate data; nil where the member is damaged, does not
    ///   fit, or does not match its trailer.
    func expand(_ input: UnsafeBufferPointer<UInt8>, limit: Int) -> Int? {
        let most = min(limit, Self.expandedSizeMax)
        // The trailer at the end of the file is that of the last member, which mostly is this one.
        var size = Self.integer(input.suffix(4))
        guard size <= most else { return nil }
        size = min(max(size, bytes?.count ?? 0), most)
        while true {
            let buffer = buffer(of: size)
            var (inputSize, outputSize) = (0, 0)
            let result = libdeflate_deflate_decompress_ex(
                decompressor,
                input.baseAddress,
                input.count,
                buffer.baseAddress,
                min(buffer.count, most),
                &inputSize,
                &outputSize
            )
            switch result {
            case LIBDEFLATE_SUCCESS:
                let check = Int(libdeflate_crc32(0, buffer.baseAddress, outputSize))
                let trailer = input[inputSize...].prefix(8)
                guard trailer.count == 8, Self.integer(trailer.prefix(4)) == check,
                    Self.integer(trailer.suffix(4)) == outputSize
                else { return nil }
                rest = 0..<outputSize
                return inputSize
            case LIBDEFLATE_INSUFFICIENT_SPACE where buffer.count < most:
                size = min(2 * buffer.count, most)
            default: return nil
            }
        }
    }

    /// The number of bytes not returned yet.
    var count: Int { rest.count }

    /// Copies the next bytes into a buffer and returns their number.
    func take(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let bytes else { return 0 }
        let part = rest.prefix(buffer.count)
        _ = buffer.update(fromContentsOf: UnsafeBufferPointer(rebasing: bytes[part]))
        rest = part.upperBound..<rest.upperBound
        return part.count
    }

    private func buffer(of size: Int) -> UnsafeMutableBufferPointer<UInt8> {
        if let bytes {
            if bytes.count >= size { return bytes }
            buffers.giveBack(bytes)
        }
        let buffer = buffers.take(size)
        bytes = buffer
        return buffer
    }

    private static func integer(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
#else
/// Without the trait `Libdeflate` zlib expands all members, piece by piece.
struct WholeMember {
    init(_: ExpansionBuffers) {}
    static func inputSize(of _: Int) -> Int? { nil }
    func expand(_: UnsafeBufferPointer<UInt8>, limit _: Int) -> Int? { nil }
    var count: Int { 0 }
    func take(into _: UnsafeMutableBufferPointer<UInt8>) -> Int { 0 }
}
#endif

/// A pool of buffers for gzip members that are expanded at once, reused from file to file.
///
/// Reuse saves the time in which the system clears fresh memory of that size. The buffers are freed
/// with the pool, when reading ends. Only the trait `Libdeflate` uses the pool; without it no
/// buffer is ever allocated.
public final class ExpansionBuffers: Sendable {
    /// 16 MiB: sizes are rounded up, so that a slightly longer next file fits the same buffer.
    private static let step = 16 << 20

    private let lock = Mutex(())
    // Accessed only under the lock. A buffer belongs to one caller until it is given back.
    nonisolated(unsafe) private var free: [UnsafeMutableBufferPointer<UInt8>] = []

    /// Makes an empty pool.
    public init() {}

    deinit {
        for buffer in free { buffer.deallocate() }
    }

    /// Takes a buffer, which no other caller gets until it is given back.
    ///
    /// - Parameter size: The minimum size in bytes.
    /// - Returns: The buffer; its content is undefined.
    func take(_ size: Int) -> UnsafeMutableBufferPointer<UInt8> {
        // A buffer that is too small is freed, so that the pool never holds more buffers than
        // callers use at a time.
        if let found = lock.withLock({ _ in free.popLast() }) {
            if found.count >= size { return found }
            found.deallocate()
        }
        return .allocate(capacity: max(1, (size + Self.step - 1) / Self.step) * Self.step)
    }

    /// Returns a buffer to the pool.
    func giveBack(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        lock.withLock { _ in free.append(buffer) }
    }
}
