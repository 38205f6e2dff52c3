import Crypto
import CryptoExtras

/// The public half of a passkey, as authenticators hand it over (COSE, RFC 9052 and 9053).
enum PasskeyKey: Sendable {
    /// ECDSA over P-256 with SHA-256: phones and security keys.
    case es256(P256.Signing.PublicKey)
    /// RSASSA-PKCS1-v1_5 with SHA-256: what some computers have instead.
    case rs256(_RSA.Signing.PublicKey)

    /// The algorithms by their numbers, the better one first, as a page asks for them.
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
                // A point that is not on the curve is no key.
                let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
            else { return nil }
            self = .es256(key)
        case (3, -257):
            guard let n = cose[-1]?.byteString, (256...1024).contains(n.count),
                let e = cose[-2]?.byteString, (1...8).contains(e.count),
                // Numbers that are no key of RSA are none.
                let key = try? _RSA.Signing.PublicKey(n: n, e: e)
            else { return nil }
            self = .rs256(key)
        default: return nil
        }
    }

    /// Whether a signature over some bytes is this key's.
    ///
    /// - Parameters:
    ///   - signature: The signature; of ECDSA as DER.
    ///   - bytes: What it is over.
    /// - Returns: Whether it is.
    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            // What is no DER is no signature.
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
