import Crypto
import CryptoExtras

/// A passkey of an account, with which its owner signs in on a device.
public struct Passkey: Sendable, Hashable {
    /// Its id, as base64url.
    public let id: String
    /// Whether it may be on several devices of its owner.
    public let mayBeSynced: Bool
    /// When it was added, in seconds of UTC.
    public let createdAt: Int64
    /// When it was last used for a sign-in; nil where it was not used yet.
    public let lastUsedAt: Int64?
}

/// The browser's answer after a passkey was created.
public struct PasskeyRegistration: Sendable {
    let clientData: [UInt8]
    let attestation: [UInt8]

    /// Reads both parts, as base64url; nil where one is malformed.
    public init?(clientData: String, attestation: String) {
        guard let clientData = Base64URL.bytes(clientData),
            let attestation = Base64URL.bytes(attestation)
        else { return nil }
        (self.clientData, self.attestation) = (clientData, attestation)
    }

    /// The authenticator data of the attestation object; the attestation itself is not checked,
    /// because none is requested.
    func data(for relyingParty: String) -> AuthenticatorData? {
        var reading = CBORReading(attestation[...])
        guard let value = reading.value(), reading.unread.isEmpty,
            let bytes = value["authData"]?.byteString
        else { return nil }
        return AuthenticatorData(bytes, for: relyingParty)
    }
}

/// The browser's answer after a passkey signed a challenge.
public struct PasskeyAssertion: Sendable {
    let id: String
    let clientData: [UInt8]
    let data: [UInt8]
    let signature: [UInt8]
    let userHandle: String?

    /// Reads the parts, as base64url; nil where one is malformed.
    ///
    /// - Parameters:
    ///   - id: The id of the passkey.
    ///   - clientData: The client data of the browser.
    ///   - data: The authenticator data.
    ///   - signature: The signature over both.
    ///   - userHandle: The user handle, where the authenticator has one.
    public init?(
        id: String,
        clientData: String,
        data: String,
        signature: String,
        userHandle: String?
    ) {
        guard Base64URL.bytes(id) != nil, let clientData = Base64URL.bytes(clientData),
            let data = Base64URL.bytes(data), let signature = Base64URL.bytes(signature)
        else { return nil }
        (self.id, self.clientData, self.data) = (id, clientData, data)
        (self.signature, self.userHandle) = (signature, userHandle)
    }
}

/// The public key of a passkey, in the form that authenticators use (COSE, RFC 9052 and 9053).
enum PasskeyKey: Sendable {
    /// ECDSA over P-256 with SHA-256: phones and security keys.
    case es256(P256.Signing.PublicKey)
    /// RSASSA-PKCS1-v1_5 with SHA-256: used by some computers instead.
    case rs256(_RSA.Signing.PublicKey)

    /// The COSE numbers of the algorithms, the preferred one first.
    static let algorithms: [Int64] = [-7, -257]

    /// Reads a key; nil where it is of another algorithm, off its curve, or too short.
    ///
    /// - Parameter cose: The key as a map of CBOR.
    init?(cose: CBORValue) {
        guard case .integer(let type)? = cose[1], case .integer(let algorithm)? = cose[3] else {
            return nil
        }
        switch (type, algorithm) {
        case (2, -7):
            guard cose[-1] == .integer(1), let x = cose[-2]?.byteString, x.count == 32,
                let y = cose[-3]?.byteString, y.count == 32,
                // The library refuses a point that is not on the curve.
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
            else { return nil }
            self = .es256(key)
        case (3, -257):
            guard let n = cose[-1]?.byteString, (256...1024).contains(n.count),
                let e = cose[-2]?.byteString, (1...8).contains(e.count),
                // The library refuses numbers that are not an RSA key.
                let key = try? _RSA.Signing.PublicKey(n: n, e: e)
            else { return nil }
            self = .rs256(key)
        default: return nil
        }
    }

    /// Whether a signature over some bytes was made with this key.
    ///
    /// - Parameters:
    ///   - signature: The signature; an ECDSA signature as DER.
    ///   - bytes: The signed bytes.
    /// - Returns: Whether it is.
    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            // Bytes that are not DER are not a signature.
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: bytes))
        case .rs256(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(
                signature,
                for: SHA256.hash(data: bytes),
                padding: .insecurePKCS1v1_5
            )
        }
    }
}
