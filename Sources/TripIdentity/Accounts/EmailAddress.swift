/// Checks e-mail addresses.
public enum EmailAddress {
    /// Whether a text is an address that is safe in an e-mail header: `name@host.example`, of
    /// visible ASCII without characters that have a meaning there.
    ///
    /// - Parameter text: The text.
    /// - Returns: Whether it is. The rule is stricter than RFC 5321: quoted names are refused.
    public static func isValid(_ text: String) -> Bool {
        let sides = text.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && !"<>()[],;:\\\"".utf8.contains(byte)
        }
        return sides.count == 2 && isPlain && text.utf8.count <= 254 && !text.hasPrefix("-")
            && !sides[0].isEmpty && sides[1].contains(".")
    }
}
