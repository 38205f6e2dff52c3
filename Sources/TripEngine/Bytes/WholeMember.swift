#if Libdeflate
internal import CLibdeflate
internal import Synchronization

/// One gzip member expanded at once by libdeflate, in twice zlib's pace: the trait `Libdeflate`.
///
/// libdeflate needs all of a member in memory, compressed and expanded, which is why it takes
/// members up to a size, and leaves the others and those that are damaged to zlib: so a fault is
/// found at the same byte and told in the same words.
///
/// Used by one thread at a time.
final class WholeMember {
    /// 32 MiB: a file up to this size is read into memory as a whole.
    static let compressedSizeMax = 32 << 20
    /// 128 MiB: room for a month of a hundred megabytes, on each thread that reads.
    static let expandedSizeMax = 128 << 20

    /// 16 MiB: the next file is about as long as this one, and should find room enough.
    private static let step = 16 << 20

    private let decompressor = libdeflate_alloc_decompressor()
    private var bytes = ExpandedBytes.take()
    /// What `take` has not handed out yet.
    private var rest = 0..<0

    deinit {
        libdeflate_free_decompressor(decompressor)
        ExpandedBytes.giveBack(bytes)
    }

    /// How many bytes to hold of a file of some size: all of it where it fits, else nil.
    static func inputSize(of fileSize: Int) -> Int? {
        // One more than there are, so that the first read sees the end.
        fileSize <= compressedSizeMax ? fileSize + 1 : nil
    }

    /// Expands a member.
    ///
    /// - Parameters:
    ///   - input: The file from the member's deflate data on, to its end.
    ///   - limit: The most bytes it may expand to.
    /// - Returns: The bytes of deflate data and the check value of the expanded bytes; nil where
    ///   the member is damaged, or does not fit.
    func expand(
        _ input: UnsafeBufferPointer<UInt8>,
        limit: Int
    ) -> (deflatedSize: Int, check: UInt)? {
        var room = min(Self.lastSize(input), limit, Self.expandedSizeMax)
        while true {
            if bytes.count < room {
                bytes.deallocate()
                bytes = .allocate(capacity: (room + Self.step - 1) / Self.step * Self.step)
            }
            var (taken, given) = (0, 0)
            let result = libdeflate_deflate_decompress_ex(
                decompressor,
                input.baseAddress,
                input.count,
                bytes.baseAddress,
                room,
                &taken,
                &given
            )
            switch result {
            case LIBDEFLATE_SUCCESS:
                rest = 0..<given
                return (taken, UInt(libdeflate_crc32(0, bytes.baseAddress, given)))
            case LIBDEFLATE_INSUFFICIENT_SPACE where room < min(limit, Self.expandedSizeMax):
                // The last member's size says nothing of the ones before it.
                room = min(max(2 * room, 1 << 20), limit, Self.expandedSizeMax)
            default: return nil
            }
        }
    }

    /// Whether all has been handed out.
    var isEmpty: Bool { rest.isEmpty }

    /// The size of what has not been handed out.
    var count: Int { rest.count }

    /// Hands out the next bytes.
    func take(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let part = rest.prefix(buffer.count)
        _ = buffer.update(fromContentsOf: UnsafeBufferPointer(rebasing: bytes[part]))
        rest = part.upperBound..<rest.upperBound
        return part.count
    }

    /// The size that the last member of a file has by its trailer, modulo 2³²: a guess.
    private static func lastSize(_ input: UnsafeBufferPointer<UInt8>) -> Int {
        guard input.count >= 4 else { return 0 }
        return input.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Room for expanded members, used again by reader after reader: fresh memory of that size has to be
/// cleared by the system.
private enum ExpandedBytes {
    /// As many as are in use at a time on a small machine; more are let go.
    private static let countMax = 4
    private static let lock = Mutex(())
    // Touched under the lock alone. Bytes are used by whoever took them, until they are given back.
    nonisolated(unsafe) private static var free: [UnsafeMutableBufferPointer<UInt8>] = []

    static func take() -> UnsafeMutableBufferPointer<UInt8> {
        lock.withLock { _ in free.popLast() } ?? .allocate(capacity: 0)
    }

    static func giveBack(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        lock.withLock { _ in
            if free.count < countMax { free.append(bytes) } else { bytes.deallocate() }
        }
    }
}
#else
/// Without the trait `Libdeflate` zlib expands all members, piece by piece.
struct WholeMember {
    static func inputSize(of _: Int) -> Int? { nil }
    func expand(
        _: UnsafeBufferPointer<UInt8>,
        limit _: Int
    ) -> (deflatedSize: Int, check: UInt)? { nil }
    var isEmpty: Bool { true }
    var count: Int { 0 }
    func take(into _: UnsafeMutableBufferPointer<UInt8>) -> Int { 0 }
}
#endif
