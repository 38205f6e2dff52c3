/// The rules for new passwords: length matters, not special characters (NIST SP 800-63B-4, 3.1.1).
public struct PasswordRules: Sendable {
    /// The words that passwords must not be made of: those of every installation, and the same with
    /// an agency's own.
    private let vocabularies: [[String]]
    /// The list of stolen passwords; nil where none is configured.
    let breached: BreachedPasswords?

    /// The minimum number of characters, as recommended where a password is the only factor.
    public static let lengthMin = 15
    /// The maximum number of bytes, so that hashing does not become a load.
    public static let byteCountMax = 256

    /// The rule that a password breaks.
    public enum Violation: Sendable, Equatable, CustomStringConvertible {
        case tooShort
        case tooLong
        case containsName
        case tooFewCharacters
        case common
        /// It was stolen elsewhere.
        case stolen
        /// The list of stolen passwords cannot be read now: the password is refused.
        case notChecked

        /// The problem, to follow a colon, and what the user should do.
        public var description: String {
            switch self {
            case .tooShort:
                "it has fewer than \(PasswordRules.lengthMin) characters. Choose a longer one; "
                    + "several words are easy to remember."
            case .tooLong:
                "it has more than \(PasswordRules.byteCountMax) bytes. Choose a shorter one."
            case .containsName:
                "the account's name is in it. Choose one without the name."
            case .tooFewCharacters:
                "it has fewer than six different characters. Choose one with more of them."
            case .common:
                "it is made of words that are tried first in attacks. Choose several words of your "
                    + "own."
            case .stolen:
                "it is in a list of passwords that were stolen elsewhere. Choose another one."
            case .notChecked:
                "it cannot be checked against the list of stolen passwords now. Try again later. "
                    + "If this goes on, tell the operator of the server."
            }
        }
    }

    /// Makes the rules of an installation.
    ///
    /// - Parameters:
    ///   - words: The agency's own words, in addition to the common ones; none is empty.
    ///   - breached: The list of stolen passwords; nil where there is none.
    public init(words: [String] = [], breached: BreachedPasswords? = nil) {
        precondition(!words.contains(""), "no word is empty, or the search for it would never end")
        let all = Self.commonWords + words.map { $0.lowercased() }
        // The longest word is removed first: a short one would leave the rest of a longer one.
        vocabularies = (words.isEmpty ? [all] : [Self.commonWords, all]).map { words in
            words.sorted { $0.count > $1.count }
        }
        self.breached = breached
    }

    /// The first rule that a password breaks, apart from the list of stolen passwords.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - name: The account's name.
    /// - Returns: The broken rule; nil where the password may be used.
    public func violation(_ password: String, for name: AccountName) -> Violation? {
        if password.utf8.count > Self.byteCountMax { return .tooLong }
        if password.count < Self.lengthMin { return .tooShort }
        let plain = password.lowercased()
        if name.text.count > 3, plain.contains(name.text) { return .containsName }
        if Set(plain).count < 6 { return .tooFewCharacters }
        return isCommon(plain) ? .common : nil
    }

    /// Whether a password is in the list of stolen ones.
    ///
    /// - Parameter password: The password.
    /// - Returns: Whether it is; false where there is no list.
    /// - Throws: ``IdentityFault`` where the list cannot be read: the password must be refused
    ///   then.
    func isStolen(_ password: String) throws(IdentityFault) -> Bool {
        try breached?.contains(password) ?? false
    }

    /// Whether little is left of a password without the words that are common in stolen passwords,
    /// and without runs along a keyboard row.
    ///
    /// The common words are also removed without the agency's own: one that overlaps them
    /// ("wordpassw") would split them.
    private func isCommon(_ plain: String) -> Bool {
        vocabularies.contains { words in
            var rest = plain
            for word in words {
                while let range = rest.firstRange(of: word) { rest.removeSubrange(range) }
            }
            return rest.count < 6
        }
    }

    /// The words of every installation; `docs/SECURITY.md` lists them.
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
