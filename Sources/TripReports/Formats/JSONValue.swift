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

    /// The value as a CSV cell: a list by its texts, an object as JSON.
    fileprivate var csv: RowValue {
        switch self {
        case .null: .text(nil)
        case .integer(let value): .number(.integer(value))
        case .hundredths(let value): .number(.hundredths(value))
        case .truth(let value): .truth(value)
        case .text(let value): .text(value)
        case .list(let values): .list(values.map(\.text))
        case .object: .text(json)
        }
    }

    private var text: String {
        if case .text(let text) = self { text } else { json }
    }

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
        CSVText.lines(names, rows.map { $0.map(\.csv) }).joined(separator: "\n")
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

    /// An answer whose rows may have a total.
    ///
    /// - Parameters:
    ///   - lines: The answer for people; made where it is asked for.
    ///   - screen: What these are shown on.
    ///   - rows: The answer for programs, with its total or without.
    /// - Returns: The answer in this format.
    func text(
        lines: @autoclosure () -> [String],
        on screen: Screen,
        rows: (_ withTotal: Bool) -> RowSet
    ) -> String {
        switch self {
        case .table: screen.text(lines())
        case .json: rows(true).json
        // A reader who sums a column of a spreadsheet must not count the total as well.
        case .csv: rows(false).csv
        }
    }
}
