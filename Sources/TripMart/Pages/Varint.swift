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
    static func write(_ value: UInt64, to place: UnsafeMutableRawPointer) -> Int {
        guard value >= 0x80 else {
            place.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            return 1
        }
        return writeLong(value, to: place)
    }

    private static func writeLong(_ value: UInt64, to place: UnsafeMutableRawPointer) -> Int {
        let size = size(value)
        var rest = value
        var offset = size &- 1
        if size == 9 {
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: 8, as: UInt8.self)
            rest >>= 8
            offset = 7
        }
        var mark: UInt8 = size == 9 ? 0x80 : 0
        while offset >= 0 {
            let byte = UInt8(truncatingIfNeeded: rest & 0x7F) | mark
            place.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            rest >>= 7
            mark = 0x80
            offset &-= 1
        }
        return size
    }
}
