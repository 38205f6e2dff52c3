import TripCrypto

/// Bytes as lower-case hexadecimal text, and back.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits per byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        for byte in bytes {
            characters.append(digits[Int(byte >> 4)])
            characters.append(digits[Int(byte & 15)])
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Whether a text has exactly so many hexadecimal digits, in lower case.
    static func isText(_ text: String, digitCount: Int) -> Bool {
        text.utf8.count == digitCount && text.utf8.allSatisfy { digits.contains($0) }
    }

    /// SHA-256 of some bytes, as text.
    static func sha256(_ bytes: [UInt8]) -> String {
        text(SHA256.hash(bytes))
    }

    /// The bytes of lower-case hexadecimal text; nil where it is anything else.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.map { digits.firstIndex(of: $0) }
        guard values.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
