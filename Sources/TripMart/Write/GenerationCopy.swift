public import TripDomain

/// An older generation that is published again under a new number.
public struct GenerationCopy: Sendable {
    /// The generation whose content is copied.
    public let base: Int
    /// The number of its trips.
    public let tripCount: Int
    /// The row of the generation, with the new number and the time of publication.
    public let header: GenerationHeader
    /// The exclusions that apply from now on.
    public let exclusions: [Exclusion]
    /// The person who publishes it; nil where none is named.
    public let approval: ChangeApproval?

    /// Describes a copy.
    public init(
        base: Int,
        tripCount: Int,
        header: GenerationHeader,
        exclusions: [Exclusion],
        approval: ChangeApproval?
    ) {
        self.base = base
        self.tripCount = tripCount
        self.header = header
        self.exclusions = exclusions
        self.approval = approval
    }
}

extension GenerationCopy {
    /// Copies one of the generation's files and inserts the new row.
    ///
    /// - Parameters:
    ///   - from: The file that was published.
    ///   - path: The new file; an existing one is replaced.
    ///   - isSummary: Whether the file holds more than the suppressed cube.
    /// - Throws: ``MartError`` of the files.
    func write(_ from: String, to path: String, isSummary: Bool) throws(MartError) {
        try FileSystem.copy(from, to: path, mode: 0o640)
        let connection = try RawConnection(path: path, mode: .create)
        try connection.execute(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE;
            BEGIN;
            """
        )
        try connection.prepare(
            "UPDATE generation SET number = ?, published_at = ?, stale_after = ?"
        ).insert([
            StoredValue(header.number), .text(header.publishedAt), StoredValue(header.staleAfter),
        ])
        if isSummary {
            try connection.execute("\(ExclusionTables.ddl) DELETE FROM hold;")
            try connection.insert(exclusions)
            // The approval of the older generation does not apply to this publication.
            try connection.execute(
                "DELETE FROM meta WHERE key IN ('approved_by', 'made_by', 'plan', 'content_of')"
            )
            let meta: [(String, String?)] = [
                ("content_of", String(base)), ("made_by", approval?.madeBy),
                ("approved_by", approval?.approvedBy),
            ]
            try connection.insert(
                into: "meta",
                2,
                meta.compactMap { name, value in value.map { [.text(name), .text($0)] } }
            )
        }
        try connection.execute("COMMIT")
        try connection.close()
    }
}
