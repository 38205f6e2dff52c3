import TripEngine

/// The lines at the beginning of an export that look like titles, and those that are no titles
/// for sure: a line that has all the delimiters of a record may be a trip.
struct TitleLines: Sendable, Hashable {
    /// The lines before the header or the first record, which are not read.
    let unread: Int
    /// The last physical line that looks like a title, from 1; 0 where none does.
    let last: Int
    /// The lines up to it that have the form of a record.
    let recordLines: [Int]

    /// Finds the titles of an export.
    ///
    /// - Parameters:
    ///   - lines: Its first lines.
    ///   - unread: The lines that are not read.
    ///   - fieldCount: The fields of a record.
    ///   - hasHeader: Whether a header follows them; then all of them stand before it.
    init(_ lines: [SampleLine], unread: Int, fieldCount: Int, hasHeader: Bool) {
        var last = unread
        // Below the first record a title has no delimiter, and stands a line below another.
        for line in lines where !hasHeader && fieldCount > 2 && line.lineNumber > unread {
            guard line.lineNumber <= last + 2 else { break }
            if line.fieldCount == 1, line.filledCount == 1 { last = line.lineNumber }
        }
        self.unread = unread
        self.last = last
        recordLines = lines.filter { $0.lineNumber <= last && $0.fieldCount == fieldCount }
            .map(\.lineNumber)
    }

    /// What is to be answered; nil where no line looks like a title.
    var question: String? {
        guard last > 0 else { return nil }
        let these =
            last == 1 ? "line 1 looks like a title" : "lines 1-\(last) look like titles"
        let records =
            recordLines.isEmpty
            ? ""
            : " (\(recordLines.count == 1 ? "line" : "lines") "
                + recordLines.map(String.init).joined(separator: ", ")
                + " \(recordLines.count == 1 ? "has" : "have") the form of a record)"
        let answer =
            last == unread
            ? "\(unread == 1 ? "it is" : "they are") not read; is one of them a trip, name the "
                + "lines before it"
            : "\(unread == 0 ? "all" : "those after line \(unread)") are read; are they no trips, "
                + "write {preamble_lines: \(last)}"
        return "\(these)\(records): \(answer)"
    }
}
