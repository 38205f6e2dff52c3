import Testing
import TripCrypto

/// The examples of FIPS 180-4 and of NIST's page of examples for it.
@Suite struct SHA256Tests {
    private static let vectors = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmn"
                + "opqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test(arguments: vectors)
    func digestsAreThoseOfTheStandard(text: String, digest: String) {
        #expect(SHA256.hash(Array(text.utf8)) == hexBytes(digest))
    }

    @Test(arguments: [1, 3, 63, 64, 65, 1000])
    func piecesGiveTheDigestOfTheWhole(size: Int) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: size) {
            hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        hash.update([])
        #expect(hash.finish() == SHA256.hash(bytes))
    }
}
