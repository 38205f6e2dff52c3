import CSQLite
import TripDomain

/// One finished file of the mart, open for reading: a generation, or its history file.
///
/// It is opened as a file that no process changes: SQLite takes no lock and looks for no journal,
/// and a full disk or a read-only mount does not matter. Published files are never written again.
public final class MartFile: Sendable {
    /// The file's path, links resolved.
    public let path: String
    private let connection: SharedConnection
    /// Its bytes, compared with their check sums; nil where it has none.
    private let content: CheckedFile?
    private let sums: Sums

    /// The check sums beside a file.
    enum Sums {
        /// A published generation has them.
        case required
        /// An older version wrote none beside this kind of file.
        case used
        /// The file is not published, or never gets any.
        case none
    }

    /// Opens a file and refuses it where Triptych did not write it, or another version did.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - sums: The check sums, with which each block is compared when it is first read.
    /// - Throws: ``MartError`` of the file.
    convenience init(path: String, sums: Sums = .none) throws(MartError) {
        guard FileSystem.exists(path) else {
            throw FileSystem.missing(path)
        }
        let isChecked =
            switch sums {
            case .required: true
            case .used: FileSystem.exists(SumFile.path(for: path))
            case .none: false
            }
        try self.init(path, sums, isChecked ? CheckedFile(path: path) : nil)
    }

    /// Opens the file of another value, for queries beside it.
    convenience init(again file: MartFile) throws(MartError) {
        try self.init(file.path, file.sums, file.content)
    }

    private init(
        _ path: String,
        _ sums: Sums,
        _ content: CheckedFile?
    ) throws(MartError) {
        self.path = path
        self.sums = sums
        self.content = content
        let connection = try RawConnection(path: path, mode: .restricted, content: content)
        try FileMarks.require(connection)
        self.connection = SharedConnection(connection)
    }

    /// Refuses a file of which a byte is not as it was published.
    ///
    /// A published file of an older version without check sums has its pages examined; one that is
    /// not published is as it was written.
    ///
    /// - Throws: ``MartError`` with code `damaged`; or of the file.
    /// - Complexity: O(*n*) in the bytes of the file that were not read yet.
    public func requireWhole() throws(MartError) {
        if let content { return try content.requireAll() }
        guard sums != .none else { return }
        guard try GenerationChecker.isSound(path) else { throw damaged() }
    }

    /// All rows of a query; errors are mapped to codes, without SQLite's message.
    ///
    /// No process changes the file, so that no transaction is needed to read one state of it.
    func rows<Value: Sendable>(
        _ sql: String,
        _ arguments: [any StoredArgument] = [],
        _ make: @Sendable (StoredRow) throws -> Value
    ) throws(MartError) -> [Value] {
        try connection.rows(sql, arguments, make)
    }

    /// Whether the file has a table; one of an older version lacks some.
    func has(table: String) throws(MartError) -> Bool { try connection.has(table: table) }

    /// The value of a key in `meta`.
    func meta(_ key: String) throws(MartError) -> String? {
        try rows("SELECT value FROM meta WHERE key = ?", [key]) { try $0[0] as String }.first
    }

    /// The possible numbers of days after which a month settles: up to ten times what a pipeline
    /// may specify.
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

