/// Addresses that letters are sent to.
public enum EmailAddress {
    /// Whether a text is one that can stand in a letter's head: `name@host.example`, of visible ASCII without marks
    /// that mean something there.
    ///
    /// - Parameter text: The text.
    /// - Returns: Whether it is. Stricter than RFC 5321, whose quoted names nobody has.
    public static func isOne(_ text: String) -> Bool {
        let sides = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && !"<>()[],;:\\\"".utf8.contains(byte)
        }
        return sides.count == 2 && isPlain && text.utf8.count <= 254 && !text.hasPrefix("-")
            && !sides[0].isEmpty && sides[1].contains(".")
    }
}
