internal import CZlib
internal import TripDomain

/// Expands a gzip file (RFC 1952), member by member, and checks every header and trailer.
///
/// zlib's `gzread` is not used: it takes a file that is not gzip for plain text, stops silently at
/// trailing garbage, and ignores reserved bits and the header's check value. Here `inflate` gets
/// the raw deflate data alone; this type reads headers and trailers itself.
///
///     member   | header | deflate data | CRC32 | ISIZE |   header again, or zeros, or the end
///
/// Bytes are returned before the check value that follows them is read, so that memory stays
/// bounded. The caller must not act on them until `read` has returned fewer bytes than the buffer
/// holds: only then has every trailer been checked.
///
/// A class, because zlib keeps the stream's address. Used by one thread at a time.
final class GzipReader {
    private enum State {
        case betweenMembers
        case insideMember
        /// The member was expanded at once, and its bytes are being returned.
        case returningMember
        case finished
    }

    /// 256 KiB: the cost of a read call is negligible beside inflating that much.
    private static let inputSize = 256 << 10

    /// CRC32 and ISIZE.
    private static let trailerSize = 8

    private let raw: RawBytes
    let limits: ExpansionLimits
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableBufferPointer<UInt8>
    /// Whether `input` has space for the whole file, unless the file grows.
    private let fitsWholeFile: Bool
    private let whole: WholeMember
    /// The next byte of `input`, and how many are valid.
    private var inputIndex = 0
    private var inputCount = 0
    /// The offset of `input[0]` in the delivered file.
    private var inputOffset = 0
    private var state = State.betweenMembers
    private var memberNumber = 0
    private var blocks = GzipBlocks()
    /// CRC32 of the member's expanded bytes so far.
    private(set) var memberCheck: UInt = 0
    private(set) var memberSize = 0
    private(set) var expandedSize = 0

    /// Prepares to read a file from its beginning.
    ///
    /// - Parameters:
    ///   - raw: The delivered bytes.
    ///   - prefix: The first bytes of the file, which were already read from `raw`.
    ///   - limits: How far the content may expand.
    ///   - buffers: Memory for members that are expanded at once.
    ///   - isPiecewise: Whether zlib expands all members; tests compare both ways.
    init(
        raw: RawBytes,
        prefix: [UInt8],
        limits: ExpansionLimits,
        buffers: ExpansionBuffers,
        isPiecewise: Bool = false
    ) {
        self.raw = raw
        self.limits = limits
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let wholeSize = isPiecewise ? nil : WholeMember.inputSize(of: raw.wholeSize)
        input = .allocate(capacity: max(wholeSize ?? 0, Self.inputSize))
        fitsWholeFile = wholeSize != nil
        whole = WholeMember(buffers)
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
    ///   member's check value and size have been verified.
    /// - Throws: ``SourceFault`` with a gzip code, or `expandsTooFar`, or `cannotRead`.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(SourceFault) -> Int {
        var filled = 0
        while filled < buffer.count && state != .finished {
            switch state {
            case .betweenMembers: try beginMember()
            case .insideMember:
                filled += try expand(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
            case .returningMember:
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
            guard let byte = try peek() else { return try finish() }
            if byte == 0 { return try skipPadding() }
        }
        let start = offset
        memberNumber += 1
        if memberNumber > 1 {
            // Bytes that do not begin like a member are garbage after the last one.
            let first = try peek()
            guard first == 0x1F else {
                throw fault(
                    .gzipTrailingBytes,
                    at: start,
                    member: memberNumber - 1,
                    "has other bytes after gzip member \(memberNumber - 1) at byte \(start); "
                        + "expected the end, a further member or zeros",
                    "The upload was probably mixed with another; get the file again."
                )
            }
        }
        let extra = try readHeader(startingAt: start)
        guard blocks.begin(extra: extra) else { throw withoutLastBlock(at: start) }
        guard inflateReset(stream) == Z_OK else {
            preconditionFailure("a stream that was set up can be reset")
        }
        memberCheck = 0
        memberSize = 0
        state = try expandAtOnce() ? .returningMember : .insideMember
    }

    /// Tries to expand the next member at once.
    ///
    /// - Returns: Whether it succeeded. Otherwise zlib expands the member piece by piece and
    ///   reports its faults.
    private func expandAtOnce() throws(SourceFault) -> Bool {
        guard fitsWholeFile, try peek() != nil else { return false }
        let limit = limits.expandedSize(of: raw.wholeSize) - expandedSize
        let rest = UnsafeBufferPointer(rebasing: input[inputIndex..<inputCount])
        guard limit > 0, let deflatedSize = whole.expand(rest, limit: limit),
            limits.permit(expandedSize + whole.count, of: offset + deflatedSize)
        else { return false }
        // The trailer is checked already; it is the rest of the member.
        inputIndex += deflatedSize + Self.trailerSize
        expandedSize += whole.count
        blocks.end(member: memberNumber, size: whole.count)
        return true
    }

    private func skipPadding() throws(SourceFault) {
        while let byte = try peek() {
            guard byte == 0 else {
                throw fault(
                    .gzipTrailingBytes,
                    at: offset,
                    member: memberNumber,
                    "has other bytes after the zeros that follow gzip member \(memberNumber), "
                        + "at byte \(offset); expected zeros up to the end",
                    "The upload was probably mixed with another; get the file again."
                )
            }
            inputIndex += 1
        }
        try finish()
    }

    private func finish() throws(SourceFault) {
        guard blocks.openMember == 0 else { throw withoutLastBlock(at: offset) }
        state = .finished
    }

    private func withoutLastBlock(at offset: Int) -> SourceFault {
        fault(
            .gzipTruncated,
            at: offset,
            member: blocks.openMember,
            "ends its blocks (BGZF) with gzip member \(blocks.openMember) at byte \(offset); "
                + "expected an empty block, which ends every file of blocks",
            "The upload was probably cut; get the file again."
        )
    }

    private func expand(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(SourceFault) -> Int {
        guard try peek() != nil else { throw truncated("compressed data") }
        let capacity = min(buffer.count, Int(Int32.max))
        stream.pointee.next_in = input.baseAddress.map { $0 + inputIndex }
        stream.pointee.avail_in = UInt32(inputCount - inputIndex)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(capacity)
        let status = inflate(stream, Z_NO_FLUSH)
        inputIndex = inputCount - Int(stream.pointee.avail_in)
        let count = capacity - Int(stream.pointee.avail_out)
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
            blocks.end(member: memberNumber, size: memberSize)
            state = .betweenMembers
        }
        return count
    }

    // MARK: - Bytes

    /// The offset of the next byte in the delivered file.
    var offset: Int { inputOffset + inputIndex }

    /// The next byte without consuming it; nil at the end of the file.
    private func peek() throws(SourceFault) -> UInt8? {
        if inputIndex == inputCount {
            inputOffset += inputCount
            inputIndex = 0
            inputCount = try raw.read(into: UnsafeMutableRawBufferPointer(input))
            if inputCount == 0 { return nil }
        }
        return input[inputIndex]
    }

    /// Consumes the next byte; the end of the file is a fault here.
    func take(expecting: String) throws(SourceFault) -> UInt8 {
        guard let byte = try peek() else { throw truncated(expecting) }
        inputIndex += 1
        return byte
    }

    /// Consumes a little-endian integer.
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
            position: SourcePosition(file: raw.name, byteOffset: offset),
            memberNumber: member,
            finding: finding,
            remedy: remedy
        )
    }

