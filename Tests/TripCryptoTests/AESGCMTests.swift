import Testing
import TripCrypto

/// Test cases 13 to 16 of the GCM specification that NIST SP 800-38D refers to (McGrew, Viega).
@Suite struct AESGCMTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let nonce: [UInt8]
        let plain: [UInt8]
        let authenticated: [UInt8]
        let sealed: [UInt8]
    }

    private static let key = hexBytes(
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    )
    private static let nonce = hexBytes("cafebabefacedbaddecaf888")
    private static let plain = hexBytes(
        """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b5\
        25b16aedf5aa0de657ba637b39
        """
    )
    private static let cipherText = """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b10568288\
        38c5f61e6393ba7a0abcc9f662
        """

    private static let vectors = [
        Vector(
            key: .init(repeating: 0, count: 32),
            nonce: .init(repeating: 0, count: 12),
            plain: [],
            authenticated: [],
            sealed: hexBytes("530f8afbc74536b9a963b4f1c4cb738b")
        ),
        Vector(
            key: .init(repeating: 0, count: 32),
            nonce: .init(repeating: 0, count: 12),
            plain: .init(repeating: 0, count: 16),
            authenticated: [],
            sealed: hexBytes("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")
        ),
        Vector(
            key: key,
            nonce: nonce,
            plain: plain + hexBytes("1aafd255"),
            authenticated: [],
            sealed: hexBytes(cipherText + "898015ad" + "b094dac5d93471bdec1a502270e3cc6c")
        ),
        Vector(
            key: key,
            nonce: nonce,
            plain: plain,
            authenticated: hexBytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
            sealed: hexBytes(cipherText + "76fc6ece0f4e1768cddf8853bb2d551b")
        ),
    ]

    private static func seal(
        _ vector: Vector,
        with sealer: inout AESGCM.Sealer
    ) throws -> [UInt8] {
        try vector.plain.withUnsafeBytes { plain in
            try vector.nonce.withUnsafeBytes { nonce in
                try sealer.seal(plain, nonce: nonce, authenticating: vector.authenticated)
            }
        }
    }

    @Test(arguments: vectors)
    func sealedTextsAreThoseOfTheStandard(vector: Vector) throws {
        let key = SecretKey(vector.key)
        var sealer = AESGCM.Sealer(key: key)
        let sealed = try Self.seal(vector, with: &sealer)
        #expect(sealed == vector.nonce + vector.sealed)
        // A sealer seals the next text as it sealed the first.
        #expect(try Self.seal(vector, with: &sealer) == sealed)
        let plain = AESGCM.open(sealed, key: key, authenticating: vector.authenticated)
        #expect(plain == vector.plain)
    }

    @Test(arguments: vectors)
    func anyOtherBitIsFound(vector: Vector) throws {
        let key = SecretKey(vector.key)
        let sealed = vector.nonce + vector.sealed
        for bit in 0..<(8 * sealed.count) {
            var changed = sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let plain = AESGCM.open(changed, key: key, authenticating: vector.authenticated)
            #expect(plain == nil)
        }
        for text in [Array(sealed.dropLast()), sealed + [0], Array(sealed.prefix(27)), []] {
            let plain = AESGCM.open(text, key: key, authenticating: vector.authenticated)
            #expect(plain == nil)
        }
        #expect(AESGCM.open(sealed, key: key, authenticating: vector.authenticated + [0]) == nil)
    }
}
