/// Text as it stands in HTML, in an element or between the quotes of an attribute.
public enum HTMLText {
    /// A text with the five characters written out that mean something to HTML.
    ///
    /// By its bytes: what Swift calls a character may be a mark of HTML and an accent on it, which browsers read one by one.
    ///
    /// - Parameter text: The text.
    /// - Returns: The same, of which a browser shows what the text says.
    /// - Complexity: O(*n*) in the bytes.
    public static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
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
