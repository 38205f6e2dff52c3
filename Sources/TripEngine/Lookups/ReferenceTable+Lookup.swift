import TripDomain

/// What a lookup needs of its table: key columns of text, and days that can be read.
extension ReferenceTable {
    /// Where a key column is.
    ///
    /// - Parameters:
    ///   - column: Its name.
    ///   - use: The word of the pipeline file that names it, such as `match`.
    /// - Returns: Its place among ``ReferenceTable/columns``.
    /// - Throws: ``EngineError`` with code `badReference` where there is none, or it holds no text.
    func textColumnIndex(_ column: String, for use: String) throws(EngineError) -> Int {
        guard let index = columnNames.firstIndex(of: column), case .text = columns[index] else {
            throw EngineError(
                code: .badReference,
                place: SourcePlace(file: file, lineNumber: 1),
                remedy: "The lookup `\(lookup)` needs the text column '\(column)' for its "
                    + "`\(use)`; the header has \(columnNames.joined(separator: ", "))."
            )
        }
        return index
    }

    /// Refuses a dated lookup whose file has no days: its rows would silently hold for ever.
    ///
    /// - Throws: ``EngineError`` with code `badReference`.
    func checkDays(of definition: LookupDefinition) throws(EngineError) {
        guard let day = definition.validOn else { return }
        let lacking = [definition.fromColumn, definition.toColumn].filter {
            !columnNames.contains($0)
        }
        guard !lacking.isEmpty else { return }
        let words = lacking.map { "'\($0)'" }.joined(separator: " and ")
        throw EngineError(
            code: .badReference,
            place: SourcePlace(file: file, lineNumber: 1),
            remedy: "The lookup `\(lookup)` is valid on `\(day)`, and the file lacks the "
                + "column\(lacking.count > 1 ? "s" : "") \(words) with the days; the header has "
                + "\(columnNames.joined(separator: ", ")). Add the column, blank where a "
                + "row is unbounded, name another with `from` or `to`, or write `valid_on: null`."
        )
    }

    /// The first or the last days on which rows hold, in days since 1970-01-01.
    ///
    /// - Parameters:
    ///   - column: The column's name.
    ///   - definition: The lookup.
    ///   - missing: What stands for a blank, and for all where rows hold for ever.
    /// - Returns: One day per row, row 0 included.
    /// - Throws: ``EngineError`` with code `badReference` where a day cannot be read.
    func days(
        in column: String,
        of definition: LookupDefinition,
        missing: Int32
    ) throws(EngineError) -> [Int32] {
        guard definition.validOn != nil, let index = columnNames.firstIndex(of: column) else {
            return [Int32](repeating: missing, count: rowCount + 1)
        }
        let texts = columns[index].texts
        return try texts.codes.enumerated().map { row, code throws(EngineError) in
            guard let text = texts.pool.string(code) else { return missing }
            guard let date = CivilDate(text: text) else {
                throw fault(inRow: row, "column '\(column)' holds no day written as YYYY-MM-DD")
            }
            return date.dayNumber
        }
    }

    /// What is wrong with a row.
    func fault(inRow row: Int, _ what: String) -> EngineError {
        EngineError(
            code: .badReference,
            place: SourcePlace(file: file, lineNumber: Int(lineNumbers[row])),
            remedy: "Lookup `\(lookup)`: \(what)."
        )
    }
}
