import TripDomain
public import TripMart
public import TripRuns

/// The rejects, grouped by reason and field.
public struct RejectsScreen {
    private let rejects: PublishedRejects<RejectGroup>

    /// Shows the groups of one generation.
    ///
    /// - Parameter rejects: The groups.
    public init(_ rejects: PublishedRejects<RejectGroup>) {
        self.rejects = rejects
    }

    /// The groups in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        format == .table
            ? screen.text(lines(on: screen)) : table.text(rejects.rows, format, on: screen)
    }

    private var table: ReportTable<RejectGroup> {
        ReportTable([
            TableColumn("reason", "reason", .left) { .text($0.reason.rawValue) },
            TableColumn("field", "field", .left) { .text($0.field) },
            TableColumn("rejects", "rejects") { .count($0.count) },
            TableColumn("items", "items", rank: 2) { .count($0.itemCount) },
            TableColumn("corrections", "corrections", rank: 1) { .count($0.correctionCount) },
            TableColumn("first", "first_number") { .number($0.firstNumber) },
            TableColumn(nil, "generation") { [rejects] _ in .number(rejects.header.number) },
        ])
    }

    private func lines(on screen: Screen) -> [String] {
        guard let first = rejects.rows.first else {
            return [rejects.head + "nothing was rejected"]
        }
        let head = [rejects.head + "rejects by reason", ""]
        return head + table.table(rejects.rows).lines(on: screen)
            + [
                "",
                "Corrections come after all valid records of a known trip, which stays as it was.",
                "One reject: triptych rejects show \(first.firstNumber)\(rejects.martFlags)",
                "Meaning of each reason: docs/REJECTS.md",
            ]
    }
}

extension PublishedRejects {
    /// The beginning of the first line.
    fileprivate var head: String {
        "Generation \(header.number) · " + (header.isSynthetic ? "SYNTHETIC DATA · " : "")
    }
}

/// Rejects one by one.
public struct RejectListScreen {
    private let rejects: PublishedRejects<RejectRow>

    /// Shows some rejects of one generation.
    ///
    /// - Parameter rejects: The rejects.
    public init(_ rejects: PublishedRejects<RejectRow>) {
        self.rejects = rejects
    }

    /// The rejects in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        guard format == .table else { return table.text(rejects.rows, format, on: screen) }
        guard !rejects.rows.isEmpty else {
            return screen.text([
                rejects.head + "no such reject. All, by reason: triptych rejects"
                    + rejects.martFlags
            ])
        }
        return screen.text(
            [rejects.head + Counted.text(total, "reject"), ""]
                + table.table(rejects.rows).lines(on: screen)
                + CutList.hint(shown: rejects.rows.count, of: total, "reject")
        )
    }

    /// What `--limit` left out, as `50 of 75 rejects; all: --limit 75`; nil where nothing.
    public var cut: String? {
        CutList.note(shown: rejects.rows.count, of: total, "reject")
    }

    private var total: Int { rejects.total ?? rejects.rows.count }

    private var table: ReportTable<RejectRow> {
        ReportTable([
            TableColumn("number", "number") { .number($0.number) },
            TableColumn("file", "file", .left) { .text($0.position.file) },
            TableColumn("record", "record_number", rank: 2) { .count($0.position.recordNumber) },
            TableColumn("line", "line_number") { .count($0.position.lineNumber) },
            TableColumn("byte", "byte_offset", rank: 3) { .count($0.position.byteOffset) },
            TableColumn(nil, "byte_size") { .count($0.byteSize) },
            TableColumn(nil, "items") { .count($0.itemCount) },
            TableColumn("field", "field", .left) { .text($0.field) },
            TableColumn("reason", "reason", .left) { .text($0.reason.rawValue) },
            TableColumn("amount", "amount_cents") { row in
                let amount = TableCell.dollars(row.amountCents)
                return row.isUnpriced
                    ? TableCell(shown: "unreadable", value: amount.value) : amount
            },
            TableColumn(nil, "unpriced") { .truth($0.isUnpriced, "yes", "no") },
            TableColumn("correction", "rejected_correction", .left, rank: 1) {
                .truth($0.isCorrection, "of a known trip", "–")
            },
            TableColumn(nil, "generation") { [rejects] _ in .number(rejects.header.number) },
        ])
    }
}

