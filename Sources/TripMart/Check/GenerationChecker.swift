import TripDomain

/// Recounts a finished file before it is published, and refuses it where a sum disagrees.
///
/// The left side of every comparison comes from the run (the ledger, the cube); the right side is
/// counted from the file's own pages. SQLite checks the small tables. The checker reads the trip
/// rows once, several leaves at a time, and each of their indexes once; an index must hold exactly
/// the rows of the table. Every page has to belong to one tree, and its bytes to one cell or to the
/// list of free space.
public enum GenerationChecker {
    /// Checks a file.
    ///
    /// - Parameters:
    ///   - path: The file, finished and closed.
    ///   - includingIntegrity: Whether to let SQLite compare every index with its table as well,
    ///     which takes several times as long.
    ///   - leafCount: The smallest number of trip leaves in a slice; fewer in tests.
    /// - Returns: The disagreements; none where the file is correct.
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
        // Sums of a file with damaged pages mean nothing.
        guard parts.isSound else { return [brokenPages] }
        var recount = TripRecount()
        for rows in parts.rows {
            guard recount.append(rows) else { throw MartError.damagedRow(path) }
        }
        guard try !TripLocationTables.isIn(connection) else {
            return try TotalsCheck(connection).run()
        }
        return IndexScan.compare(parts.indexes, recount)
            + (try LedgerCheck(connection, recount).run())
            + (try CubeCheck(connection, recount).run())
            + (try DeclaredCheck(connection: connection).run())
    }

    /// Whether SQLite finds no fault in the pages and indexes of a file.
    ///
    /// - Parameter path: The file, finished and closed.
    /// - Returns: True where SQLite's integrity check passes.
    /// - Throws: ``MartError`` where the file cannot be read.
    public static func isSound(_ path: String) throws(MartError) -> Bool {
        try isSound(RawConnection(path: path, mode: .immutable), includingIntegrity: true)
    }

    private static var brokenPages: Finding {
        Finding(subject: "page structure", expected: "ok", found: "a fault", isDamage: true)
    }

    /// Checks a file and refuses it where a sum disagrees.
    ///
    /// - Parameters:
    ///   - path: The file, finished and closed.
    ///   - includingIntegrity: Whether to let SQLite compare every index with its table as well.
    /// - Throws: ``MartError`` with code `damaged` where the file itself is damaged, `imbalance`
    ///   where its sums disagree, both with the findings; or an error of the file.
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
                remedy: "The file that was just written is damaged. Check disk and memory, then "
                    + "run again. The previous generation stays in service.",
                findings: findings
            )
        }
        throw MartError(
            .imbalance,
            file: path,
            remedy: "The recount of the new file disagrees with the records read. This is a fault "
                + "of Triptych: keep the findings and report them. The previous generation "
                + "stays in service.",
            findings: findings
        )
    }

    /// The results of reading every page.
    private struct Parts {
        /// Whether SQLite finds no fault, and every page belongs to exactly one tree or list.
        var isSound: Bool
        var indexes: [IndexScan.Outcome] = []
        /// The sums of the slices of the trips, in order.
        var rows: [TripRecount] = []
    }

    /// The result of one task.
    private enum Part: Sendable {
        /// SQLite's result for all tables except the trips, and the pages of their trees.
        case others(isSound: Bool, pages: [UInt32])
        case index(IndexScan.Outcome, pages: [UInt32])
        case rows(TripRecount, pages: [UInt32])
    }

    /// Runs all slow checks in parallel.
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
        let tree = try TreeReader(path: path)
        let rows = try tree.outline(root: roots.rows, .table)
        let leafCount = rows.leaves.count
        // Many more slices than threads, so that the threads end at about the same time.
        let sliceCount = max(1, min(8, leafCount / leavesOfSlice))
        let results = Parallel.map(1 + indexes.count + sliceCount) { task in
            Result { () throws(MartError) -> Part in
                if task == 0 {
                    let own = try RawConnection(path: path, mode: .immutable)
                    let isSound = try isSound(own, includingIntegrity: includingIntegrity)
                    guard isSound else { return .others(isSound: false, pages: []) }
                    var pages = try tree.freePages()
                    for root in others { pages += try tree.pages(root: root) }
                    return .others(isSound: true, pages: pages)
                }
                if task <= indexes.count {
                    let (index, root) = indexes[task - 1]
                    let (outcome, pages) = try index.run(tree, root: root)
                    return .index(outcome, pages: pages)
                }
                let slice = task - 1 - indexes.count
                let leaves = leafCount * slice / sliceCount..<leafCount * (slice + 1) / sliceCount
                let (recount, pages) = try TripScan.run(columns, tree, rows, leaves: leaves)
                return .rows(recount, pages: pages)
            }
        }
        var account = PageAccount(
            pageCount: tree.pageCount,
            lockPage: tree.layout.lockPageNumber
        )
        account.take(rows.otherPages + rows.leaves)
        // SQLite's report of a damaged page takes precedence over errors that the page caused.
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

    /// The roots of all trees except those of the trips; the schema's own root is the first page.
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

    /// Runs SQLite's own check of all tables except the trips, which the checker reads on all
    /// cores.
    private static func isSound(
        _ connection: RawConnection,
        includingIntegrity: Bool
    ) throws(MartError) -> Bool {
        if includingIntegrity {
            // SQLite searches each index for each row: a cache of 200 MB halves the time.
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
            checks.append("PRAGMA integrity_check(\(QuotedText.quoted(tables.text(0))))")
        }
        for check in checks {
            let statement = try connection.prepare(check)
            guard try statement.step(), statement.text(0) == "ok" else { return false }
        }
        return true
    }
}

