/// Makes texts safe for spreadsheets, which run a text that begins like a formula (ASVS 5.0,
/// 1.2.10).
enum SpreadsheetText {
    /// The characters that formulas begin with, with their full-width forms, as typed in East Asia.
    private static let beginnings = Set("=+-@＝＋－＠".unicodeScalars)
    /// Characters after which a spreadsheet, by its settings, begins the next cell, quoted or not.
    private static let separators = Set("\t\r\n;|".unicodeScalars)

    /// Puts an apostrophe before everything that a spreadsheet would run.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text with an apostrophe before a character that begins a formula, or a
    ///   control (a tab, a line end, a NUL), where it is the first of the text, and before such a
    ///   formula character after a cell separator; blanks in between are ignored.
    static func defused(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        // Some programs drop a leading NUL, and others a leading tab, and read on.
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

    /// Whether a character is invisible: blanks, marks of direction and order, controls.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format: true
        default: false
        }
    }
}
