import TripDomain

/// Writes rows of one shape as CSV (RFC 4180).
public enum CSVText {
    /// The lines, without their ends: the names of the columns, then the rows.
    ///
    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - rows: The rows, with one value per column.
    /// - Returns: The lines; texts that a spreadsheet would run are escaped.
    /// - Complexity: O(*n*) in the bytes.
    public static func lines(_ names: [String], _ rows: [[RowValue]]) -> [String] {
        ([names.map(RowValue.text)] + rows).map { row in
            precondition(row.count == names.count, "a row has one value per column")
            return row.map(\.cell).joined(separator: ",")
        }
    }

    /// The same as one text, each line with its end.
    ///
    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - rows: The rows, with one value per column.
    /// - Returns: The text.
    /// - Complexity: O(*n*) in the bytes.
    public static func text(_ names: [String], _ rows: [[RowValue]]) -> [UInt8] {
        lines(names, rows).flatMap { Array($0.utf8) + [0x0D, 0x0A] }
    }
}

/// One value of a row, written in either format.
public enum RowValue: Sendable {
    /// A text; empty where there is none.
    case text(String?)
    /// A number; empty where it is not known or hidden.
    case number(JSONNumber)
    /// `true` or `false`.
    case truth(Bool)
    /// Texts: an array in JSON, and one cell in CSV.
    case list([String])

    /// The value as it stands between two commas.
    var cell: String {
        switch self {
        case .text(let text): text.map(Self.cell) ?? ""
        case .number(.integer(nil)), .number(.hundredths(nil)): ""
        case .number(.integer(let value?)): String(value)
        case .number(.hundredths(let value?)): Self.decimal(value)
        case .truth(let value): value ? "true" : "false"
        case .list(let texts): Self.cell(texts.joined(separator: "; "))
        }
    }

    private static func cell(_ text: String) -> String {
        let cell = SpreadsheetText.defused(text)
        let needsQuotes = cell.unicodeScalars.contains { "\",\n\r".unicodeScalars.contains($0) }
        return needsQuotes ? QuotedText.quoted(cell) : cell
    }

    private static func decimal(_ hundredths: Int64) -> String {
        var json = JSONText()
        json.value(hundredths: Int(hundredths))
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

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