    /// The sums that its cube has; a file of an older version lacks some of the later ones.
    func storedSums() throws(MartError) -> KPISumSet {
        // A connection that only reads may not use table functions such as pragma_table_info.
        let tables = try rows("SELECT sql FROM sqlite_schema WHERE name = 'kpi_cube'") {
            try $0[0] as String
        }
        guard let table = tables.first else { throw damaged() }
        let words = Set(table.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        return KPISumSet(KPISum.allCases.filter { !$0.isLater || words.contains($0.name) })
    }

    /// Whether its cube has all sums.
    func hasAllSums() throws(MartError) -> Bool { try storedSums() == .all }

    /// Refuses a file whose cube lacks a sum that this version of the program has added since.
    ///
    /// Everything else in such a file can be read, so that a run finds the known exports and the
    /// months before, and publishes the next generation with all sums.
    func requireAllSums() throws(MartError) {
        guard try hasAllSums() else {
            throw MartError(
                .olderFile,
                file: path,
                remedy: "An older version of Triptych wrote this file, without some of today's "
                    + "sums. Publish them: " + MartFolder(holding: path).rebuildCommand
            )
        }
    }

    /// Refuses the file of another generation under this one's name: a copy brings its own sums.
    ///
    /// - Parameters:
    ///   - header: The file's own row.
    ///   - number: The number in its name.
    /// - Throws: ``MartError`` with code `damaged`.
    func require(_ header: GenerationHeader, number: Int) throws(MartError) {
        guard header.number != number else { return }
        throw MartError(
            .damaged,
            file: path,
            remedy: "The file is that of generation \(header.number). " + MartError.waysOut
        )
    }

    /// The error of a file whose rows contradict its tables.
    func damaged() -> MartError {
        MartError(
            .damaged,
            file: path,
            remedy: "The file is damaged. " + MartError.waysOut
        )
    }
}

/// Finds the check value that a mart's key file must have.
enum MartKeyCheck {
    /// The check value in the published generation or, where that cannot be read, in the newest
    /// readable file; nil where there is none.
    static func value(of folder: MartFolder) throws(MartError) -> String? {
        var paths: [String] = []
        // A broken link has no information about keys.
        if let served = try? folder.servedNumber() { paths.append(folder.generationPath(served)) }
        for number in try folder.generationNumbers().reversed() {
            paths.append(folder.generationPath(number))
        }
        for number in try folder.historyNumbers().reversed() {
            paths.append(folder.historyPath(number))
        }
        for path in paths {
            // A file that cannot be read has no information about keys; the next older one has, and
            // a caller that opens this one for its content gets the error.
            if let file = try? MartFile(path: path, sums: .used),
                let value = try? file.meta("key_check")
            {
                return value
            }
        }
        return nil
    }
}

/// Restricts statements over a finished file: they may read its tables and call the functions of
/// Triptych's own queries.
///
/// No query of Triptych contains text from a client. If one ever did, SQLite would call this
/// authorizer before it prepares the statement, which refuses to open another file, change a
/// setting, run long on purpose or load code.
enum ReadingStatements {
    /// The functions in Triptych's queries and views.
    private static let functions: Set<String> = [
        "coalesce", "count", "date", "datetime", "max", "min", "strftime", "substr",
        "sum",
    ]
    /// The marks of a file, by which Triptych identifies it.
    private static let pragmas: Set<String> = ["application_id", "user_version"]

    /// Installs the authorizer on a connection.
    static func restrict(_ connection: OpaquePointer?) {
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_set_authorizer(
            connection,
            { _, action, first, second, _, _ in
                ReadingStatements.mayDo(action, first, second) ? SQLITE_OK : SQLITE_DENY
            },
            nil
        )
    }

    private static func mayDo(
        _ action: Int32,
        _ first: UnsafePointer<CChar>?,
        _ second: UnsafePointer<CChar>?
    ) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: true
        case SQLITE_FUNCTION: second.map { functions.contains(String(cString: $0)) } ?? false
        // Reading a pragma is allowed, setting it is not: the second argument would hold the value.
        case SQLITE_PRAGMA:
            second == nil && first.map { pragmas.contains(String(cString: $0)) } ?? false
        default: false
        }
    }
}

/// The tables that plans and generations have in common.
extension MartFile {
    /// All cells of `kpi_cube`, by primary key.
    ///
    /// - Throws: ``MartError``; with code `damaged` where numbers are too large to be added up.
    func cube() throws(MartError) -> [KPICell] {
        try requireAllSums()
        let columns = CubeTables.sumColumns.joined(separator: ", ")
        let cells = try rows(
            """
            SELECT month, trip_type, region, \(columns) FROM kpi_cube
            ORDER BY month, trip_type, region
            """
        ) { row in
            try KPICell(
                month: row[0],
                tripType: row[1],
                region: row[2],
                sums: KPISums(values: CubeTables.sumColumns.indices.map { try row[$0 + 3] })
            )
        }
        guard SumLimit.allows(cells.lazy.map(\.sums)) else { throw damaged() }
        return cells
    }

    /// All cells of `kpi_basis`, by primary key.
    ///
    /// - Throws: ``MartError``; with code `damaged` where numbers are too large to be added up.
    func basisCells() throws(MartError) -> [BasisCell] {
        let cells = try rows(
            """
            SELECT * FROM kpi_basis ORDER BY month, trip_type, region,
                CASE class WHEN 'undetermined' THEN 0 WHEN 'in_house' THEN 1 ELSE 2 END, basis
            """
        ) { row in
            try BasisCell(
                month: row["month"],
                tripType: row["trip_type"],
                region: row["region"],
                tripClass: TripClass(word: row["class"]) ?? .undetermined,
                basis: row["basis"],
                sums: CostSums(
                    trips: row["trips"],
                    costedTrips: row["costed_trips"],
                    costCents: row["cost_cents"]
                )
            )
        }
        guard SumLimit.allows(cells) else { throw damaged() }
        return cells
    }

    /// The rows of `generation_input`, by role and path.
    func inputs(role: GenerationInput.Role? = nil) throws(MartError) -> [GenerationInput] {
        let sql = """
            SELECT role, path, hash, content FROM generation_input
            WHERE role = coalesce(?, role) ORDER BY role, path
            """
        return try rows(sql, [role?.rawValue]) { row in
            guard let role = GenerationInput.Role(rawValue: try row[0]) else {
                throw self.damaged()
            }
            return try GenerationInput(
                role: role,
                path: row[1],
                hash: row[2],
                content: row[3]
            )
        }
    }
}
