import ArgumentParser
import TripDomain

/// The refusal of a value that a flag does not know.
enum KnownWords {
    /// A class of trips by its word.
    static func tripClass(_ word: String) throws -> TripClass {
        guard let found = TripClass(word: word) else {
            throw refusal("--class", word, TripClass.allCases.map(\.word))
        }
        return found
    }

    /// The refusal of a value, with the known one that was probably meant.
    static func refusal(_ flag: String, _ word: String, _ known: [String]) -> ValidationError {
        let near = NearestName.meant(by: word, among: known).map { " Did you mean `\($0)`?" } ?? ""
        let list = known.joined(separator: ", ")
        return ValidationError("\(flag) does not know '\(word)'.\(near) Known: \(list).")
    }

    /// What a month without its flag is answered with, after the parser's own message.
    ///
    /// - Parameter message: The message of the parser, with the usage of the command.
    /// - Returns: The hint; nil where the message is about something else, or the command asks for
    ///   no month.
    static func hint(to message: String) -> String? {
        let parts = message.split(separator: "'", maxSplits: 2)
        let takesMonth = ["kpi", "trips", "diff"].contains {
            message.contains("'triptych \($0) --help'")
        }
        guard message.contains("Unexpected argument '"), takesMonth, parts.count > 1,
            // What reads as no month gets no hint.
            (try? MonthFilter(text: String(parts[1]))) != nil
        else { return nil }
        return "Did you mean `--month \(parts[1])`?"
    }
}
