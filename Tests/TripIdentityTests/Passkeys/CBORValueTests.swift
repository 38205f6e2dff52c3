import Testing

@testable import TripIdentity

@Suite struct CBORValueTests {
    private static func value(_ bytes: [UInt8]) -> CBORValue? {
        var reading = CBORReading(bytes[...])
        let value = reading.value()
        return reading.unread.isEmpty ? value : nil
    }

    /// The examples of RFC 8949, appendix A.
    @Test(
        arguments: [
            ([0x00], .integer(0)), ([0x17], .integer(23)), ([0x18, 0x18], .integer(24)),
            ([0x19, 0x03, 0xe8], .integer(1000)),
            ([0x1a, 0x00, 0x0f, 0x42, 0x40], .integer(1_000_000)),
            ([0x1b, 0x00, 0x00, 0x00, 0xe8, 0xd4, 0xa5, 0x10, 0x00], .integer(1_000_000_000_000)),
            ([0x20], .integer(-1)), ([0x38, 0x63], .integer(-100)),
            ([0x39, 0x03, 0xe7], .integer(-1000)),
            ([0xf4], .bool(false)), ([0xf5], .bool(true)), ([0xf6], .null), ([0x40], .bytes([])),
            ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x60], .text("")),
            ([0x62, 0xc3, 0xbc], nil), ([0x62, 0x22, 0x5c], .text("\"\\")),
            ([0x83, 1, 2, 3], .list([.integer(1), .integer(2), .integer(3)])), ([0xa0], .map([:])),
            ([0xa2, 1, 2, 3, 4], .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
            ([0x3b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .integer(.min)),
        ] as [([UInt8], CBORValue?)]
    )
    func examplesAreRead(bytes: [UInt8], value: CBORValue?) {
        // Two bytes of UTF-8 are one character.
        let expected = bytes == [0x62, 0xc3, 0xbc] ? CBORValue.text("ü") : value
        #expect(Self.value(bytes) == expected)
    }

    @Test(
        arguments: [
            [], [0x18], [0x1c], [0x1f], [0x1b, 0xff, 0, 0, 0, 0, 0, 0, 0], [0x42, 1],
            [0x5f, 0x41, 1, 0xff],
            [0x61, 0xff], [0x9f, 0xff], [0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            [0x82, 1],
            [0xa1, 1], [0xa2, 1, 2, 1, 3], [0xbb, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            [0xc0, 0x60], [0xf9, 0, 0], [0xf7], [0xff], [0x81, 0x81, 0x81, 0x81, 0x81, 0x00],
            [0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] as [[UInt8]]
    )
    func otherValuesAreRefused(bytes: [UInt8]) {
        #expect(Self.value(bytes) == nil)
    }

    @Test func fourDeepIsRead() {
        #expect(Self.value([0x81, 0x81, 0x81, 0x81, 0x00]) != nil)
    }
}
