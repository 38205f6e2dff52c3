import TripDomain

/// Recounts a finished file before it is published, and refuses it where anything disagrees.
///
/// The left side of every comparison comes from the run (the ledger, the cube); the right side is
/// counted from the file's own pages. SQLite checks the small tables; the trip rows are read once, several
/// leaves at a time, and each of their indexes once, which must hold the very rows of the table. Every page
/// has to belong to one tree, and its bytes to one cell or to what is listed as free.
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
        try FileMarks.require(connection)
        let parts = try parts(
            connection,
            path,
            includingIntegrity: includingIntegrity,
            leavesOfSlice: leafCount
        )
        // Where pages are broken, sums say nothing.
        guard parts.isSound else { return [brokenPages] }
        var recount = TripRecount()
        for rows in parts.rows {
            guard recount.append(rows) else { throw MartError(PageError.damagedRow(path)) }
        }
        return IndexScan.compare(parts.indexes, recount)
            + (try LedgerCheck(connection, recount).run())
            + (try CubeCheck(connection, recount).run())
    }

    /// Whether SQLite finds no fault in the pages and indexes of a file.
    ///
    /// - Parameter path: The file, finished and closed.
    /// - Returns: Its answer.
    /// - Throws: ``MartError`` where the file cannot be read.
    public static func isSound(_ path: String) throws(MartError) -> Bool {
        try isSound(RawConnection(path: path, mode: .immutable), includingIntegrity: true)
    }

    private static var brokenPages: Finding {
        Finding(subject: "page structure", expected: "ok", found: "a fault", isDamage: true)
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

    /// What was found by reading every page.
    private struct Parts {
        /// Whether SQLite finds no fault, and every page belongs to one thing.
        var isSound: Bool
        var indexes: [IndexScan.Outcome] = []
        /// What the slices of the trips add up to, in order.
        var rows: [TripRecount] = []
    }

    /// What one task found.
    private enum Part: Sendable {
        /// SQLite's answer about all tables but the trips, and the pages of all trees but theirs.
        case others(isSound: Bool, pages: [UInt32])
        case index(IndexScan.Outcome, pages: [UInt32])
        case rows(TripRecount, pages: [UInt32])
    }

    /// Looks at all that takes long, at the same time.
    private static func parts(
        _ connection: RawConnection,
        _ path: String,
        includingIntegrity: Bool,
        leavesOfSlice: Int
    ) throws(MartError) -> Parts {
        let columns = try TripScanColumns(connection)
        let roots = try TripPages.Roots(connection)
        let indexes = zip(IndexScan.all, [roots.ids, roots.typeRegions]).map { $0 }
        let others = try otherRoots(connection)
        let (tree, rows) = try reading { () throws(PageError) in
            let tree = try TreeReader(path: path)
            return (tree, try tree.outline(root: roots.rows, .table))
        }
        let leafCount = rows.leaves.count
        // Many more than threads, so that they end at about the same time.
        let sliceCount = max(1, min(8, leafCount / leavesOfSlice))
        let results = Parallel.map(1 + indexes.count + sliceCount, grain: 1) { task in
            Result { () throws(MartError) -> Part in
                if task == 0 {
                    let own = try RawConnection(path: path, mode: .immutable)
                    let isSound = try isSound(own, includingIntegrity: includingIntegrity)
                    guard isSound else { return .others(isSound: false, pages: []) }
                    return try reading { () throws(PageError) in
                        var pages = try tree.freePages()
                        for root in others { pages += try tree.pages(root: root) }
                        return .others(isSound: true, pages: pages)
                    }
                }
                return try reading { () throws(PageError) in
                    if task <= indexes.count {
                        let (index, root) = indexes[task - 1]
                        let (outcome, pages) = try index.run(tree, root: root)
                        return .index(outcome, pages: pages)
                    }
                    let slice = task - 1 - indexes.count
                    let leaves =
                        leafCount * slice / sliceCount..<leafCount * (slice + 1) / sliceCount
                    let (recount, pages) = try TripScan.run(columns, tree, rows, leaves: leaves)
                    return .rows(recount, pages: pages)
                }
            }
        }
        var account = PageAccount(
            pageCount: tree.pageCount,
            lockPage: tree.layout.lockPageNumber
        )
        account.take(rows.otherPages + rows.leaves)
        // What SQLite says of a broken page comes before what stumbled over it.
        if case .others(isSound: false, _) = try results[0].get() { return Parts(isSound: false) }
        var parts = Parts(isSound: true)
        for result in results {
            switch try result.get() {
            case .others(_, let pages): account.take(pages)
            case .index(let outcome, let pages):
                parts.indexes.append(outcome)
                account.take(pages)
            case .rows(let recount, let pages):
                parts.rows.append(recount)
                account.take(pages)
            }
        }
        parts.isSound = account.isWhole
        return parts
    }

    /// The roots of all trees but those of the trips; the schema's own is the first page.
    private static func otherRoots(_ connection: RawConnection) throws(MartError) -> [Int] {
        var roots = [1]
        let statement = try connection.prepare(
            """
            SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 AND name NOT IN
                ('trip_row', 'trip_row_trip_id', 'trip_row_type_region')
            """
        )
        while try statement.step() { roots.append(Int(statement.integer(0))) }
        return roots
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

    /// SQLite's own check of all tables but the trips, which are read here, on all cores.
    private static func isSound(
        _ connection: RawConnection,
        includingIntegrity: Bool
    ) throws(MartError) -> Bool {
        if includingIntegrity {
            // Each row is looked for in each index: 200 MB save half of the time.
            try connection.execute("PRAGMA cache_size = -200000")
            let statement = try connection.prepare("PRAGMA integrity_check(1)")
            return try statement.step() && statement.text(0) == "ok"
        }
        var checks: [String] = []
        let tables = try connection.prepare(
            """
            SELECT 'sqlite_schema' UNION ALL
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'trip_row'
            """
        )
        while try tables.step() {
            checks.append("PRAGMA integrity_check(\(GenerationSchema.quoted(tables.text(0))))")
        }
        for check in checks {
            let statement = try connection.prepare(check)
            guard try statement.step(), statement.text(0) == "ok" else { return false }
        }
        return true
    }
}

/// The marks by which our files are known.
enum FileMarks {
    /// Refuses an open file that is not ours, or of another version.
    static func require(_ connection: RawConnection) throws(MartError) {
        try require(
            applicationID: connection.integer("PRAGMA application_id"),
            version: connection.integer("PRAGMA user_version"),
            file: connection.path
        )
    }

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
