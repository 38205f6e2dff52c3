/// Texts that people open in spreadsheets, which run what begins like a formula (ASVS 5.0, 1.2.10).
enum SpreadsheetText {
    /// What formulas begin with, also as it is typed in East Asia.
    private static let beginnings = Set("=+-@＝＋－＠".unicodeScalars)
    /// Where some spreadsheet, by its settings, lets the next cell begin, quoted or not.
    private static let separators = Set("\t\r\n;|".unicodeScalars)

    /// A text with an apostrophe before everything that a spreadsheet would run.
    ///
    /// - Parameter text: The text.
    /// - Returns: The same, but for an apostrophe before a mark that begins a formula, or a control (a tab, a line end, a NUL),
    ///   where it stands first in the text, and before such a mark behind what may end a cell; blanks aside.
    static func defused(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        // Some programs leave out a NUL in front, as others do a tab, and read on.
        if text.unicodeScalars.first?.properties.generalCategory == .control {
            result.append("'")
        }
        var isAtStart = true
        for scalar in text.unicodeScalars {
            if isAtStart, beginnings.contains(scalar) { result.append("'") }
            isAtStart = separators.contains(scalar) || (isAtStart && isBlank(scalar))
            result.append(scalar)
        }
        return String(result)
    }

    /// Whether a character shows nothing: blanks, marks of direction and order, controls.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format: true
        default: false
        }
    }
}
