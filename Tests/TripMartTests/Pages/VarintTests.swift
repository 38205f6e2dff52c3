import Testing

@testable import TripMart

/// Compares integers of one to nine bytes with a reader written from the format's description.
@Suite struct VarintTests {
    @Test func everyLength() {
        var values: [UInt64] = [0, .max, 1 << 63]
        for bits in 1..<64 {
            values += [(1 << UInt64(bits)) - 1, 1 << UInt64(bits)]
        }
        for value in values {
            var bytes = [UInt8](repeating: 0xAA, count: 12)
            let size = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { Varint.write(value, to: $0) }
            }
            let read = Self.read(bytes)
            #expect(read.value == value)
            #expect(read.size == size)
            #expect(Varint.size(value) == size)
            #expect(bytes[read.size] == 0xAA)
            bytes.withUnsafeBytes { buffer in
                var offset = 0
                #expect(Varint.read(buffer, at: &offset, before: 12) == value)
                #expect(offset == size)
                offset = 0
                #expect(Varint.read(buffer, at: &offset, before: read.size - 1) == nil)
            }
        }
    }

    private static func read(_ bytes: [UInt8]) -> (value: UInt64, size: Int) {
        var value: UInt64 = 0
        for index in 0..<8 {
            value = value << 7 | UInt64(bytes[index] & 0x7F)
            if bytes[index] < 0x80 { return (value, index + 1) }
        }
        return (value << 8 | UInt64(bytes[8]), 9)
    }
}
