import Crypto
import CryptoExtras
import TripDomain

/// The keys of a mart, all derived from the 32 random bytes of its key file.
///
///     key file ─ HKDF-SHA256 ─┬─ "look-up"   HMAC of patient identifiers
///                             ├─ "sealing"   AES-256-GCM of identifiers and raw records
///                             ├─ "trip-ref"  AES-256-GCM-SIV of trip ids
///                             ├─ "page-cursor"  AES-256-GCM-SIV of positions in lists
///                             └─ "check"     kept in `meta` in clear: identifies the key file
///
/// The check value comes from the same one-way derivation as the keys, and reveals nothing about
/// them. The type's descriptions and mirrors reveal no key.
public struct MartKeys: Sendable, CustomStringConvertible, CustomReflectable {
    /// Keyed once; every identifier is hashed with a copy of it.
    let lookUp: HMAC<SHA256>
    let sealing: SymmetricKey
    let tripRef: SymmetricKey
    let pageCursor: SymmetricKey
    /// The value in `meta` that identifies the mart's key file: 32 hexadecimal digits.
    public let checkValue: String

    /// Derives the keys.
    ///
    /// - Precondition: the secret is 32 bytes.
    init(secret: [UInt8]) {
        precondition(secret.count == 32, "a key file holds 32 bytes")
        let input = SymmetricKey(data: secret)
        func derive(_ purpose: String, _ size: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input,
                salt: Array("triptych key 1".utf8),
                info: Array(purpose.utf8),
                outputByteCount: size
            )
        }
        lookUp = HMAC<SHA256>(key: derive("look-up", 32))
        sealing = derive("sealing", 32)
        tripRef = derive("trip-ref", 32)
        pageCursor = derive("page-cursor", 32)
        checkValue = derive("check", 16).withUnsafeBytes { Hex.text($0) }
    }

    /// A mask.
    public var description: String { "MartKeys(••••••••)" }
    /// An empty mirror, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
