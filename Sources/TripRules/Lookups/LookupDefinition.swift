public import TripDomain

/// How a pipeline joins a reference file to its trips.
public struct LookupDefinition: Sendable, Hashable {
    /// Whether one key may have several valid rows on one day.
    public enum Cardinality: String, Sendable {
        /// At most one row is valid; an overlap is refused when the file is loaded.
        case one
        /// Several rows may be valid; only `matched` and `match_count` can be read.
        case any
    }

    /// Its name in rules, such as `site`.
    public var name: String
    /// The file's path below the reference folder.
    public var file: String
    /// The fields of the trip and the columns of the file that they must equal.
    public var keys: [(field: String, column: String)]
    /// The date field that rows must be valid on; nil where rows are valid for ever.
    public var validOn: String?
    /// The column with a row's first day.
    public var fromColumn: String
    /// The column with a row's last day.
    public var toColumn: String
    /// Whether one key may have several valid rows on one day.
    public var cardinality: Cardinality
    /// Columns that are not text.
    public var types: [String: ColumnKind]

    /// Describes a lookup by its name, file and keys, valid for ever.
    public init(name: String, file: String, keys: [(field: String, column: String)]) {
        self.name = name
        self.file = file
        self.keys = keys
        validOn = nil
        fromColumn = "from"
        toColumn = "to"
        cardinality = .one
        types = [:]
    }

    /// Lookups are equal when all their parts are.
    public static func == (left: LookupDefinition, right: LookupDefinition) -> Bool {
        left.name == right.name && left.file == right.file
            && left.keys.elementsEqual(right.keys, by: ==) && left.validOn == right.validOn
            && left.fromColumn == right.fromColumn && left.toColumn == right.toColumn
            && left.cardinality == right.cardinality && left.types == right.types
    }

    /// Hashes the name and the file.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(file)
    }
}

/// Access to the key columns and the days of a reference table.
extension ReferenceTable {
    /// The index of a key column.
    ///
    /// - Parameters:
    ///   - column: Its name.
    ///   - use: The word of the pipeline file that names it, such as `match`.
    /// - Returns: Its index in ``ReferenceTable/columns``.
    /// - Throws: ``ReferenceFault`` where there is none, or it is not text.
    func textColumnIndex(_ column: String, for use: String) throws(ReferenceFault) -> Int {
        guard let index = columnNames.firstIndex(of: column), case .text = columns[index] else {
            throw ReferenceFault(
                position: SourcePosition(file: file, lineNumber: 1),
                remedy: "The lookup `\(lookup)` needs the text column '\(column)' for its "
                    + "`\(use)`; the header has \(columnNames.joined(separator: ", "))."
            )
        }
        return index
    }

    /// The fault of a dated lookup whose file has no days: its rows would silently be valid for
    /// ever; nil where it has them.
    func faultOfDays(of definition: LookupDefinition) -> ReferenceFault? {
        guard let day = definition.validOn else { return nil }
        let lacking = [definition.fromColumn, definition.toColumn].filter {
            !columnNames.contains($0)
        }
        guard !lacking.isEmpty else { return nil }
        let words = lacking.map { "'\($0)'" }.joined(separator: " and ")
        return ReferenceFault(
            position: SourcePosition(file: file, lineNumber: 1),
            remedy: "The lookup `\(lookup)` is valid on `\(day)`, and the file lacks the "
                + "column\(lacking.count > 1 ? "s" : "") \(words) with the days; the header has "
                + "\(columnNames.joined(separator: ", ")). Add the column, blank where a "
                + "row is unbounded, name another with `from` or `to`, or write `valid_on: null`."
        )
    }

    /// The first or the last days on which rows are valid, in days since 1970-01-01.
    ///
    /// - Parameters:
    ///   - column: The column's name.
    ///   - definition: The lookup.
    ///   - missing: The day of a blank cell, and of all rows where rows are valid for ever.
    ///   - faults: Receives the rows whose day cannot be read.
    /// - Returns: One day per row, row 0 included.
    func days(
        in column: String,
        of definition: LookupDefinition,
        missing: Int32,
        _ faults: inout [ReferenceFault]
    ) -> [Int32] {
        guard definition.validOn != nil, let index = columnNames.firstIndex(of: column) else {
            return [Int32](repeating: missing, count: rowCount + 1)
        }
        let texts = columns[index].texts
        return texts.codes.enumerated().map { row, code in
            guard let text = texts.pool.string(code) else { return missing }
            guard let date = CivilDate(text: text) else {
                faults.append(
                    fault(inRow: row, "column '\(column)' has no day written as YYYY-MM-DD")
                )
                return missing
            }
            return date.dayNumber
        }
    }

    /// The error of a row.
    func fault(inRow row: Int, _ problem: String) -> ReferenceFault {
        ReferenceFault(
            position: SourcePosition(file: file, lineNumber: Int(lineNumbers[row])),
            remedy: "Lookup `\(lookup)`: \(problem)."
        )
    }
}
