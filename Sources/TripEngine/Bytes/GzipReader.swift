internal import CZlib
internal import TripDomain

/// Expands a gzip file (RFC 1952), member by member, trusting nothing it has not checked.
///
/// zlib's `gzread` is not used: it takes a file that is not gzip for plain text, stops quietly at
/// trailing garbage, and does not look at reserved bits or the header's check value. Here `inflate`
/// sees the raw deflate data alone; header and trailer are read in this file.
///
///     member   | header | deflate data | CRC32 | ISIZE |   header again, or zeros, or the end
///
/// Bytes come out before the check value behind them has been seen, so that memory stays bounded.
/// Whoever consumes them keeps what they lead to apart until `read` has returned less than was
/// asked for: only then has every trailer passed.
///
/// A class, because zlib keeps the stream's address. Used by one thread at a time.
final class GzipReader {
    private enum State {
        case betweenMembers
        case insideMember
        /// The member was expanded at once; what remains is to hand it out.
        case behindMember
        case finished
    }

    /// 256 KiB: a read call costs nothing beside inflating that much.
    private static let inputSize = 256 << 10

    /// CRC32 and ISIZE.
    private static let trailerSize = 8

    private let raw: RawBytes
    let limits: ExpansionLimits
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableBufferPointer<UInt8>
    /// Whether `input` takes in all that is left of the file, unless the file grows.
    private let holdsRest: Bool
    private let whole: WholeMember
    /// The next byte of `input`, and how many are valid.
    private var inputIndex = 0
    private var inputCount = 0
    /// The offset of `input[0]` in the delivered file.
    private var inputOffset = 0
    private var state = State.betweenMembers
    private var memberNumber = 0
    /// CRC32 of the member's expanded bytes so far.
    private(set) var memberCheck: UInt = 0
    private(set) var memberSize = 0
    private(set) var expandedSize = 0

