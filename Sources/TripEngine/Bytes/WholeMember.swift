#if Libdeflate
internal import CLibdeflate

/// One gzip member expanded at once by libdeflate, in twice zlib's pace: the trait `Libdeflate`.
///
/// libdeflate needs all of a member in memory, compressed and expanded, which is why it takes
/// members up to a size. Those that do not fit, that it refuses, or that are not what their trailer
/// says are left to zlib, which judges them as it does without the trait.
///
/// Used by one thread at a time.
final class WholeMember {
    /// 32 MiB: a file up to this size is read into memory as a whole.
    static let compressedSizeMax = 32 << 20
    /// 128 MiB: room for a month of a hundred megabytes, on each thread that reads.
    static let expandedSizeMax = 128 << 20

    private let decompressor: OpaquePointer
    private let room: ExpansionRoom
    /// The last member's bytes; nil before the first.
    private var bytes: UnsafeMutableBufferPointer<UInt8>?
    /// What `take` has not handed out yet.
    private var rest = 0..<0

    init(_ room: ExpansionRoom) {
        self.room = room
        guard let decompressor = libdeflate_alloc_decompressor() else {
            preconditionFailure("libdeflate has memory")
        }
        self.decompressor = decompressor
    }

    deinit {
        libdeflate_free_decompressor(decompressor)
        if let bytes { room.giveBack(bytes) }
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
    /// - Returns: The bytes of deflate data; nil where the member is damaged, does not fit, or is not
    ///   what its trailer says.
    func expand(_ input: UnsafeBufferPointer<UInt8>, limit: Int) -> Int? {
        let most = min(limit, Self.expandedSizeMax)
        // The trailer at the end speaks of the last member, which mostly is this one.
        var size = Self.integer(input.suffix(4))
        guard size <= most else { return nil }
        size = min(max(size, bytes?.count ?? 0), most)
        while true {
            let buffer = buffer(of: size)
            var (taken, given) = (0, 0)
            let result = libdeflate_deflate_decompress_ex(
                decompressor,
                input.baseAddress,
                input.count,
                buffer.baseAddress,
                min(buffer.count, most),
                &taken,
                &given
            )
            switch result {
            case LIBDEFLATE_SUCCESS:
                let check = Int(libdeflate_crc32(0, buffer.baseAddress, given))
                let trailer = input[taken...].prefix(8)
                guard trailer.count == 8, Self.integer(trailer.prefix(4)) == check,
                    Self.integer(trailer.suffix(4)) == given
                else { return nil }
                rest = 0..<given
                return taken
            case LIBDEFLATE_INSUFFICIENT_SPACE where buffer.count < most:
                size = min(2 * buffer.count, most)
            default: return nil
            }
        }
    }

    /// The size of what has not been handed out.
    var count: Int { rest.count }

    /// Hands out the next bytes.
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
            room.giveBack(bytes)
        }
        let buffer = room.take(size)
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
    init(_: ExpansionRoom) {}
    static func inputSize(of _: Int) -> Int? { nil }
    func expand(_: UnsafeBufferPointer<UInt8>, limit _: Int) -> Int? { nil }
    var count: Int { 0 }
    func take(into _: UnsafeMutableBufferPointer<UInt8>) -> Int { 0 }
}
#endif
