/// Texts between double quotes, for readers that take two quotes for one: SQL and CSV.
public enum QuotedText {
    /// A text between double quotes.
    ///
    /// It works on bytes. A Swift `Character` may be a quote with a combining accent on it, and
    /// those readers take the two separately.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text between quotes, each quote in it doubled.
    /// - Complexity: O(*n*) in the bytes.
    public static func quoted(_ text: String) -> String { quoted(text, by: "\"") }

    /// A text between quotes of any kind.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - quote: The quote, an ASCII character.
    /// - Returns: The text between quotes, each quote in it doubled.
    /// - Complexity: O(*n*) in the bytes.
    public static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
        let quote = UInt8(ascii: quote)
        var bytes = [quote]
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }
}