    /// The member being read, from 1.
    var currentMember: Int { memberNumber }
}

extension GzipReader {
    /// Compares a member's expanded bytes with the trailer that follows.
    ///
    /// - Throws: `gzipDamaged` or `gzipTruncated`.
    func checkTrailer() throws(SourceFault) {
        let start = offset
        let check = try integer(byteCount: 4, expecting: "a trailer")
        let size = try integer(byteCount: 4, expecting: "a trailer")
        guard check == UInt32(truncatingIfNeeded: memberCheck) else {
            throw fault(
                .gzipDamaged,
                at: start,
                member: currentMember,
                "has a wrong CRC32 in the trailer of gzip member \(currentMember) at byte \(start)",
                "The file was damaged on its way; get it again."
            )
        }
        guard size == UInt32(truncatingIfNeeded: memberSize) else {
            throw fault(
                .gzipDamaged,
                at: start + 4,
                member: currentMember,
                "has a wrong size in the trailer of gzip member \(currentMember) at byte "
                    + "\(start + 4): \(size), expected \(UInt32(truncatingIfNeeded: memberSize))",
                "The file was damaged on its way; get it again."
            )
        }
    }

    /// Refuses a file that expands beyond its limits.
    ///
    /// - Throws: `expandsTooFar`.
    func checkLimits() throws(SourceFault) {
        guard !limits.permit(expandedSize, of: offset) else { return }
        guard expandedSize <= limits.expandedSizeMax else {
            throw fault(
                .expandsTooFar,
                at: offset,
                member: currentMember,
                "expands to more than \(limits.expandedSizeMax) bytes",
                "If the file is meant to be that large, raise the limit; otherwise ask its sender."
            )
        }
        throw fault(
            .expandsTooFar,
            at: offset,
            member: currentMember,
            "expands to more than \(limits.ratioMax) times its size "
                + "(\(offset) bytes gave \(expandedSize))",
            "No export compresses that well; ask the sender what the file is."
        )
    }
}

extension ExpansionLimits {
    /// The greatest expanded size allowed for a compressed size.
    func expandedSize(of size: Int) -> Int {
        let (product, overflows) = size.multipliedReportingOverflow(by: ratioMax)
        return min(expandedSizeMax, max(ratioFloorSize, overflows ? .max : product))
    }

    /// Whether an expanded size is allowed for a compressed size.
    func permit(_ expandedSize: Int, of size: Int) -> Bool {
        expandedSize <= expandedSizeMax
            && (expandedSize <= ratioFloorSize || expandedSize / ratioMax <= size)
    }
}
