internal import CZlib

extension GzipReader {
    /// Flag bits of a member's header, RFC 1952 section 2.3.1.
    private enum Flag {
        static let headerCheck: UInt8 = 1 << 1
        static let extra: UInt8 = 1 << 2
        static let name: UInt8 = 1 << 3
        static let comment: UInt8 = 1 << 4
        /// "Must be zero": a decoder that meets one set must refuse.
        static let reserved: UInt8 = 0b1110_0000
    }

    /// Computes the check value (FHCRC) over the header's bytes as they are read.
    private struct HeaderBytes {
        var check: UInt = 0

        mutating func take(from reader: GzipReader) throws(SourceFault) -> UInt8 {
            var byte = try reader.take(expecting: "the rest of its header")
            check = crc32_z(check, &byte, 1)
            return byte
        }

        mutating func skipText(in reader: GzipReader) throws(SourceFault) {
            while try take(from: reader) != 0 {}
        }
    }

    /// Reads one member's header and checks all of it.
    ///
    /// Its file name and time are never used.
    ///
    ///     1F 8B | method | flags | time (4) | 2 bytes | [extra] [name] [comment] [check]
    ///
    /// - Parameter start: The offset of its first byte.
    /// - Returns: The extra field; empty where it has none.
    /// - Throws: `gzipHeader` or `gzipTruncated`.
    func readHeader(startingAt start: Int) throws(SourceFault) -> [UInt8] {
        var bytes = HeaderBytes()
        let first = try bytes.take(from: self)
        let second = try bytes.take(from: self)
        guard first == 0x1F, second == 0x8B else {
            throw headerFault(start, "does not begin with 1F 8B")
        }
        guard try bytes.take(from: self) == 8 else {
            throw headerFault(start + 2, "names a method other than deflate")
        }
        let flags = try bytes.take(from: self)
        guard flags & Flag.reserved == 0 else {
            throw headerFault(start + 3, "has reserved flag bits set")
        }
        for _ in 0..<6 {
            _ = try bytes.take(from: self)
        }
        var extra: [UInt8] = []
        if flags & Flag.extra != 0 {
            let low = try bytes.take(from: self)
            let high = try bytes.take(from: self)
            for _ in 0..<(Int(high) << 8 | Int(low)) {
                extra.append(try bytes.take(from: self))
            }
        }
        if flags & Flag.name != 0 { try bytes.skipText(in: self) }
        if flags & Flag.comment != 0 { try bytes.skipText(in: self) }
        if flags & Flag.headerCheck != 0 {
            let checkOffset = offset
            let expected = UInt16(truncatingIfNeeded: bytes.check)
            let low = try take(expecting: "the rest of its header")
            let high = try take(expecting: "the rest of its header")
            guard UInt16(high) << 8 | UInt16(low) == expected else {
                throw headerFault(checkOffset, "has a wrong check value")
            }
        }
        return extra
    }

    private func headerFault(_ offset: Int, _ problem: String) -> SourceFault {
        fault(
            .gzipHeader,
            at: offset,
            member: currentMember,
            "has a gzip header that \(problem), member \(currentMember) at byte \(offset)",
            "The file was damaged on its way or is not gzip; get it again."
        )
    }
}
