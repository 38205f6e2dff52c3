import TripCrypto
import TripDomain

/// The only identifier of a trip that may appear in a URL, a cursor, a report or a log.
///
/// It is the trip id, encrypted by AES-256 key wrap with padding (NIST SP 800-38F) and written in
/// base64url: the same trip has the same reference in every generation, and without the key it
/// reveals only how many blocks of eight bytes the id fills. Key wrap needs no nonce.
///
///     key wrap of: form (1 byte: 1) ─ trip id (UTF-8)
public struct TripRef: Sendable, Hashable, CustomStringConvertible {
    /// The reference as text: letters, digits, `-` and `_`.
    public let text: String

    /// Creates a reference from a client's text; it is verified only when it is opened.
    public init(text: String) {
        self.text = text
    }

    /// The reference itself.
    public var description: String { text }
}

extension MartKeys {
    /// The byte before an id, so that an empty id can be wrapped too.
    static let refForm: UInt8 = 1

    /// The reference of a trip.
    ///
    /// - Parameter tripID: The trip's id.
    /// - Returns: Its reference; equal ids have equal references.
    public func ref(ofTrip tripID: String) -> TripRef {
        let wrapped = AESKeyWrap.wrap([Self.refForm] + tripID.utf8, key: tripRef)
        return TripRef(text: Base64URL.text(wrapped))
    }

    /// The trip id of a reference.
    ///
    /// - Parameter ref: The reference as the client sent it.
    /// - Returns: The trip id.
    /// - Throws: ``MartError`` with code `sealBroken` where it was not made with this key.
    public func tripID(of ref: TripRef) throws(MartError) -> String {
        guard let bytes = Base64URL.bytes(ref.text),
            let plain = AESKeyWrap.unwrap(bytes, key: tripRef), plain.first == Self.refForm
        else {
            throw MartError(
                .sealBroken,
                remedy: "This is not a trip reference of this mart. Take it from a list."
            )
        }
        return String(decoding: plain.dropFirst(), as: UTF8.self)
    }
}

/// Base64 with `-` and `_` and without padding, for URLs (RFC 4648 §5).
enum Base64URL {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    static func text(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        bytes.withUnsafeBytes { append($0, to: &characters) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Appends the encoding of some bytes to a text.
    static func append(_ bytes: UnsafeRawBufferPointer, to characters: inout [UInt8]) {
        var bits: UInt32 = 0
        var held = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                characters.append(digits[Int(bits >> UInt32(held) & 63)])
            }
        }
        if held > 0 { characters.append(digits[Int(bits << UInt32(6 - held) & 63)]) }
    }

    /// The bytes of a text; nil where it is not the canonical encoding.
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var held = 0
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            bits = bits << 6 | UInt32(digit)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(bits >> UInt32(held) & 255))
            }
        }
        return Self.text(bytes) == text ? bytes : nil
    }
}