    /// Takes a file from its beginning.
    ///
    /// - Parameters:
    ///   - raw: The delivered bytes.
    ///   - prefix: Bytes already taken from `raw`, from the very first on.
    ///   - limits: How far the content may grow.
    ///   - room: Memory for members that are expanded at once.
    ///   - isPiecewise: Whether all members are expanded by zlib, which is the slow twin.
    init(
        raw: RawBytes,
        prefix: [UInt8],
        limits: ExpansionLimits,
        room: ExpansionRoom,
        isPiecewise: Bool = false
    ) {
        self.raw = raw
        self.limits = limits
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let wholeSize = isPiecewise ? nil : WholeMember.inputSize(of: raw.wholeSize)
        input = .allocate(capacity: max(wholeSize ?? 0, Self.inputSize))
        holdsRest = wholeSize != nil
        whole = WholeMember(room)
        inputCount = input.update(fromContentsOf: prefix)
        let status = inflateInit2_(
            stream,
            -MAX_WBITS,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        precondition(status == Z_OK, "zlib is the one compiled against, and has memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Fills a buffer with expanded bytes.
    ///
    /// - Parameter buffer: Where the bytes go; not empty.
    /// - Returns: The number of bytes; less than the buffer's size only at the end, when every
    ///   member's check value and size have been found right.
    /// - Throws: ``SourceFault`` with a gzip code, or `expandsTooFar`, or `cannotRead`.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(SourceFault) -> Int {
        var filled = 0
        while filled < buffer.count && state != .finished {
            switch state {
            case .betweenMembers: try beginMember()
            case .insideMember:
                filled += try expand(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
            case .behindMember:
                filled += whole.take(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                if whole.count == 0 { state = .betweenMembers }
            case .finished: break
            }
        }
        return filled
    }

    // MARK: - Members

    private func beginMember() throws(SourceFault) {
        if memberNumber > 0 {
            guard let byte = try peek() else {
                state = .finished
                return
            }
            if byte == 0 { return try skipPadding() }
        }
        let start = offset
        memberNumber += 1
        if memberNumber > 1 {
            // Anything that does not even begin like a member is rubbish at the end of the last.
            let first = try peek()
            guard first == 0x1F else {
                throw fault(
                    .gzipTrailingBytes,
                    at: start,
                    member: memberNumber - 1,
                    "has other bytes behind gzip member \(memberNumber - 1) at byte \(start); "
                        + "expected the end, a further member or zeros",
                    "The upload was probably mixed with another; get the file again."
                )
            }
        }
        try readHeader(startingAt: start)
        guard inflateReset(stream) == Z_OK else {
            preconditionFailure("a stream that was set up can be reset")
        }
        memberCheck = 0
        memberSize = 0
        state = try expandAtOnce() ? .behindMember : .insideMember
    }

    /// Expands the member that begins here, if it can be done at once.
    ///
    /// - Returns: Whether it was; else zlib does it piece by piece, and finds what is wrong with it.
    private func expandAtOnce() throws(SourceFault) -> Bool {
        guard holdsRest, try peek() != nil else { return false }
        let room = limits.expandedSize(of: raw.wholeSize) - expandedSize
        let rest = UnsafeBufferPointer(rebasing: input[inputIndex..<inputCount])
        guard room > 0, let deflatedSize = whole.expand(rest, limit: room),
            limits.permit(expandedSize + whole.count, of: offset + deflatedSize)
        else { return false }
        // Its trailer was found right, and is what remains of it.
        inputIndex += deflatedSize + Self.trailerSize
        expandedSize += whole.count
        return true
    }

    private func skipPadding() throws(SourceFault) {
        while let byte = try peek() {
            guard byte == 0 else {
                throw fault(
                    .gzipTrailingBytes,
                    at: offset,
                    member: memberNumber,
                    "has other bytes behind the zeros that follow gzip member \(memberNumber), "
                        + "at byte \(offset); expected zeros up to the end",
                    "The upload was probably mixed with another; get the file again."
                )
            }
            inputIndex += 1
        }
        state = .finished
    }

    private func expand(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(SourceFault) -> Int {
        guard try peek() != nil else { throw truncated("compressed data") }
        let room = min(buffer.count, Int(Int32.max))
        stream.pointee.next_in = input.baseAddress.map { $0 + inputIndex }
        stream.pointee.avail_in = UInt32(inputCount - inputIndex)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(room)
        let status = inflate(stream, Z_NO_FLUSH)
        inputIndex = inputCount - Int(stream.pointee.avail_in)
        let count = room - Int(stream.pointee.avail_out)
        memberCheck = crc32_z(memberCheck, buffer.baseAddress, count)
        memberSize += count
        expandedSize += count
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw fault(
                .gzipDamaged,
                at: offset,
                member: memberNumber,
                "has damaged compressed data in gzip member \(memberNumber) near byte \(offset)",
                "The file was damaged on its way; get it again."
            )
        }
        try checkLimits()
        if status == Z_STREAM_END {
            try checkTrailer()
            state = .betweenMembers
        }
        return count
    }

    // MARK: - Bytes

    /// The offset of the next byte in the delivered file.
    var offset: Int { inputOffset + inputIndex }

    /// The next byte without taking it; nil at the end of the file.
    private func peek() throws(SourceFault) -> UInt8? {
        if inputIndex == inputCount {
            inputOffset += inputCount
            inputIndex = 0
            inputCount = try raw.read(into: UnsafeMutableRawBufferPointer(input))
            if inputCount == 0 { return nil }
        }
        return input[inputIndex]
    }

    /// Takes the next byte; the end of the file is a fault here.
    func take(expecting: String) throws(SourceFault) -> UInt8 {
        guard let byte = try peek() else { throw truncated(expecting) }
        inputIndex += 1
        return byte
    }

    /// Takes a little-endian integer.
    func integer(byteCount: Int, expecting: String) throws(SourceFault) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<byteCount {
            value |= UInt32(try take(expecting: expecting)) << UInt32(8 * index)
        }
        return value
    }

    private func truncated(_ expecting: String) -> SourceFault {
        fault(
            .gzipTruncated,
            at: offset,
            member: memberNumber,
            "ends inside gzip member \(memberNumber) at byte \(offset); expected \(expecting)",
            "The upload was probably cut; get the file again."
        )
    }

    /// A fault of this file.
    func fault(
        _ code: SourceFault.Code,
        at offset: Int,
        member: Int,
        _ finding: String,
        _ remedy: String
    ) -> SourceFault {
        SourceFault(
            code: code,
            place: SourcePlace(file: raw.name, byteOffset: offset),
            memberNumber: member,
            finding: finding,
            remedy: remedy
        )
    }

    /// The member being read, from 1.
    var currentMember: Int { memberNumber }
}
