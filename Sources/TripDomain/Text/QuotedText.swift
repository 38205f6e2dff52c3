/// Texts between double quotes, for readers that take two quotes for one: SQL and CSV.
public enum QuotedText {
    /// A text between quotes.
    ///
    /// It works on bytes. A Swift `Character` may be a quote with a combining accent on it, and
    /// those readers take the two separately.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text between quotes, each quote in it doubled.
    /// - Complexity: O(*n*) in the bytes.
    public static func quoted(_ text: String) -> String {
        let quote = UInt8(ascii: "\"")
        var bytes = [quote]
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}
