import Testing
import TripCrypto

/// Vectors of NIST's validation programme for SP 800-38F: `KWP_AE_256` and `KWP_AD_256`.
@Suite struct AESKeyWrapTests {
    struct Vector: Sendable {
        let key: String
        let plain: String
        let wrapped: String
    }

    private static let vectors = [
        Vector(
            key: "397989e9208a7f0133eab2f8c9a5ec231eb3f771ec409a6c43c75b8ff39b489c",
            plain: "ea",
            wrapped: "6c0bf17e7c72f5b3a95988c20da4a776"
        ),
        Vector(
            key: "70c48d265210bdb233d89b0a0076e31403b0d95d28b53028d3e8002a34b7d267",
            plain: "dcc0b67f",
            wrapped: "160aa6669bf7e039431d6c2560b5592c"
        ),
        Vector(
            key: "96503e950d01ee1664de77ef6c0108aea2cffcffd0cf282e58a3fb982914ff9c",
            plain: "e731cf7c44ac7722",
            wrapped: "e5fa8bf0919d5a7163f2af43b3b549b8"
        ),
        Vector(
            key: "f5a3f19df4bca6d8b9736a410053e8fdde705237c882df80e6d836fa9b5eb316",
            plain: "9dba964ee6cbe6dad4",
            wrapped: "708ca1a77dcb2f1fd61ff6a8b7c3be265fc624d18a78b8e3"
        ),
        Vector(
            key: "fb4f5463d70755bcb05a2e1748b662430733c02493571bd7dc0ad578166db463",
            plain: "ff956ba8552e5840da",
            wrapped: "0bab1a673e49d92f6f28d45eb9accee30a9b59d5a27ce20f"
        ),
    ]

    /// Wrapped texts that the validation programme has refused.
    private static let refused = [
        (
            "c32cb3e1e41a4b9f4de79989957866f5dd48dba38c22a6ebb80e14c84bdd9534",
            "c29b05c2619a58ecc1d239e7a34273cd"
        ),
        (
            "398444df32841be9e699c64faa92630c834564b8384876dceb471c4056fc8299",
            "30032c9a3ed00d29512d8c725fa86a4b"
        ),
        (
            "532b4699bb0a97dc426a511a7d0fe70dc7ba163106775677a5b2d75a4d5b93a0",
            "e1e64a6bf74b137522e6c5f47ca859ae"
        ),
    ]

    @Test(arguments: vectors)
    func wrappedTextsAreThoseOfTheStandard(vector: Vector) {
        let key = SecretKey(hexBytes(vector.key))
        let plain = hexBytes(vector.plain)
        let wrapped = hexBytes(vector.wrapped)
        #expect(AESKeyWrap.wrap(plain, key: key) == wrapped)
        #expect(AESKeyWrap.wrappedSize(plain.count) == wrapped.count)
        #expect(AESKeyWrap.unwrap(wrapped, key: key) == plain)
    }

    @Test(arguments: refused)
    func whatTheStandardRefusesIsRefused(key: String, wrapped: String) {
        #expect(AESKeyWrap.unwrap(hexBytes(wrapped), key: SecretKey(hexBytes(key))) == nil)
    }

    @Test func anyOtherBitAndSizeIsFound() {
        let key = SecretKey(Array(0..<32))
        let wrapped = AESKeyWrap.wrap(Array("SYN-100003860".utf8), key: key)
        for bit in 0..<(8 * wrapped.count) {
            var changed = wrapped
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(AESKeyWrap.unwrap(changed, key: key) == nil)
        }
        for size in 0..<wrapped.count {
            #expect(AESKeyWrap.unwrap(Array(wrapped.prefix(size)), key: key) == nil)
        }
        #expect(AESKeyWrap.unwrap(wrapped + wrapped, key: key) == nil)
        #expect(AESKeyWrap.unwrap(wrapped, key: SecretKey(Array(1...32))) == nil)
    }

    @Test func everySizeComesBack() {
        let key = SecretKey(Array(0..<32))
        for size in 1...100 {
            let plain = (0..<size).map { UInt8($0) }
            let wrapped = AESKeyWrap.wrap(plain, key: key)
            #expect(wrapped.count == AESKeyWrap.wrappedSize(size))
            #expect(AESKeyWrap.unwrap(wrapped, key: key) == plain)
        }
    }

    @Test func oneWrapperForManyTextsWrapsAsOneForEach() {
        let key = SecretKey(Array(0..<32))
        let wrapper = AESKeyWrap.Wrapper(key: key)
        for size in [1, 13, 8, 100, 7, 1, 64] {
            let plain = (0..<size).map { UInt8($0) }
            var wrapped = [UInt8](repeating: 0, count: AESKeyWrap.wrappedSize(size))
            plain.withUnsafeBytes { plain in
                wrapped.withUnsafeMutableBytes { wrapper.wrap(plain, into: $0) }
            }
            #expect(wrapped == AESKeyWrap.wrap(plain, key: key))
        }
    }
}
