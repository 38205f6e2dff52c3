import TripDomain

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
                place: SourcePosition(file: file, lineNumber: 1),
                remedy: "The lookup `\(lookup)` needs the text column '\(column)' for its "
                    + "`\(use)`; the header has \(columnNames.joined(separator: ", "))."
            )
        }
        return index
    }

    /// Refuses a dated lookup whose file has no days: its rows would silently be valid for ever.
    ///
    /// - Throws: ``ReferenceFault``.
    func checkDays(of definition: LookupDefinition) throws(ReferenceFault) {
        guard let day = definition.validOn else { return }
        let lacking = [definition.fromColumn, definition.toColumn].filter {
            !columnNames.contains($0)
        }
        guard !lacking.isEmpty else { return }
        let words = lacking.map { "'\($0)'" }.joined(separator: " and ")
        throw ReferenceFault(
            place: SourcePosition(file: file, lineNumber: 1),
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
    /// - Returns: One day per row, row 0 included.
    /// - Throws: ``ReferenceFault`` where a day cannot be read.
    func days(
        in column: String,
        of definition: LookupDefinition,
        missing: Int32
    ) throws(ReferenceFault) -> [Int32] {
        guard definition.validOn != nil, let index = columnNames.firstIndex(of: column) else {
            return [Int32](repeating: missing, count: rowCount + 1)
        }
        let texts = columns[index].texts
        return try texts.codes.enumerated().map { row, code throws(ReferenceFault) in
            guard let text = texts.pool.string(code) else { return missing }
            guard let date = CivilDate(text: text) else {
                throw fault(inRow: row, "column '\(column)' has no day written as YYYY-MM-DD")
            }
            return date.dayNumber
        }
    }

    /// The error of a row.
    func fault(inRow row: Int, _ problem: String) -> ReferenceFault {
        ReferenceFault(
            place: SourcePosition(file: file, lineNumber: Int(lineNumbers[row])),
            remedy: "Lookup `\(lookup)`: \(problem)."
        )
    }
}
