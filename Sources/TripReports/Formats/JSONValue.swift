import TripDomain
import TripText

/// A JSON value with its keys in the order they were given.
enum JSONValue {
    case null
    case integer(Int64)
    /// Hundredths, written as a number with two decimals.
    case hundredths(Int64)
    case truth(Bool)
    case text(String)
    case list([JSONValue])
    case object([(String, JSONValue)])

    /// An integer or null.
    static func integer(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }

    /// A number with two decimals or null.
    static func hundredths(_ value: Int64?) -> JSONValue {
        value.map { .hundredths($0) } ?? .null
    }

    /// A text or null.
    static func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }

    /// The value as JSON; an array of objects has one object on each line.
    var json: String {
        var text = JSONText()
        write(nil, to: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private func write(_ name: JSONName?, to text: inout JSONText) {
        switch self {
        case .null: text.null(name)
        case .integer(let value): text.value(name, Int(value))
        case .hundredths(let value): text.value(name, hundredths: Int(value))
        case .truth(let value): text.value(name, value)
        case .text(let value): text.value(name, value)
        case .list(let values):
            text.array(name) { text in
                for value in values { value.write(nil, to: &text) }
            }
        case .object(let pairs):
            text.object(name, isLine: true) { text in
                for (key, value) in pairs { value.write(.made(key), to: &text) }
            }
        }
    }
}

/// Rows of one shape, written as an aligned table, as JSON, or as CSV.
struct RowSet {
    /// The names of the columns in JSON and CSV.
    let names: [String]
    private(set) var rows: [[JSONValue]] = []

    init(_ names: [String]) {
        self.names = names
    }

    mutating func add(_ values: [JSONValue]) {
        precondition(values.count == names.count, "a row has one value per column")
        rows.append(values)
    }

    /// An array of objects.
    var json: String {
        JSONValue.list(rows.map { .object(Array(zip(names, $0))) }).json
    }

    /// A header and one line per row; texts that a spreadsheet would run are escaped.
    var csv: String {
        let lines = [names.map(Self.cell)] + rows.map { $0.map(Self.cell) }
        return lines.map { $0.joined(separator: ",") }.joined(separator: "\n")
    }

    private static func cell(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .text(let text): cell(text)
        case .list(let values): cell(values.map(text).joined(separator: "; "))
        case .object: cell(value.json)
        default: value.json
        }
    }

    private static func text(_ value: JSONValue) -> String {
        if case .text(let text) = value { text } else { value.json }
    }

    /// A text as a CSV cell.
    static func cell(_ text: String) -> String {
        let cell = SpreadsheetText.defused(text)
        let needsQuotes = cell.unicodeScalars.contains { "\",\n\r".unicodeScalars.contains($0) }
        return needsQuotes ? QuotedText.quoted(cell) : cell
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

/// The format of a command's answer.
public enum OutputFormat: String, Sendable, CaseIterable {
    /// Aligned columns for people.
    case table
    /// An array of objects.
    case json
    /// A header and lines.
    case csv
}