/// The marks that identify files of Triptych: application id and version.
enum FileMarks {
    /// Refuses an open file that Triptych did not write, or of another version.
    static func require(_ connection: RawConnection) throws(MartError) {
        try require(
            applicationID: connection.integer("PRAGMA application_id"),
            version: connection.integer("PRAGMA user_version"),
            file: connection.path
        )
    }

    /// Refuses a file that Triptych did not write, or of another version.
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
        guard version <= GenerationSchema.versionWithoutTrips else {
            throw MartError(
                .newerFile,
                file: file,
                remedy: "A newer version of Triptych wrote this file. Use that version."
            )
        }
        guard version >= GenerationSchema.version else {
            throw MartError(
                .olderFile,
                file: file,
                remedy: "An older version of Triptych wrote this file. Rebuild it: "
                    + MartFolder(holding: file).rebuildCommand
            )
        }
    }
}

/// One disagreement that the check before publication found.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What was compared, such as `accepted items of claims_20261101.csv`.
    public let subject: String
    /// The value that the ledger, the cube or the rows require.
    public let expected: String
    /// The value that the recount found.
    public let found: String
    /// Whether the file itself is damaged, rather than its sums wrong.
    public let isDamage: Bool

    /// Creates a finding.
    public init(subject: String, expected: String, found: String, isDamage: Bool = false) {
        self.subject = subject
        self.expected = expected
        self.found = found
        self.isDamage = isDamage
    }

    /// One line for people; it holds sums and file names, no content.
    public var description: String { "\(subject): \(expected) expected, \(found) found" }
}

/// Checks that every page of a file belongs to exactly one tree or list.
struct PageAccount {
    private var isTaken: [Bool]
    private let lockPage: Int
    private var isSound = true

    /// - Parameters:
    ///   - pageCount: The pages of the file.
    ///   - lockPage: The page that holds locks and never data.
    init(pageCount: Int, lockPage: Int) {
        isTaken = Array(repeating: false, count: pageCount)
        self.lockPage = lockPage
        if lockPage <= pageCount { take([UInt32(lockPage)]) }
    }

    /// Marks the pages of a tree, or the free pages, as taken.
    mutating func take(_ pages: [UInt32]) {
        for page in pages {
            let index = Int(page) - 1
            guard isTaken.indices.contains(index), !isTaken[index] else {
                isSound = false
                continue
            }
            isTaken[index] = true
        }
    }

    /// Whether every page was taken once.
    var isWhole: Bool { isSound && !isTaken.contains(false) }
}
