/// The field's words: private ones are refused, each with the word that is wanted instead.
///
/// `docs/GLOSSARY.md` is the list of the words in use.
enum WordRules {
    /// Words that a reader from the field would not understand, in lower case.
    static let refused = [
        "crowd": "overload, or many connections", "crowds": "overload, or many connections",
        "newcomer": "new connection", "newcomers": "new connections",
        "leaver": "closed connection", "leavers": "closed connections",
        "somebody": "the user, the operator, the caller, the account",
        "nobody": "no user, no account, no reader",
        "whoever": "the user, the operator, the reader",
    ]

    /// The pages that name the refused words.
    static let exempt: Set = ["docs/STYLE.md", "docs/GLOSSARY.md"]

    /// The refused words of a text, in comments, messages and names alike.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - text: Its content.
    /// - Returns: One breach per line and word.
    static func breaches(_ path: String, _ text: String) -> [Breach] {
        guard !exempt.contains(path) else { return [] }
        return CodeRules.numbered(text).flatMap { number, line in
            Set(words(of: line)).sorted().compactMap { word in
                refused[word].map { Breach(path, line: number, "`\(word)`: say \($0)") }
            }
        }
    }

    /// The words of a line in lower case; a name in camel case counts as its words.
    static func words(of line: some StringProtocol) -> [String] {
        var words: [String] = []
        var word = ""
        for letter in line {
            if letter.isUppercase || !letter.isLetter {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if letter.isLetter { word.append(letter) }
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }
}