/// One reject, with its raw record where that was asked for.
public struct RejectScreen {
    private let reject: PublishedReject

    /// Shows one reject.
    ///
    /// - Parameter reject: The reject.
    public init(_ reject: PublishedReject) {
        self.reject = reject
    }

    /// The reject for people.
    ///
    /// - Parameter screen: What it is shown on.
    /// - Returns: The answer; the lines of a record that was asked for are not broken.
    public func text(on screen: Screen) -> String {
        ([screen.text(lines)] + record(on: screen)).joined(separator: "\n")
    }

    private var lines: [String] {
        let row = reject.row
        return [
            "Reject \(row.number) · generation \(reject.header.number)"
                + (reject.header.isSynthetic ? " · SYNTHETIC DATA" : ""),
            "Where   \(row.position.text), byte \(row.position.byteOffset), "
                + Counted.text(row.byteSize, "byte"),
            "Why     \(row.reason.rawValue)" + (row.field.map { " in `\($0)`" } ?? "")
                + ": " + RejectExplanation.text(row.reason, field: row.field),
        ] + trip + ["Counts  \(Counted.text(row.itemCount, "item")) of the ledger"]
    }

    private var trip: [String] {
        guard reject.row.tripID != nil else { return [] }
        guard reject.row.reason != .orphanLine else {
            return ["Trip    a line of the claim of a known trip, which stays without it"]
        }
        return reject.row.isCorrection
            ? ["Trip    a correction of a known trip, which stays as it was"]
            : ["Trip    an earlier version of a known trip, whose later version is accepted"]
    }

    private func record(on screen: Screen) -> [String] {
        guard let record = reject.record else {
            return screen.fitted("Text    ••••••••   it may name a patient; --reveal opens it")
        }
        let shown = "Text    " + record.text
        let byteSize = reject.row.byteSize
        guard record.byteCount < byteSize else { return [shown] }
        return [shown]
            + screen.fitted(
                "Cut     the first \(NumberFormat.count(record.byteCount)) of "
                    + "\(NumberFormat.count(byteSize)) bytes; "
                    + "the mart keeps no more of a longer record, the export has the rest"
            )
    }
}

/// The meaning of a reject reason, in one sentence; `docs/REJECTS.md` has the paragraphs.
enum RejectExplanation {
    static func text(_ reason: RejectReason, field: String?) -> String {
        switch reason {
        case .tooManyFields: "the record has more fields than the header"
        case .tooFewFields: "the record has fewer fields than the header"
        case .strayQuote: "a quote is in a position where none is allowed"
        case .unclosedQuote: "a quote is never closed within the limits"
        case .recordTooLong: "the record is longer than the limit"
        case .invalidEncoding: "bytes are not text in the declared encoding"
        case .nulByte: "the line has a NUL byte"
        case .repeatedHeader: "the line repeats the header"
        case .missingValue: "a required field is blank"
        case .wrongType: "the text is not a value of the declared type"
        case .wrongPattern:
            "the text does not have the declared pattern, or the trip id is a shortened number"
        case .outOfRange:
            "the value lies outside its range, or the time outside the years 1900 to 2199, or the "
                + "pick-up after the day its file was taken in"
        case .unknownValue: "the declared values do not list the text"
        case .noUnit: "the record lists no unit, and is skipped as declared"
        case .orphanLine:
            field == nil
                ? "the claim has no base line for this line: it never had one, or it was taken "
                    + "back, or a new version of the claim came without one"
                : "no base line of the claim that is in force has the value of this field"
        case .reservedWord: "the word `all` is reserved in every dimension"
        }
    }
}
