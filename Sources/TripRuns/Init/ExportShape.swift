import TripDomain
import TripEngine

/// How an export divides its text: dialect, lines before the header, and the columns' names.
struct ExportShape: Sendable {
    /// Where the names of the columns come from.
    enum Header: Sendable, Hashable {
        /// From the first record.
        case named
        /// From nowhere: the first record is data; the reason as a clause.
        case missing(because: String)
        /// From the first record, whose names cannot be used as they are; the reason as a clause.
        case replaced(because: String)
    }

    /// The dialect; it lists the columns where the header does not name them.
    let dialect: CSVDialect
    /// The physical lines before the header.
    let preambleLineCount: Int
    /// The offset of the header, or of the first record.
    let offset: Int
    /// The offset of the first record, or of the header that names the columns.
    let dataOffset: Int
    /// The columns' names, each once.
    let names: [String]
    /// Where they come from.
    let header: Header
    /// The lines that look like titles.
    let titles: TitleLines

    /// The dialects that are tried, the usual one first.
    private static let trials: [CSVDialect] = [0x2C, 0x09, 0x3B, 0x7C].flatMap { delimiter in
        [
            CSVDialect(delimiter: delimiter),
            CSVDialect(delimiter: delimiter, escape: 0x5C),
            CSVDialect(delimiter: delimiter, quote: nil),
        ]
    }
    /// The records a dialect is judged by.
    private static let trialCount = 500
    /// More lines before the header would be another table.
    private static let preambleMax = 30

    /// Finds the shape of an export.
    ///
    /// - Parameter sample: Its beginning.
    /// - Throws: ``RunError`` where its lines are no table, `SourceFault` where its header cannot
    ///   be read.
    init(_ sample: SampleText) throws {
        guard let best = Self.best(sample) else { throw RunError.noTable(sample.name) }
        var dialect = best.dialect
        let plain = dialect
        let lines = sample.lines(plain, limit: Self.trialCount).prefix(Self.preambleMax + 1)
        let isHeader = { (line: SampleLine) in
            line.fieldCount == best.fieldCount && line.filledCount * 2 >= best.fieldCount
        }
        guard let first = lines.first(where: { $0.fieldCount != 0 }),
            let complete = lines.first(where: { $0.fieldCount == best.fieldCount })
        else { throw RunError.noTable(sample.name) }
        let usual = lines.first(where: isHeader) ?? complete
        // Below a header that names too few columns there is data, below a title the header.
        let names = { (line: SampleLine) throws(SourceFault) in
            try SampleTable.names(of: sample, at: line.offset, dialect: plain)
        }
        let isNarrow = Self.isShortHeader(first, best.fieldCount)
        let isShort =
            try isNarrow && Self.isData(names(usual)) && !Self.isData(names(first))
        // Without a header every line that has all the delimiters may be a trip, also one of
        // few cells.
        let hasHeader = try isShort || Self.evidence(usual, sample, plain) == nil
        let start = isShort ? first : hasHeader ? usual : complete
        preambleLineCount = start.lineNumber - 1
        offset = start.offset
        let next = lines.first { $0.offset > start.offset }?.offset ?? sample.bytes.count
        let found = try names(start)
        let (usable, objection) = Self.usable(found, count: best.fieldCount)
        // A record of data is looked for first: its cells are no names that may be shown.
        if !hasHeader, let evidence = try Self.evidence(usual, sample, plain) {
            header = .missing(because: evidence)
            dialect.columns = found.indices.map { "Column \($0 + 1)" }
            dataOffset = start.offset
        } else if let objection {
            header = .replaced(because: objection)
            dialect.columns = usable
            dataOffset = next
        } else {
            header = .named
            dataOffset = start.offset
        }
        titles = TitleLines(
            Array(lines),
            unread: preambleLineCount,
            fieldCount: best.fieldCount,
            hasHeader: hasHeader
        )
        self.names = dialect.columns ?? usable
        self.dialect = dialect
    }

    // MARK: - The dialect

    private struct Candidate {
        let dialect: CSVDialect
        let fieldCount: Int
        /// The share of the records that have this number of fields, in thousandths.
        let share: Int

        /// Whether it divides the text better: nearly all records alike, then more fields.
        func isBetter(than other: Candidate) -> Bool {
            if dialect.delimiter == other.dialect.delimiter { return share > other.share }
            let both = [self, other].map { $0.share >= 900 ? $0.fieldCount : 0 }
            return both[0] != both[1] ? both[0] > both[1] : share > other.share
        }
    }

