/// Integers of one to nine bytes, seven bits in each and all eight in the ninth.
enum Varint {
    /// The number of bytes a value takes.
    @inline(__always)
    static func size(_ value: UInt64) -> Int {
        if value < 0x80 { return 1 }
        let bits = 64 &- value.leadingZeroBitCount
        return min(9, (bits &+ 6) / 7)
    }

    /// Writes a value and returns the number of its bytes.
    @inline(__always)
    @discardableResult
    static func write(_ value: UInt64, to target: UnsafeMutableRawPointer) -> Int {
        guard value >= 0x80 else {
            target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            return 1
        }
        return writeLong(value, to: target)
    }

    /// Reads a value and moves the offset past it; nil where it does not end before the given end.
    @inline(__always)
    static func read(
        _ bytes: UnsafeRawBufferPointer,
        at offset: inout Int,
        before end: Int
    ) -> UInt64? {
        guard offset < end else { return nil }
        let first = bytes[offset]
        guard first >= 0x80 else {
            offset &+= 1
            return UInt64(first)
        }
        return readLong(bytes, at: &offset, before: end)
    }

    private static func readLong(
        _ bytes: UnsafeRawBufferPointer,
        at offset: inout Int,
        before end: Int
    ) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard offset < end else { return nil }
            let byte = bytes[offset]
            offset &+= 1
            if index == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func writeLong(_ value: UInt64, to target: UnsafeMutableRawPointer) -> Int {
        let size = size(value)
        var rest = value
        var offset = size &- 1
        if size == 9 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: 8, as: UInt8.self)
            rest >>= 8
            offset = 7
        }
        var mark: UInt8 = size == 9 ? 0x80 : 0
        while offset >= 0 {
            let byte = UInt8(truncatingIfNeeded: rest & 0x7F) | mark
            target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            rest >>= 7
            mark = 0x80
            offset &-= 1
        }
        return size
    }
}
