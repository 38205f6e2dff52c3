/// Colors the words of a screen that say how something is: published, withheld, open.
///
/// The words alone say it all; color only makes them easier to find. Since finished lines are
/// colored, widths, files and the list of runs know nothing of it.
public enum StateColors {
    /// A color, by the number terminals know it by.
    private enum Color: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        /// Less bright than the rest.
        case faint = "2"
    }

    /// Words that are colored anywhere in a line.
    private static let words: [(text: String, color: Color)] = [
        ("SYNTHETIC DATA", .yellow), ("OPEN", .yellow), ("open", .yellow), ("withheld", .red),
    ]

    /// A text with its colors.
    ///
    /// - Parameter text: Finished lines, without anything that a terminal would obey.
    /// - Returns: The same text with the codes of colors around some words.
    public static func colored(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let word = StateWord.first(of: line), let range = line.firstRange(of: word.text)
            else { return marked(line) }
            return line[..<range.lowerBound] + code(word.text, color(of: word))
                + marked(line[range.upperBound...])
        }.joined(separator: "\n")
    }

    private static func color(of word: StateWord) -> Color {
        switch word.level {
        case .error: .red
        case .warning: .yellow
        case .info: word.isGood ? .green : .faint
        }
    }

    private static func marked(_ text: Substring) -> String {
        for word in words {
            guard let range = text.firstRange(of: word.text),
                isEdge(text[..<range.lowerBound].last), isEdge(text[range.upperBound...].first),
                // Beside a month, `open` is its state; elsewhere it is the end of a validity.
                word.text != "open" || text[..<range.lowerBound].dropLast().last?.isNumber == true
            else { continue }
            return marked(text[..<range.lowerBound]) + code(word.text, word.color)
                + marked(text[range.upperBound...])
        }
        return String(text)
    }

    private static func isEdge(_ letter: Character?) -> Bool { letter.map { $0 == " " } ?? true }

    private static func code(_ word: String, _ color: Color) -> String {
        "\u{1B}[\(color.rawValue)m\(word)\u{1B}[0m"
    }
}
