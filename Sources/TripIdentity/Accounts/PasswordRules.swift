/// What a password must be: long rather than odd (NIST SP 800-63B-4, 3.1.1).
public struct PasswordRules: Sendable {
    /// What passwords must not be made of: the words of every installation, and those with an agency's own.
    private let vocabularies: [[String]]
    /// Those that were stolen elsewhere; nil where no list is named.
    let breached: BreachedPasswords?

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
        /// It was stolen elsewhere.
        case stolen
        /// Whether it was stolen cannot be found out now: it is not taken.
        case notLookedUp

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
            case .stolen:
                "it is in a list of passwords that were stolen elsewhere. Choose another one."
            case .notLookedUp:
                "it cannot be looked up now in the list of stolen ones. Try again later. If it goes on, tell whoever looks after the server."
            }
        }
    }

    /// Brings them together.
    ///
    /// - Parameters:
    ///   - words: An agency's own words, beside those that everybody tries; none is empty.
    ///   - breached: Passwords that were stolen elsewhere; nil where there is no list of them.
    public init(words: [String] = [], breached: BreachedPasswords? = nil) {
        precondition(!words.contains(""), "an empty word would be found for ever")
        let all = Self.commonWords + words.map { $0.lowercased() }
        // The longest first: a short one would leave the rest of a longer one.
        vocabularies = (words.isEmpty ? [all] : [Self.commonWords, all]).map { words in
            words.sorted { $0.count > $1.count }
        }
        self.breached = breached
    }

    /// What a password breaks first by itself, without a look at any list.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - name: The account's name.
    /// - Returns: The breach; nil where it may be used.
    public func breach(_ password: String, for name: AccountName) -> Breach? {
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
    /// - Returns: Whether it is; it is not where there is no list.
    /// - Throws: ``IdentityFault`` where the list cannot be looked at: the password must not be taken then.
    func isStolen(_ password: String) throws(IdentityFault) -> Bool {
        try breached?.contains(password) ?? false
    }

    /// Whether little is left of a password without the words that lists of stolen ones are full of, and
    /// without the runs along a keyboard row.
    ///
    /// An agency's own words come on top of the others: one that overlaps them ("wordpassw") would take them apart.
    private func isCommon(_ plain: String) -> Bool {
        vocabularies.contains { words in
            var rest = plain
            for word in words {
                while let place = rest.firstRange(of: word) { rest.removeSubrange(place) }
            }
            return rest.count < 6
        }
    }

    /// Those of every installation; `docs/SECURITY.md` lists them.
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
