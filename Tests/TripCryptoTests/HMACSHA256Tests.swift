import Testing
import TripCrypto

/// The test cases of RFC 4231, but for the fifth, whose code is cut.
@Suite struct HMACSHA256Tests {
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    private static let vectors = [
        Vector(
            key: .init(repeating: 0x0B, count: 20),
            message: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Vector(
            key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Vector(
            key: .init(repeating: 0xAA, count: 20),
            message: .init(repeating: 0xDD, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Vector(
            key: Array(1...25),
            message: .init(repeating: 0xCD, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        Vector(
            key: .init(repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Vector(
            key: .init(repeating: 0xAA, count: 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size "
                    + "data. The key needs to be hashed before being used by the HMAC algorithm.")
                    .utf8
            ),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    private static func code(_ message: [UInt8], _ hmac: HMACSHA256) -> [UInt8] {
        message.withUnsafeBytes { hmac.withCode(of: $0) { Array($0) } }
    }

    @Test(arguments: vectors)
    func codesAreThoseOfTheStandard(vector: Vector) {
        let hmac = HMACSHA256(key: SecretKey(vector.key))
        #expect(Self.code(vector.message, hmac) == hexBytes(vector.code))
    }

    @Test func oneMessageLeavesNothingForTheNext() {
        let hmac = HMACSHA256(key: SecretKey(Array("Jefe".utf8)))
        let first = Self.code(Array("one".utf8), hmac)
        #expect(Self.code([], hmac) != first)
        #expect(Self.code(Array("one".utf8), hmac) == first)
    }
}
