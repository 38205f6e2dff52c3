/// A word at the beginning of a line that says how something is: published, withheld, held.
///
/// The one list of them: logs take the level of a line from it, and terminals its color.
struct StateWord {
    /// How much a line matters, as logs write it.
    enum Level: String {
        case info
        case warning
        case error
    }

    let text: String
    let level: Level
    /// Whether the word says that something went well.
    var isGood = false

    private static let all =
        ["NOT PUBLISHED", "WITHHELD", "FAILED", "fault", "error"]
        .map { StateWord(text: $0, level: .error) }
        + [
            "warning", "warn", "held", "overdue", "refused", "rejected file", "skipped", "override",
            "unfinished", "unlisted", "overflow", "missing", "damaged",
        ].map { StateWord(text: $0, level: .warning) }
        + ["PUBLISHED", "WOULD PUBLISH", "VERIFIED"]
        .map { StateWord(text: $0, level: .info, isGood: true) }
        + ["note", "waits", "unclaimed"].map { StateWord(text: $0, level: .info) }

    /// The word that a line begins with, after blanks; nil for any other line.
    static func first(of line: some StringProtocol) -> StateWord? {
        let rest = line.drop { $0 == " " }
        return all.first { word in
            guard rest.hasPrefix(word.text) else { return false }
            // `held` is no part of `held-back`.
            return rest.dropFirst(word.text.count).first.map { " :".contains($0) } ?? true
        }
    }
}
