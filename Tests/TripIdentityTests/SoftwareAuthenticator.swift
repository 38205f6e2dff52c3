import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import TripIdentity

/// An authenticator in software: it makes one passkey and signs with it, with false values where a
/// test asks for them.
struct SoftwareAuthenticator {
    /// The key it signs with.
    enum Key {
        case es256(P256.Signing.PrivateKey)
        case rs256(_RSA.Signing.PrivateKey)
    }

    let key: Key
    let credentialID = RandomText.bytes(16)
    var relyingParty = "triptych.test"
    var origin = "https://triptych.test"
    /// The flags for user present (1) and user verified (4).
    var flags: UInt8 = 0b101
    var signCount: UInt32 = 0
    var isCrossOrigin = false

    init(_ key: Key = .es256(P256.Signing.PrivateKey())) { self.key = key }

    var id: String { Base64URL.text(credentialID) }

    /// The client data, as a browser writes it.
    func clientData(_ type: String, _ challenge: String) -> [UInt8] {
        Array(
            """
            {"type":"\(type)","challenge":"\(challenge)","origin":"\(origin)",\
            "crossOrigin":\(isCrossOrigin)}
            """.utf8
        )
    }

    /// The authenticator data, without a passkey.
    func data(_ more: UInt8 = 0) -> [UInt8] {
        let count = (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
        return Array(SHA256.hash(data: Data(relyingParty.utf8))) + [flags | more] + count
    }

    /// The public key as a map of CBOR.
    var cose: [UInt8] {
        switch key {
        case .es256(let key):
            let point = [UInt8](key.publicKey.x963Representation)
            return [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32] + point[1..<33]
                + [0x22, 0x58, 32] + point[33...]
        case .rs256(let key):
            // A key that was just made can be serialized.
            let parts = try? key.publicKey.getKeyPrimitives()
            let n = [UInt8](parts?.modulus ?? Data())
            return [0xa4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0] + n + [0x21, 0x43, 1, 0, 1]
        }
    }

    /// The authenticator data with the passkey, wrapped in an attestation object.
    var attestation: [UInt8] {
        let made = data(1 << 6) + [UInt8](repeating: 0, count: 16) + [0, 16] + credentialID + cose
        let size = [UInt8(made.count >> 8), UInt8(made.count & 255)]
        return [0xa3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67]
            + Array("attStmt".utf8) + [0xa0, 0x68] + Array("authData".utf8) + [0x59] + size + made
    }

    func make(_ challenge: String, type: String = "webauthn.create") throws -> PasskeyRegistration {
        let made = PasskeyRegistration(
            clientData: Base64URL.text(clientData(type, challenge)),
            attestation: Base64URL.text(attestation)
        )
        return try #require(made)
    }

    /// A signature over authenticator data and client data.
    func signature(_ data: [UInt8], _ client: [UInt8]) throws -> [UInt8] {
        let bytes = data + Array(SHA256.hash(data: client))
        switch key {
        case .es256(let key): return [UInt8](try key.signature(for: bytes).derRepresentation)
        case .rs256(let key):
            let digest = SHA256.hash(data: bytes)
            return [UInt8](
                try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
            )
        }
    }

    func sign(
        _ challenge: String,
        type: String = "webauthn.get",
        userHandle: String? = nil
    ) throws -> PasskeyAssertion {
        let (data, client) = (data(), clientData(type, challenge))
        let signed = PasskeyAssertion(
            id: id,
            clientData: Base64URL.text(client),
            data: Base64URL.text(data),
            signature: Base64URL.text(try signature(data, client)),
            userHandle: userHandle
        )
        return try #require(signed)
    }
}
