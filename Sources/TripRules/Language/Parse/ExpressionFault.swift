/// Why the text of an expression cannot be used, and where in it.
public struct ExpressionFault: Error, Sendable, Hashable {
    /// What is wrong, in a form callers and tests can switch on.
    public enum Code: String, Sendable, CaseIterable {
        /// The text is longer, or nested deeper, than is read.
        case tooLarge = "too_large"
        /// A character or word that is not part of the language.
        case unexpectedText = "unexpected_text"
        /// The text ends, or goes on, where it must not.
        case syntax
        /// A part of SQL that is deliberately left out.
        case notSupported = "not_supported"
        /// No column, lookup or function of that name.
        case unknownName = "unknown_name"
        /// A name that exists and may not be read by rules.
        case unreadable
        /// An operator or function does not take a value of that type.
        case typeMismatch = "type_mismatch"
        /// A function is given too few or too many values, or a value where a literal is required.
        case wrongArguments = "wrong_arguments"
        /// A computation that leaves 64 bits for every trip.
        case overflow
    }

    /// What is wrong.
    public let code: Code
    /// The offset of the first byte that is wrong.
    public let offset: Int
    /// How many bytes are wrong; 0 at the text's end.
    public let length: Int
    /// What was found and what was expected; one sentence.
    public let message: String
    /// What the author probably meant.
    public let suggestion: String?

    /// Describes a fault.
    ///
    /// - Parameters:
    ///   - code: What is wrong.
    ///   - range: The bytes that are wrong.
    ///   - message: One sentence.
    ///   - suggestion: What the author probably meant.
    public init(
        _ code: Code,
        at range: Range<Int>,
        _ message: String,
        suggestion: String? = nil
    ) {
        self.code = code
        offset = range.lowerBound
        length = range.count
        self.message = message
        self.suggestion = suggestion
    }

    /// The line and column, both from 1, at which the fault begins.
    ///
    /// - Parameter text: The text that was parsed.
    /// - Returns: The line, and the column counted in characters.
    public func position(in text: String) -> (line: Int, column: Int) {
        let before = Array(text.utf8.prefix(offset))
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
        return (before.count { $0 == 0x0A } + 1, column)
    }

    /// The most characters that are shown: of a source line those around the fault, of a message
    /// the first ones.
    private static let shownCount = 160

    /// The fault as text: position, message, the line with a mark under it, and the suggestion.
    ///
    ///     line 1, column 9: 'owner' is not known here
    ///       status = owner
    ///                ^^^^^
    ///       did you mean 'owners'?
    ///
    /// - Parameter text: The text that was parsed.
    /// - Returns: Several lines without a final line end; of a long line only the part near the
    ///   fault.
    public func rendered(in text: String) -> String {
        let (line, column) = position(in: text)
        // The text is split by bytes, as lines are counted: to Swift a carriage return and a line
        // feed are one character.
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let whole = line <= lines.count ? Substring(lines[line - 1]) : ""
        let source = whole.last == "\r" ? whole.dropLast() : whole
        let isLong = source.count > Self.shownCount
        let skippedCount = isLong ? max(0, column - 1 - Self.shownCount / 2) : 0
        let rest = source.dropFirst(skippedCount)
        let shown = rest.prefix(Self.shownCount)
        let (before, after) = (skippedCount > 0 ? "…" : "", shown.count < rest.count ? "…" : "")
        let marked = String(decoding: text.utf8.dropFirst(offset).prefix(length), as: UTF8.self)
        let firstLine = marked.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
        // Tabs are kept, so that the mark is under its word whatever the width of a tab.
        let indented = shown.prefix(column - 1 - skippedCount)
        let indent = (before + indented).map { $0 == "\t" ? "\t" : " " }.joined()
        // The message may quote a name of any length.
        let clipped =
            message.count > Self.shownCount ? message.prefix(Self.shownCount) + "…" : message[...]
        var result =
            "line \(line), column \(column): \(clipped)\n  \(before)\(shown)\(after)\n  \(indent)"
        let shownAfter = shown.count - indented.count
        result += String(repeating: "^", count: max(1, min(firstLine.count, shownAfter)))
        if let suggestion {
            result += "\n  \(suggestion)"
        }
        return result
    }
}
