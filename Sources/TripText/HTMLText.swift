import TripDomain

/// Escapes text for HTML, both inside an element and between the quotes of an attribute.
public enum HTMLText {
    /// A text with the five special characters of HTML replaced by entities.
    ///
    /// It works on bytes. A Swift `Character` may be one of the five with a combining accent on it,
    /// and a browser reads the two separately.
    ///
    /// - Parameter text: The text.
    /// - Returns: The escaped text, which a browser shows as the original; control characters, of
    ///   which HTML has none, as code points.
    /// - Complexity: O(*n*) in the bytes.
    public static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in UnseenCharacters.controlsNamed(in: text).utf8 {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
