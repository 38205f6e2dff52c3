import Testing
import TripCrypto

/// The test cases of RFC 5869 with SHA-256, and what a key shows of itself.
@Suite struct SecretKeyTests {
    struct Vector: Sendable {
        let input: [UInt8]
        let salt: [UInt8]
        let info: [UInt8]
        let output: String
    }

    private static let vectors = [
        Vector(
            input: .init(repeating: 0x0B, count: 22),
            salt: Array(0x00...0x0C),
            info: Array(0xF0...0xF9),
            output: """
                3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
                """
        ),
        Vector(
            input: Array(0x00...0x4F),
            salt: Array(0x60...0xAF),
            info: Array(0xB0...0xFF),
            output: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb\
                41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
        ),
        Vector(
            input: .init(repeating: 0x0B, count: 22),
            salt: [],
            info: [],
            output: """
                8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
                """
        ),
    ]

    @Test(arguments: vectors)
    func derivedKeysAreThoseOfTheStandard(vector: Vector) {
        let output = hexBytes(vector.output)
        let key = SecretKey(
            derivedFrom: SecretKey(vector.input),
            salt: vector.salt,
            info: vector.info,
            byteCount: output.count
        )
        #expect(key.withUnsafeBytes { Array($0) } == output)
    }

    @Test func aKeyShowsNothingOfItself() {
        let key = SecretKey(Array("0123456789abcdef".utf8))
        var shown = "\(key) \(String(reflecting: key))"
        dump(key, to: &shown)
        #expect(!shown.contains("0123"))
        #expect(!shown.contains("48"))
        #expect(key.byteCount == 16)
    }
}
