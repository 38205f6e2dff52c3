import CZlib

@testable import TripEngine

/// Makes gzip files byte by byte, valid and invalid ones.
struct GzipFile {
    var method: UInt8 = 8
    var flags: UInt8 = 0
    var extra: [UInt8]?
    var name: String?
    var comment: String?
    var hasHeaderCheck = false

    /// A member's header.
    func header() -> [UInt8] {
        var flags = flags
        var tail: [UInt8] = []
        if let extra {
            flags |= 4
            tail += [UInt8(extra.count & 255), UInt8(extra.count >> 8)] + extra
        }
        if let name {
            flags |= 8
            tail += Array(name.utf8) + [0]
        }
        if let comment {
            flags |= 16
            tail += Array(comment.utf8) + [0]
        }
        if hasHeaderCheck { flags |= 2 }
        var header = [0x1F, 0x8B, method, flags, 1, 2, 3, 4, 0, 3] + tail
        if hasHeaderCheck {
            let check = crc32_z(0, header, header.count)
            header += [UInt8(check & 255), UInt8(check >> 8 & 255)]
        }
        return header
    }

    /// A member.
    func member(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        header() + Self.deflated(bytes, level: level) + Self.trailer(bytes)
    }

    /// The trailer of a member: check value and size.
    static func trailer(_ bytes: [UInt8]) -> [UInt8] {
        let check = UInt32(crc32_z(0, bytes, bytes.count))
        return [check, UInt32(bytes.count)].flatMap { value in
            (0..<4).map { UInt8(value >> (8 * $0) & 255) }
        }
    }

    /// Several members that together expand to the bytes.
    static func members(_ bytes: [UInt8], cutAt cuts: [Int], level: Int32) -> [UInt8] {
        let offsets = [0] + cuts + [bytes.count]
        return zip(offsets, offsets.dropFirst()).flatMap { from, to in
            GzipFile().member(Array(bytes[from..<to]), level: level)
        }
    }

    /// Raw deflate data.
    static func deflated(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            -MAX_WBITS,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        defer { deflateEnd(stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(stream, UInt(bytes.count))) + 64)
        return input.withUnsafeMutableBufferPointer { from in
            output.withUnsafeMutableBufferPointer { to in
                stream.pointee.next_in = from.baseAddress
                stream.pointee.avail_in = UInt32(from.count)
                stream.pointee.next_out = to.baseAddress
                stream.pointee.avail_out = UInt32(to.count)
                let status = deflate(stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "the bound holds")
                return Array(to[..<(to.count - Int(stream.pointee.avail_out))])
            }
        }
    }
}
