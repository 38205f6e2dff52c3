/// Bytes as base64url without padding (RFC 4648 §5), and back.
enum Base64URL {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// Encodes six bits per character.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var (bits, bitCount) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                characters.append(digits[bits >> bitCount & 63])
            }
            bits &= (1 << bitCount) - 1
        }
        if bitCount > 0 { characters.append(digits[bits << (6 - bitCount) & 63]) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// The bytes of a text; nil where it is not exactly what ``text(_:)`` makes of some bytes.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, bitCount) = (0, 0)
        for character in text.utf8 {
            guard let value = digits.firstIndex(of: character) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        // What is left over must be the zeros that filled the last character.
        return bitCount < 6 && bits == 0 ? bytes : nil
    }
}
