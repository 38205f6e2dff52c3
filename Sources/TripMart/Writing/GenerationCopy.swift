public import TripDomain

/// An older generation to be published once more under a new number.
public struct GenerationCopy: Sendable {
    /// The generation whose content is taken.
    public let base: Int
    /// The number of its trips.
    public let tripCount: Int
    /// Its row, with the new number and the time of publication.
    public let header: GenerationHeader
    /// What is held from now on.
    public let holds: [Hold]
    /// Who publishes it; nil where nobody is named.
    public let approval: ChangeApproval?

    /// Describes a copy.
    public init(
        base: Int,
        tripCount: Int,
        header: GenerationHeader,
        holds: [Hold],
        approval: ChangeApproval?
    ) {
        self.base = base
        self.tripCount = tripCount
        self.header = header
        self.holds = holds
        self.approval = approval
    }
}

extension GenerationCopy {
    /// Copies one of the generation's files and puts the new row in.
    ///
    /// - Parameters:
    ///   - from: The file that was published.
    ///   - path: The new file; what is there is replaced.
    ///   - isSummary: Whether it holds more than the suppressed cube.
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
            try connection.execute("\(HoldTables.ddl) DELETE FROM hold;")
            try connection.insert(holds)
            // Who published the edits of then did not publish them now.
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
