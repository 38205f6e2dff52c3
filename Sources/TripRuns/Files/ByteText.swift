/// A text that is told apart byte for byte, as files and SQL do.
///
/// Swift calls texts equal that write an accented letter in one code point or in two. To a rule and to a
/// look-up they are two.
struct ByteText: Hashable, Comparable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ByteText, right: ByteText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    static func < (left: ByteText, right: ByteText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
