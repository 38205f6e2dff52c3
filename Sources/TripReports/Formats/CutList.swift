import TripDomain

/// The last line of a list that `--limit` cut short.
enum CutList {
    /// The greatest limit that a command accepts.
    static let greatest = 100_000

    /// `50 of 75 rejects; all: --limit 75`, after an empty line; nothing where all are shown.
    static func hint(shown: Int, of total: Int, _ noun: String) -> [String] {
        note(shown: shown, of: total, noun).map { ["", $0] } ?? []
    }

    /// The line alone, for programs that read the list itself; nil where all are shown.
    static func note(shown: Int, of total: Int, _ noun: String) -> String? {
        guard shown < total else { return nil }
        let (word, limit) = total > greatest ? ("more", greatest) : ("all", total)
        return "\(NumberFormat.count(shown)) of \(Counted.text(total, noun)); \(word): "
            + "--limit \(limit)"
    }
}
