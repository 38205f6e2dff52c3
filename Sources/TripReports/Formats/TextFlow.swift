/// Breaks a line that is too long: at its separators where that does, else at words.
///
/// A command stays whole, so that it can be copied; one that is longer than a line goes on with the
/// shell's own mark for that, a backslash at the line's end. So do flags that are to be added to
/// one. A literal of a condition stays whole where it fits on a line.
struct TextFlow {
    private let width: Int
    /// The columns before all lines but the first.
    private let hang: Int
    private var lines: [String] = []
    private var line: String

    /// The lines of a text without line ends.
    static func lines(_ text: String, in width: Int) -> [String] {
        guard DisplayWidth.of(text) > width else { return [text] }
        let start = text.prefix { $0 == " " }
        var flow = TextFlow(width: width, hang: hang(of: text), line: String(start))
        for part in parts(of: text.dropFirst(start.count)) { flow.add(part) }
        return flow.lines + [flow.line]
    }

    /// The lines of a cell of a table, broken at blanks alone.
    static func cell(_ text: String, in width: Int, hang: Int) -> [String] {
        guard DisplayWidth.of(text) > width else { return [text] }
        let start = text.prefix { $0 == " " }
        var flow = TextFlow(width: width, hang: start.count + hang, line: String(start))
        for word in flow.literals(text[...]) { flow.add(word, after: " ") }
        return flow.lines + [flow.line]
    }

    /// Where further lines begin: below the text that follows a short title, or a little to the
    /// right of the line's own beginning.
    private static func hang(of text: String) -> Int {
        let indent = text.prefix { $0 == " " }.count
        let rest = text.dropFirst(indent)
        let title = rest.prefix { $0 != " " }.count
        let gap = rest.dropFirst(title).prefix { $0 == " " }.count
        let hasTitle = gap >= 2 && indent + title + gap <= longestTitle
        let body = hasTitle ? rest.dropFirst(title + gap) : rest
        let digits = body.prefix(while: \.isNumber).count
        // The steps of a remedy have numbers.
        let number = digits > 0 && body.dropFirst(digits).hasPrefix(". ") ? digits + 2 : 0
        if hasTitle { return indent + title + gap + number }
        return indent + (number > 0 ? number : indent >= widestTitle ? 0 : 4)
    }

    /// The width of the titles of a failure; a line that begins there is text below such a title.
    private static let widestTitle = 8
    /// A longer beginning of a line is text, not a title.
    private static let longestTitle = 14

    /// A part of a line, with what stands between it and the part before.
    private struct Part {
        let gap: String
        let text: Substring
    }

    /// The parts of a line: what ` | `, ` · ` and several blanks separate.
    private static func parts(of text: Substring) -> [Part] {
        var parts: [Part] = []
        var (rest, gap) = (text, "")
        while !rest.isEmpty {
            let (end, next) = separator(in: rest)
            parts.append(Part(gap: gap, text: rest[..<end]))
            gap = String(rest[end..<next])
            rest = rest[next...]
        }
        return parts
    }

    /// The range of the first separator; empty at the end where there is none.
    private static func separator(
        in text: Substring
    ) -> (start: Substring.Index, end: Substring.Index) {
        var index = text.startIndex
        while index < text.endIndex {
            let rest = text[index...]
            if rest.hasPrefix("  ") {
                return (index, rest.firstIndex { $0 != " " } ?? text.endIndex)
            }
            // These stay at the end of the line before.
            if rest.hasPrefix(" | ") || rest.hasPrefix(" · ") {
                let mark = text.index(index, offsetBy: 2)
                return (mark, text.index(after: mark))
            }
            index = text.index(after: index)
        }
        return (text.endIndex, text.endIndex)
    }

    private init(width: Int, hang: Int, line: String) {
        // On a narrow screen the words need the room more than the order of columns does.
        self.hang = hang > width / 2 ? 4 : hang
        (self.width, self.line) = (width, line)
    }

    private var isAtStart: Bool { line.allSatisfy { $0 == " " } }

    private func fits(_ text: some StringProtocol, after gap: String) -> Bool {
        DisplayWidth.of(line) + gap.count + DisplayWidth.of(text) <= width
    }

    private mutating func breakLine() {
        while line.hasSuffix(" ") { line.removeLast() }
        lines.append(line)
        line = String(repeating: " ", count: hang)
    }

