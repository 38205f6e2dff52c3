import TripDomain

/// Recounts a finished file before it is published, and refuses it where anything disagrees.
///
/// The left side of every comparison comes from the run (the ledger, the cube); the right side is
/// counted from the file's own pages. SQLite looks at their structure, through new read-only connections;
/// the trip rows are read once, several leaves at a time; each index is read once and must hold the very
/// rows of the table.
public enum GenerationChecker {
    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: The file, finished and closed.
    ///   - includingIntegrity: Whether to let SQLite compare every index with its table as well,
    ///     which takes several times as long.
    ///   - leafCount: The leaves of the trips that are worth a slice of their own; fewer in tests.
    /// - Returns: What disagrees; nothing where all is well.
    /// - Throws: ``MartError`` where the file cannot be read.
    /// - Complexity: O(*n*) in the trips, on all cores.
    public static func check(
        _ path: String,
        includingIntegrity: Bool = false,
        leafCount: Int = 256
    ) throws(MartError) -> [Finding] {
        let connection = try RawConnection(path: path, mode: .immutable)
        try requireMarks(connection)
        let pragma = includingIntegrity ? "integrity" : "quick"
        let parts = try parts(connection, path, pragma: pragma, leavesOfSlice: leafCount)
        var findings: [Finding] = []
        var recount = TripRecount()
        var scans: [IndexScan.Outcome] = []
        for part in parts {
            switch part {
            case .structure(let found):
                // Where pages are broken, sums say nothing.
                guard found.isEmpty else { return found }
            case .index(let outcome): scans.append(outcome)
            case .rows(let rows):
                guard recount.append(rows) else {
                    throw MartError(PageError.damagedRow(path))
                }
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

    /// Looks at all that takes long, at the same time.
    private static func parts(
        _ connection: RawConnection,
        _ path: String,
        pragma: String,
        leavesOfSlice: Int
    ) throws(MartError) -> [Part] {
        let columns = try TripScanColumns(connection)
        let roots = try TripPages.Roots(connection)
        let indexes = zip(IndexScan.all, [roots.ids, roots.typeRegions]).map { $0 }
        let (tree, rows) = try reading { () throws(PageError) in
            let tree = try TreeReader(path: path)
            return (tree, try tree.outline(root: roots.rows, .table))
        }
        let leafCount = rows.leaves.count
        // SQLite's check takes as long as eight slices, so that more would not even things out.
        let sliceCount = max(1, min(8, leafCount / leavesOfSlice))
        let results = Parallel.map(1 + indexes.count + sliceCount, grain: 1) { task in
            Result { () throws(MartError) -> Part in
                if task == 0 {
                    let own = try RawConnection(path: path, mode: .immutable)
                    // Every page is read once: a small cache is as good as a large one.
                    try own.execute("PRAGMA cache_size = -4096")
                    return .structure(try structure(own, pragma: pragma))
                }
                return try reading { () throws(PageError) in
                    if task <= indexes.count {
                        let (index, root) = indexes[task - 1]
                        return .index(try index.run(tree, root: root))
                    }
                    let slice = task - 1 - indexes.count
                    let leaves =
                        leafCount * slice / sliceCount..<leafCount * (slice + 1) / sliceCount
                    return .rows(try TripScan.run(columns, tree, rows, leaves: leaves))
                }
            }
        }
        // What SQLite says of a broken page comes before what stumbled over it.
        let first = try results[0].get()
        if case .structure(let found) = first, !found.isEmpty { return [first] }
        var parts: [Part] = []
        for result in results { parts.append(try result.get()) }
        return parts
    }

    /// Turns what reading pages came upon into an error of the mart.
    private static func reading<Value>(
        _ body: () throws(PageError) -> Value
    ) throws(MartError) -> Value {
        do {
            return try body()
        } catch {
            throw MartError(error)
        }
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
