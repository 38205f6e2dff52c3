extension Unicode.Scalar {
    /// Whether a terminal shows nothing for the character, or obeys it: a control character, a mark
    /// of direction, a character of no width, a line or paragraph separator.
    public var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether the character is a blank of another kind than the space, which looks like one.
    var isOtherBlank: Bool { properties.generalCategory == .spaceSeparator && self != " " }
}

/// Shows texts so that two that differ never look alike for a character that is not seen.
public enum UnseenCharacters {
    /// A text with its unseen characters as code points, such as `\u{92}`, `\t` or `\n`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - kept: Characters that stay as they are.
    /// - Returns: The text; where it has none, the same.
    /// - Complexity: O(*n*) in the bytes; only characters beyond printable ASCII are looked up.
    public static func named(in text: String, keeping kept: String = "") -> String {
        let kept = kept.unicodeScalars
        return named(in: text) { $0.isUnseen && !kept.contains($0) }
    }

    /// A text with its control characters as code points, but for tabs and line ends.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text; where it has none, the same.
    public static func controlsNamed(in text: String) -> String {
        named(in: text) { scalar in
            scalar.properties.generalCategory == .control
                && !"\t\n\r".unicodeScalars.contains(scalar)
        }
    }

    private static func named(
        in text: String,
        where isNamed: (Unicode.Scalar) -> Bool
    ) -> String {
        guard needsLookUp(text) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isNamed(scalar) {
                shown += scalar.escaped(asASCII: true).unicodeScalars
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    /// Whether a text has a byte that is no printable ASCII.
    private static func needsLookUp(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 >= 0x7F }
    }

    /// The text of one cell with its unseen characters as code points, and with blanks that look
    /// like a space and are none; the wide blank of Chinese and Japanese stays within a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text as a table shows it.
    public static func namedInCell(_ text: String) -> String {
        guard needsLookUp(text) else { return text }
        let scalars = Array(text.unicodeScalars)
        func isEdge(_ scalar: Unicode.Scalar) -> Bool { scalar.isUnseen || scalar.isOtherBlank }
        let first = scalars.firstIndex { !isEdge($0) } ?? scalars.count
        let last = scalars.lastIndex { !isEdge($0) } ?? -1
        var shown = ""
        for (index, scalar) in scalars.enumerated() {
            let isAtEnd = index < first || index > last
            let isNamed =
                scalar.isUnseen || isAtEnd || scalar.isOtherBlank && scalar != "\u{3000}"
            shown += isNamed ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return shown
    }
}
