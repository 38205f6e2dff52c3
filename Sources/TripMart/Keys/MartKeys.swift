import TripCrypto
import TripDomain

/// The keys of a mart, all derived from the 32 random bytes of its key file.
///
///     key file ─ HKDF-SHA256 ─┬─ "look-up"   HMAC of patient identifiers
///                             ├─ "sealing"   AES-256-GCM of identifiers and raw records
///                             ├─ "trip-ref"  AES-256 key wrap of trip ids
///                             ├─ "page-cursor"  a key per list: AES-256 key wrap of positions
///                             └─ "check"     kept in `meta` in clear: identifies the key file
///
/// The check value comes from the same one-way derivation as the keys, and reveals nothing about
/// them. The type's descriptions and mirrors reveal no key.
public struct MartKeys: Sendable, CustomStringConvertible, CustomReflectable {
    let lookUp: SecretKey
    let sealing: SecretKey
    let tripRef: SecretKey
    let pageCursor: SecretKey
    /// The value in `meta` that identifies the mart's key file: 32 hexadecimal digits.
    public let checkValue: String

    /// Derives the keys.
    ///
    /// - Precondition: the secret is 32 bytes.
    init(secret: [UInt8]) {
        precondition(secret.count == 32, "a key file holds 32 bytes")
        let input = SecretKey(secret)
        func derive(_ purpose: String, _ size: Int) -> SecretKey {
            Self.derive(from: input, info: Array(purpose.utf8), size: size)
        }
        lookUp = derive("look-up", 32)
        sealing = derive("sealing", 32)
        tripRef = derive("trip-ref", 32)
        pageCursor = derive("page-cursor", 32)
        checkValue = derive("check", 16).withUnsafeBytes { Hex.text($0) }
    }

    /// Derives a key for one purpose.
    static func derive(from input: SecretKey, info: [UInt8], size: Int) -> SecretKey {
        SecretKey(
            derivedFrom: input,
            salt: Array("triptych key 1".utf8),
            info: info,
            byteCount: size
        )
    }

    /// A mask.
    public var description: String { "MartKeys(••••••••)" }
    /// An empty mirror, so that dumps show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