    /// The dialect that divides the records into equal numbers of fields; nil where none does.
    private static func best(_ sample: SampleText) -> Candidate? {
        var best: Candidate?
        for trial in trials {
            var dialect = trial
            dialect.encoding = sample.encoding
            dialect.lineEnd = sample.lineEnd
            let lines = sample.lines(dialect, limit: trialCount).filter { $0.fieldCount != 0 }
            var counts: [Int: Int] = [:]
            for line in lines { counts[line.fieldCount ?? 0, default: 0] += 1 }
            let usual = counts.filter { $0.key >= 2 }
                .max { ($0.value, $0.key) < ($1.value, $1.key) }
            guard let usual, usual.value * 10 >= lines.count * 7 else { continue }
            let candidate = Candidate(
                dialect: dialect,
                fieldCount: usual.key,
                share: usual.value * 1000 / lines.count
            )
            if best.map({ candidate.isBetter(than: $0) }) ?? true { best = candidate }
        }
        return best
    }

    // MARK: - The header

    /// Whether the first line names nearly as many columns as the records have.
    private static func isShortHeader(_ line: SampleLine, _ fieldCount: Int) -> Bool {
        guard let count = line.fieldCount, count != fieldCount, count >= 3 else { return false }
        return abs(count - fieldCount) <= 1 + fieldCount / 10 && line.filledCount * 2 >= fieldCount
    }

    /// Whether a record holds a number, a day or a time, which no header does.
    private static func isData(_ cells: [String]) -> Bool { cells.contains(where: isValue) }

    /// Whether a cell is a number, a day or a time: names have letters, and are no day.
    private static func isValue(_ cell: String) -> Bool {
        let digits = cell.unicodeScalars.count { $0.properties.numericType == .decimal }
        guard digits > 0 else { return false }
        let hasLetter = cell.unicodeScalars.contains { $0.properties.isAlphabetic }
        if !hasLetter { return true }
        // `6:51 PM`, `$12.50 USD` and `1/2/2026 late` begin with a value, `1. Trip` does not.
        let start = cell.drop { "$+-(".contains($0) }.prefix { $0.isNumber || ":.,/-".contains($0) }
        let startDigits = start.count(where: \.isNumber)
        if startDigits >= 3, startDigits < start.count, start.last?.isNumber == true { return true }
        var column = SampleColumn(name: "")
        var text = cell
        let reads = text.withUTF8 { text in
            column.append(text)
            return CellTrial(FieldDefinition(name: "trial", type: .money, columns: [])).reads(text)
        }
        return reads || TimeReading.find(in: column) != nil
    }

    private static func evidence(
        _ line: SampleLine,
        _ sample: SampleText,
        _ dialect: CSVDialect
    ) throws -> String? {
        let names = try SampleTable.names(of: sample, at: line.offset, dialect: dialect)
        return try dataEvidence(names, sample, line.offset, dialect)
    }

    /// The names of a header, made usable where they are not, with the reason.
    private static func usable(
        _ names: [String],
        count: Int
    ) -> (names: [String], objection: String?) {
        var seen: Set<String> = []
        var usable: [String] = []
        for index in 0..<count {
            let name = index < names.count ? names[index] : ""
            let isBlank = ColumnWords(name).text.allSatisfy { $0 == " " }
            var unique = isBlank ? "Column \(index + 1)" : name
            var number = 2
            while !seen.insert(unique).inserted {
                unique = "\(name) \(number)"
                number += 1
            }
            usable.append(unique)
        }
        guard names.count == count else {
            return (usable, "it names \(names.count) columns and the records have \(count)")
        }
        let twice = names.firstIndex { name in names.count { $0 == name } > 1 }
        guard let twice else { return (names, nil) }
        let shown = UnseenCharacters.named(in: names[twice])
        return (
            usable,
            shown.isEmpty ? "several columns have no name" : "several columns are named `\(shown)`"
        )
    }

    /// Why the first record is data and no header; nil where it is a header.
    private static func dataEvidence(
        _ names: [String],
        _ sample: SampleText,
        _ offset: Int,
        _ dialect: CSVDialect
    ) throws -> String? {
        let values = names.count(where: isValue)
        guard values == 0 else {
            return "\(Counted.text(values, "cell")) of its first line "
                + "\(values == 1 ? "is" : "are") no name: days, times or numbers"
        }
        var table = SampleTable(names: names)
        try table.add(sample, from: offset, dialect: dialect, order: Array(names.indices))
        // Of a header with too few names there is no record.
        guard table.recordCount > 0 else { return nil }
        let repeats = zip(names, table.columns).count { name, column in
            var cell = name
            return !name.isEmpty && cell.withUTF8 { column.texts.find($0) } != 0
        }
        guard repeats * 2 > names.count else { return nil }
        return "\(Counted.text(repeats, "cell")) of its first line stand below as well"
    }
}

extension RunError {
    /// A file whose lines no delimiter divides into equal numbers of fields.
    static func noTable(_ name: String) -> RunError {
        RunError(
            .noUsableInput,
            summary: "a file is no table",
            what: "\(name): no delimiter (comma, tab, semicolon, vertical bar) divides its lines "
                + "into two fields or more, the same number in each.",
            remedies: [
                "Get the export as delimited text (CSV), one trip to a line, with a header."
            ]
        )
    }
}
