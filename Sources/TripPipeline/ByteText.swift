/// A text that is compared byte by byte, as files and SQL do.
///
/// Swift treats an accented letter as equal whether it is written in one code point or in two. To a
/// rule and to a look-up these are two texts.
public struct ByteText: Hashable, Comparable, Sendable {
    /// The text.
    public let text: String

    /// Takes a text.
    public init(_ text: String) {
        self.text = text
    }

    /// Compares byte for byte.
    public static func == (left: ByteText, right: ByteText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Orders byte for byte.
    public static func < (left: ByteText, right: ByteText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
