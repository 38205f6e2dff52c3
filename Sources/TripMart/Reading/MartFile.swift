import TripDomain

/// One finished file of the mart, open for reading: a generation, or what is kept of one.
///
/// It is opened as a file that nobody changes: no lock is taken, no journal is looked for, and a
/// full disk or a read-only mount does not matter. Published files are never written again.
public final class MartFile: Sendable {
    /// The file's path, links resolved.
    public let path: String
    private let connection: SharedConnection

    /// Opens a file and refuses it where it is not ours or of another version.
    init(path: String) throws(MartError) {
        self.path = path
        guard FileSystem.exists(path) else {
            throw MartError(.notFound, file: path, remedy: "The file is not there.")
        }
        let connection = try RawConnection(path: path, mode: .governed)
        try FileMarks.require(connection)
        self.connection = SharedConnection(connection)
    }

    /// All rows of a query; failures come out as codes, without SQLite's words.
    ///
    /// The file does not change, so that no transaction is needed to see one state of it.
    func rows<Value: Sendable>(
        _ sql: String,
        _ arguments: [any StoredArgument] = [],
        _ make: @Sendable (StoredRow) throws -> Value
    ) throws(MartError) -> [Value] {
        try connection.rows(sql, arguments, make)
    }

    /// What `meta` says under a key.
    func meta(_ key: String) throws(MartError) -> String? {
        try rows("SELECT value FROM meta WHERE key = ?", [key]) { try $0[0] as String }.first
    }

    /// Days after which a month may settle: ten times what a pipeline may say.
    private static let settlingDays = 0...36_600

    /// The one row of `generation`.
    func header() throws(MartError) -> GenerationHeader {
        let headers = try rows("SELECT * FROM generation") { row in
            try GenerationHeader(
                number: row["number"],
                pipeline: row["pipeline"],
                isSynthetic: row["synthetic"],
                publishedAt: row["published_at"],
                dataThrough: (row["data_through"] as String?).flatMap { CivilDate(text: $0) },
                staleAfter: row["stale_after"],
                settlesAfterDays: row["settles_after_days"],
                suppressBelow: row["suppress_below"],
                rulesHash: row["rules_hash"],
                referenceHash: row["reference_hash"]
            )
        }
        guard let header = headers.first, Self.settlingDays.contains(header.settlesAfterDays)
        else { throw damaged() }
        return header
    }

    /// Whether its cube has all sums; a file of an older version has ``CubeTables/firstSumColumns``.
    func hasAllSums() throws(MartError) -> Bool {
        let tables = try rows("SELECT sql FROM sqlite_schema WHERE name = 'kpi_cube'") {
            try $0[0] as String
        }
        guard let table = tables.first else { throw damaged() }
        return CubeTables.sumColumns.allSatisfy(table.contains)
    }

    /// Refuses a file whose cube lacks a sum that this version of the program has added since.
    ///
    /// All else of such a file is read as ever, so that a run finds the exports it knows and the
    /// months before, and publishes the next generation with all sums.
    func requireAllSums() throws(MartError) {
        guard try hasAllSums() else {
            throw MartError(
                .olderFile,
                file: path,
                remedy: "An older version of Triptych wrote this file, without some of today's "
                    + "sums. Publish them with triptych run --full."
            )
        }
    }

    /// The error for a file whose rows contradict its tables.
    func damaged() -> MartError {
        MartError(
            .damaged,
            file: path,
            remedy: "The file is damaged. Go back to a generation that is whole: triptych rollback "
                + "NUMBER"
        )
    }
}

/// Finds the check value a mart's key file must have.
enum MartKeyCheck {
    /// The check value in the served generation or, where that cannot be read, in the newest file
    /// that can; nil where there is none.
    static func value(of folder: MartFolder) throws(MartError) -> String? {
        var paths: [String] = []
        // A link that leads nowhere says nothing about keys either.
        if let served = try? folder.servedNumber() { paths.append(folder.generationPath(served)) }
        for number in try folder.generationNumbers().reversed() {
            paths.append(folder.generationPath(number))
        }
        for number in try folder.historyNumbers().reversed() {
            paths.append(folder.historyPath(number))
        }
        for path in paths {
            // A file that cannot be read says nothing about keys; the next older one does, and
            // whoever opens this one for its content will meet the error.
            if let file = try? MartFile(path: path), let value = try? file.meta("key_check") {
                return value
            }
        }
        return nil
    }
}
