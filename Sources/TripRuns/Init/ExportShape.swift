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
            let usual = lines.first(where: isHeader)
        else { throw RunError.noTable(sample.name) }
        // Below a header that names too few columns there is data, below a title the header.
        let names = { (line: SampleLine) throws(SourceFault) in
            try SampleTable.names(of: sample, at: line.offset, dialect: plain)
        }
        let isNarrow = Self.isShortHeader(first, best.fieldCount)
        let isShort =
            try isNarrow && Self.isData(names(usual)) && !Self.isData(names(first))
        let start = isShort ? first : usual
        preambleLineCount = start.lineNumber - 1
        offset = start.offset
        let next = lines.first { $0.offset > start.offset }?.offset ?? sample.bytes.count
        let found = try names(start)
        let (usable, objection) = Self.usable(found, count: best.fieldCount)
        // A record of data is looked for first: its cells are no names that may be shown.
        if let evidence = try Self.dataEvidence(found, sample, start.offset, plain) {
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

    /// Whether a record holds a number or a day, which no header does.
    private static func isData(_ cells: [String]) -> Bool {
        let number = CellTrial(FieldDefinition(name: "trial", type: .money, columns: []))
        return cells.contains { cell in
            var column = SampleColumn(name: "")
            var cell = cell
            return cell.withUTF8 { text in
                column.append(text)
                return !text.isEmpty && number.reads(text)
            } || TimeReading.find(in: column) != nil
        }
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
        var table = SampleTable(names: names)
        try table.add(sample, from: offset, dialect: dialect, order: Array(names.indices))
        // Of a header with too few names there is no record.
        guard table.recordCount > 0 else { return nil }
        let number = CellTrial(FieldDefinition(name: "trial", type: .money, columns: []))
        var (days, numbers, repeats) = (0, 0, 0)
        for (name, column) in zip(names, table.columns) where column.filledCount > 0 {
            var first = SampleColumn(name: "")
            var cell = name
            cell.withUTF8 { first.append($0) }
            if first.filledCount == 0 { continue }
            if TimeReading.find(in: first) != nil, TimeReading.find(in: column) != nil {
                days += 1
            } else if cell.withUTF8({ number.reads($0) }) {
                numbers += 1
            } else if cell.withUTF8({ column.texts.find($0) }) != 0 {
                repeats += 1
            }
        }
        guard days > 0 || (numbers + repeats) * 2 > names.count else { return nil }
        return "\(Counted.text(days + numbers + repeats, "cell")) of its first line "
            + "read as those below: days, numbers or the same words"
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
