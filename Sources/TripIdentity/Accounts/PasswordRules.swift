/// What a password must be: long rather than odd (NIST SP 800-63B-4, 3.1.1).
public enum PasswordRules {
    /// Characters at least; what is advised where a password is all there is.
    public static let lengthMin = 15
    /// Bytes at most, so that hashing does not become a load.
    public static let byteCountMax = 256

    /// What a password breaks.
    public enum Breach: Sendable, Equatable, CustomStringConvertible {
        case tooShort
        case tooLong
        case containsName
        case tooFewCharacters
        case common

        /// What is wrong, as what follows a colon, and what to do.
        public var description: String {
            switch self {
            case .tooShort:
                "it has fewer than \(PasswordRules.lengthMin) characters. Choose a longer one; several words are easy to keep."
            case .tooLong:
                "it has more than \(PasswordRules.byteCountMax) bytes. Choose a shorter one."
            case .containsName:
                "the account's name is in it. Choose one without the name."
            case .tooFewCharacters:
                "it has fewer than six different characters. Choose one with more of them."
            case .common:
                "it is made of what everybody tries first. Choose several words of your own."
            }
        }
    }

    /// What a password breaks first.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - name: The account's name.
    /// - Returns: The breach; nil where it may be used.
    public static func breach(_ password: String, for name: AccountName) -> Breach? {
        if password.utf8.count > byteCountMax { return .tooLong }
        if password.count < lengthMin { return .tooShort }
        let plain = password.lowercased()
        if name.text.count > 3, plain.contains(name.text) { return .containsName }
        if Set(plain).count < 6 { return .tooFewCharacters }
        return isCommon(plain) ? .common : nil
    }

    /// Whether little is left of a password without the words that lists of stolen ones are full of, and
    /// without the runs along a keyboard row.
    private static func isCommon(_ plain: String) -> Bool {
        var rest = plain
        for word in commonWords {
            while let place = rest.firstRange(of: word) { rest.removeSubrange(place) }
        }
        return rest.count < 6
    }

    private static let commonWords = [
        "qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "0987654321", "123456789", "12345678",
        "abcdefghijklmnopqrstuvwxyz", "abcdefgh", "123456", "qwerty", "password", "passw0rd",
        "p@ssword",
        "p@ssw0rd", "letmein", "welcome", "iloveyou", "administrator", "admin", "monkey", "dragon",
        "sunshine", "princess", "football", "baseball", "superman", "batman", "trustno1",
        "changeme",
        "secret", "hello", "login", "master", "shadow", "summer", "winter", "spring", "autumn",
        "ambulance",
        "triptych", "veterans", "january", "february", "march", "april", "june", "july", "august",
        "september", "october", "november", "december", "1234", "abcd", "2024", "2025", "2026",
        "2027", "111",
        "000", "!", "#", "?", "-", "_", ".", " ",
    ]
}
