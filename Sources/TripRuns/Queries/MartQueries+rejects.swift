public import TripDomain
import TripEngine
public import TripMart
import TripPipeline

extension MartQueries {
    /// `rejects list`: rejects by reason and field.
    ///
    /// - Returns: The groups.
    /// - Throws: `MartError` where nothing is published.
    public func rejectGroups() throws -> PublishedRejects<RejectGroup> {
        try answer {
            PublishedRejects(
                header: $0.header,
                rows: try $0.rejectGroups(),
                total: nil,
                martFlags: martFlags
            )
        }
    }

    /// `rejects list` with a filter: rejects one by one.
    ///
    /// - Parameters:
    ///   - filter: Which rejects.
    ///   - limit: The maximum number of rejects.
    /// - Returns: The rejects.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where the filter names a
    ///   field or a file that the generation does not have.
    public func rejects(
        _ filter: RejectFilter,
        limit: Int
    ) throws -> PublishedRejects<RejectRow> {
        try answer { try rejects(filter, limit: limit, in: $0) }
    }

    private func rejects(
        _ filter: RejectFilter,
        limit: Int,
        in served: ServedMart
    ) throws -> PublishedRejects<RejectRow> {
        if let field = filter.field {
            let declared = try pipeline(of: served).fieldNames
            let known = declared.union(try served.rejectGroups().compactMap(\.field)).sorted()
            try checkWords([field], "field", known)
        }
        if let path = filter.path {
            try checkWords([path], "file", try served.files().map(\.path))
        }
        let rows = try served.rejects(filter, limit: limit)
        return PublishedRejects(
            header: served.header,
            rows: rows,
            total: try served.rejectCount(filter),
            martFlags: martFlags
        )
    }

    /// `rejects show`: one reject; its raw record only on request.
    ///
    /// - Parameters:
    ///   - number: The reject's number in the served generation.
    ///   - reveals: Whether to open the sealed record.
    /// - Returns: The reject.
    /// - Throws: `MartError` where there is no such reject or the key does not open it.
    public func reject(_ number: Int, reveals: Bool) throws -> PublishedReject {
        try answer { try reject(number, reveals: reveals, in: $0) }
    }

    func reject(
        _ number: Int,
        reveals: Bool,
        in served: ServedMart
    ) throws -> PublishedReject {
        guard let row = try served.reject(number: number) else {
            throw RunError(
                .notFound,
                summary: "no such reject",
                what: "Generation \(served.header.number) has no reject \(number).",
                remedies: ["See the numbers: triptych rejects list\(martFlags)"]
            )
        }
        var reject = PublishedReject(header: served.header, row: row)
        guard reveals else { return reject }
        let encoding = try encoding(ofFile: row.position.file, in: served)
        // No other code reveals a record; `MartQueries+value` reveals one text of it.
        let bytes = try served.openRejectText(number: number, keys: try keys()).revealed()
        reject.record = PublishedReject.Record(
            text: VisibleText.of(bytes, encoding: encoding),
            byteCount: bytes.count
        )
        return reject
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
}

/// Rejects of one generation, in groups or one by one.
public struct PublishedRejects<Row: Sendable>: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// The groups, or the rejects.
    public let rows: [Row]
    /// The number of rejects that match the filter, listed or not; nil of groups, which are all
    /// listed.
    public let total: Int?
    /// The flags that name the mart in a command, after a blank each.
    public let martFlags: String
}

/// One reject of one generation.
public struct PublishedReject: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// The reject.
    public let row: RejectRow
    /// Its raw record; nil where it was not asked for.
    public internal(set) var record: Record?

    /// A raw record, which may name a patient.
    public struct Record: Sendable {
        /// The text, with control characters escaped, so that a terminal does not obey them.
        public let text: String
        /// The bytes that the mart keeps of it: fewer than it had where it was too long.
        public let byteCount: Int
    }
}
