import TripDomain

/// Recounts a finished file before it is published, and refuses it where anything disagrees.
///
/// The left side of every comparison comes from the run (the ledger, the cube); the right side is
/// counted from the file's own pages, through new read-only connections. The trip rows are read
/// once; each index is read once and must hold the very rows of the table.
public enum GenerationChecker {
    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: The file, finished and closed.
    ///   - includingIntegrity: Whether to let SQLite compare every index with its table as well,
    ///     which takes several times as long.
    /// - Returns: What disagrees; nothing where all is well.
    /// - Throws: ``MartError`` where the file cannot be read.
    /// - Complexity: O(*n*) in the trips, on all cores.
    public static func check(
        _ path: String,
        includingIntegrity: Bool = false
    ) throws(MartError) -> [Finding] {
        let connection = try RawConnection(path: path, mode: .immutable)
        try requireMarks(connection)
        let total = try connection.integer("SELECT max(trip_number) FROM trip_row")
        let columns = try TripScanColumns(connection)
        let sliceCount = total > 200_000 ? 8 : 1
        let indexes = IndexScan.all
        let results = Parallel.map(1 + indexes.count + sliceCount, grain: 1) { task in
            Result { () throws(MartError) -> Part in
                let own = try RawConnection(path: path, mode: .immutable)
                // Every page is read once: a small cache is as good as a large one.
                try own.execute("PRAGMA cache_size = -4096")
                if task == 0 {
                    return .structure(
                        try structure(own, pragma: includingIntegrity ? "integrity" : "quick")
                    )
                }
                if task <= indexes.count { return .index(try indexes[task - 1].run(own)) }
                let slice = Int64(task - 1 - indexes.count)
                let first = total * slice / Int64(sliceCount) + 1
                let last = total * (slice + 1) / Int64(sliceCount)
                return .rows(
                    try TripScan(columns).run(own, from: first, through: last)
                )
            }
        }
        var findings: [Finding] = []
        var recount = TripRecount()
        var scans: [IndexScan.Outcome] = []
        for result in results {
            switch try result.get() {
            case .structure(let found): findings += found
            case .index(let outcome): scans.append(outcome)
            case .rows(let part): recount += part
            }
        }
        findings += IndexScan.compare(scans, recount)
        findings += try LedgerCheck(connection, recount).run()
        findings += try CubeCheck(connection, recount).run()
        return findings
    }

    /// Checks a file and refuses it where anything disagrees.
    ///
    /// - Parameters:
    ///   - path: The file, finished and closed.
    ///   - includingIntegrity: Whether to let SQLite compare every index with its table as well.
    /// - Throws: ``MartError`` with code `damaged` where the file itself is broken, `imbalance`
    ///   where its sums disagree, both with the findings; or of the file.
    public static func require(
        _ path: String,
        includingIntegrity: Bool = false
    ) throws(MartError) {
        let findings = try check(path, includingIntegrity: includingIntegrity)
        guard !findings.isEmpty else { return }
        if findings.contains(where: \.isDamage) {
            throw MartError(
                .damaged,
                file: path,
                remedy: "The file that was just written is broken. Check disk and memory, then "
                    + "run again. What was served stays served.",
                findings: findings
            )
        }
        throw MartError(
            .imbalance,
            file: path,
            remedy: "The recount of the new file disagrees with what was read. This is a fault "
                + "of Triptych: keep the findings and report them. What was served stays served.",
            findings: findings
        )
    }

    private enum Part: Sendable {
        case structure([Finding])
        case index(IndexScan.Outcome)
        case rows(TripRecount)
    }

    private static func requireMarks(_ connection: RawConnection) throws(MartError) {
        try FileMarks.require(
            applicationID: connection.integer("PRAGMA application_id"),
            version: connection.integer("PRAGMA user_version"),
            file: connection.path
        )
    }

    /// SQLite's own check of the pages.
    private static func structure(
        _ connection: RawConnection,
        pragma: String
    ) throws(MartError) -> [Finding] {
        var checks = ["PRAGMA \(pragma)_check(1)"]
        // The quick check looks neither at the order of keys nor at indexes. Those of the trips
        // are read by `IndexScan`; the other tables are small.
        let tables = try connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'trip_row'"
        )
        while try tables.step() {
            checks.append("PRAGMA integrity_check(\(GenerationSchema.quoted(tables.text(0))))")
        }
        for check in checks {
            let statement = try connection.prepare(check)
            guard try statement.step(), statement.text(0) == "ok" else {
                return [
                    Finding(
                        subject: "page structure",
                        expected: "ok",
                        found: "a fault",
                        isDamage: true
                    )
                ]
            }
        }
        return []
    }
}

/// The marks by which our files are known.
enum FileMarks {
    /// Refuses a file that is not ours, or of another version.
    static func require(
        applicationID: Int64,
        version: Int64,
        file: String
    ) throws(MartError) {
        guard applicationID == GenerationSchema.applicationID else {
            throw MartError(
                .foreignFile,
                file: file,
                remedy: "This file was not written by Triptych. Check the path."
            )
        }
        guard version <= GenerationSchema.version else {
            throw MartError(
                .newerFile,
                file: file,
                remedy: "A newer version of Triptych wrote this file. Use that version."
            )
        }
        guard version == GenerationSchema.version else {
            throw MartError(
                .olderFile,
                file: file,
                remedy: "An older version of Triptych wrote this file. Build the mart anew with "
                    + "triptych run --full."
            )
        }
    }
}
