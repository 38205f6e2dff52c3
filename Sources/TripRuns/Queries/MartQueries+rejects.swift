import TripDomain
import TripEngine
public import TripMart
import TripPipeline

extension MartQueries {
    /// `rejects list`: rejects by reason; with a filter, one by one.
    ///
    /// - Parameters:
    ///   - filter: Which rejects; nil groups all of them.
    ///   - limit: The maximum number of rejects.
    ///   - format: The format of the answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where the filter names a
    ///   field or a file that the generation does not have.
    public func rejects(
        _ filter: RejectFilter?,
        limit: Int,
        format: OutputFormat
    ) throws -> String {
        let served = try ServedMart.open(folder)
        let groups = try served.rejectGroups()
        guard let filter else {
            return RejectsScreen(header: served.header, groups: groups).text(format)
        }
        if let field = filter.field {
            let declared = try pipeline(of: served).fieldNames
            let known = declared.union(groups.compactMap(\.field)).sorted()
            try checkWords([field], "field", known)
        }
        if let path = filter.path {
            try checkWords([path], "file", try served.files().map(\.path))
        }
        let rows = try served.rejects(filter, limit: limit)
        return RejectListScreen(header: served.header, rows: rows).text(format)
    }

    /// `rejects show`: one reject; its raw record only on request.
    ///
    /// - Parameters:
    ///   - number: The reject's number in the served generation.
    ///   - reveals: Whether to open the sealed record.
    /// - Returns: The answer.
    /// - Throws: `MartError` where there is no such reject or the key does not open it.
    public func reject(_ number: Int, reveals: Bool) throws -> String {
        let served = try ServedMart.open(folder)
        guard let row = try served.reject(number: number) else {
            throw RunError(
                .notFound,
                summary: "no such reject",
                what: "Generation \(served.header.number) has no reject \(number).",
                remedies: ["See the numbers: triptych rejects list"]
            )
        }
        var lines = [
            "Reject \(row.number) · generation \(served.header.number)",
            "Where   \(row.place.text), byte \(row.place.byteOffset), "
                + Counted.text(row.byteSize, "byte"),
            "Why     \(row.reason.rawValue)" + (row.field.map { " in `\($0)`" } ?? "")
                + ": " + RejectExplanation.text(row.reason),
            Self.trip(of: row),
            "Counts  \(Counted.text(row.itemCount, "item")) of the ledger",
        ].filter { !$0.isEmpty }
        guard reveals else {
            lines.append("Text    ••••••••   it may name a patient; --reveal opens it")
            return lines.joined(separator: "\n")
        }
        let encoding = try encoding(ofFile: row.place.file, in: served)
        lines += Self.revealed(
            try served.openRejectText(number: number, keys: try keys()),
            byteSize: row.byteSize,
            encoding: encoding
        )
        return lines.joined(separator: "\n")
    }

    private static func trip(of row: RejectRow) -> String {
        guard row.tripID != nil else { return "" }
        return row.isCorrection
            ? "Trip    a correction of a known trip, which stays as it was"
            : "Trip    an earlier version of a known trip, whose later version is accepted"
    }

    /// The encoding of the source of a file.
    private func encoding(
        ofFile path: String,
        in served: ServedMart
    ) throws -> CSVDialect.Encoding {
        let source = try served.files().first { $0.path == path }?.source
        let sources = try pipeline(of: served).sources
        return sources.first { $0.name == source }?.dialect.encoding ?? .utf8
    }

    /// The raw record as text, with control characters escaped.
    ///
    /// No other code reveals a record.
    private static func revealed(
        _ text: Masked<[UInt8]>,
        byteSize: Int,
        encoding: CSVDialect.Encoding
    ) -> [String] {
        let bytes = text.revealed()
        let shown = "Text    " + VisibleText.of(bytes, encoding: encoding)
        guard bytes.count < byteSize else { return [shown] }
        return [
            shown,
            "Cut     the first \(NumberFormat.count(bytes.count)) of \(NumberFormat.count(byteSize)) bytes; "
                + "the mart keeps no more of a longer record, the export has the rest",
        ]
    }
}

/// The meaning of a reject reason, in one sentence; `docs/REJECTS.md` has the paragraphs.
enum RejectExplanation {
    static func text(_ reason: RejectReason) -> String {
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
        case .wrongPattern: "the text does not have the declared pattern"
        case .outOfRange:
            "the value lies outside its range, or the time outside the years 1900 to 2199"
        case .unknownValue: "the declared values do not list the text"
        case .orphanLine: "a mileage line has no base line in its claim"
        case .reservedWord: "the word `all` is reserved in every dimension"
        }
    }
}