    /// Adds a part whole where that is possible, else word by word.
    private mutating func add(_ part: Part) {
        let gap = isAtStart ? "" : part.gap
        if fits(part.text, after: gap) {
            line += gap + part.text
            return
        }
        if !isAtStart, hang + DisplayWidth.of(part.text) <= width {
            breakLine()
            line += part.text
            return
        }
        for (index, word) in words(of: part.text).enumerated() {
            add(word, after: index > 0 ? " " : gap)
        }
    }

    private mutating func add(_ word: String, after gap: String) {
        if !isAtStart, !fits(word, after: gap) { breakLine() }
        line += isAtStart ? word : gap + word
        // A word with blanks is a command.
        if word.contains(" "), DisplayWidth.of(line) > width { breakCommand() }
    }

    /// Breaks a command that is longer than a line at a blank outside quotes.
    private mutating func breakCommand() {
        var words = Self.shellWords(of: line.drop { $0 == " " })
        line = String(line.prefix { $0 == " " })
        while !words.isEmpty {
            let word = words.removeFirst()
            let gap = isAtStart ? "" : " "
            // Two columns are kept for the backslash.
            let isLast = words.isEmpty
            if !isAtStart, !fits(word, after: gap + (isLast ? "" : "  ")) {
                lines.append(line + " \\")
                line = String(repeating: " ", count: hang + 2) + word
            } else {
                line += gap + word
            }
        }
    }

    /// The words of a text; a command, and what stands between backquotes, counts as one.
    private func words(of text: Substring) -> [String] {
        var words: [String] = []
        var (isQuoted, isCommand) = (false, false)
        for word in literals(text) {
            let joins = isQuoted || isCommand && !word.hasPrefix("(")
            if let last = words.last, joins || Self.areFlags(last, word) {
                words[words.count - 1] = last + " " + word
            } else {
                words.append(word)
                isCommand = word == "triptych"
            }
            if word.count(where: { $0 == "`" }) == 1 { isQuoted.toggle() }
            // A sentence goes on after its command.
            if let end = word.last, ".,;".contains(end) { isCommand = false }
        }
        return words
    }

    /// Whether a word belongs to the flags before it: the value of the last, or a further flag.
    private static func areFlags(_ flags: String, _ word: String) -> Bool {
        guard flags.hasPrefix("--"), let last = flags.split(separator: " ").last else {
            return false
        }
        let isFlag = last.hasPrefix("--") && !(last.last.map(",.;:".contains) ?? false)
        return isFlag ? !word.hasPrefix("(") : word.hasPrefix("--") && flags.contains(" ")
    }

    /// The words of a text; a literal such as `'% EMS'` counts as one where it fits on a line.
    private func literals(_ text: Substring) -> [String] {
        let words = text.split(separator: " ")
        var joined: [String] = []
        var next = 0
        while next < words.count {
            var (literal, end) = (String(words[next]), next + 1)
            while Self.isOpen(literal), end < words.count,
                hang + DisplayWidth.of(literal) < width
            {
                literal += " " + words[end]
                end += 1
            }
            let isWhole = !Self.isOpen(literal) && hang + DisplayWidth.of(literal) <= width
            joined.append(isWhole ? literal : String(words[next]))
            next = isWhole ? end : next + 1
        }
        return joined
    }

    /// Whether a literal begins in a text and does not end there; an apostrophe begins none, nor
    /// does a quote that the shell takes as it is.
    private static func isOpen(_ text: String) -> Bool {
        var isOpen = false
        var before: Character = " "
        for character in text {
            if character == "'" {
                let isText = before.isLetter || before.isNumber || before == "\\"
                isOpen = !isOpen && !isText
            }
            before = character
        }
        return isOpen
    }

    /// The words of a command; blanks between quotes belong to their word, and a value to its
    /// option.
    private static func shellWords(of text: Substring) -> [String] {
        var words: [String] = []
        var quotes = 0
        for word in text.split(separator: " ") {
            let isValue =
                !word.hasPrefix("-")
                && words.last.map { $0.hasPrefix("--") && !$0.contains(" ") } ?? false
            if quotes % 2 == 1 || isValue, let last = words.popLast() {
                words.append(last + " " + word)
            } else {
                words.append(String(word))
            }
            quotes += word.count { $0 == "'" }
        }
        return words
    }
}
