import TripCrypto
import TripDomain

/// Compares a published file with a rebuilt one, table by table.
public struct FileComparing: Sendable {
    private let published: String
    private let rebuilt: String
    private let keys: MartKeys
    private let threadCount: Int
    /// The smallest number of rows in a part that a thread compares; fewer in tests.
    var partSize = 50_000

    /// Prepares a comparison.
    ///
    /// - Parameters:
    ///   - published: The published file.
    ///   - rebuilt: The rebuilt file, which is what the published one should be.
    ///   - keys: The keys that open sealed values.
    ///   - threadCount: The threads to use; the result does not depend on it.
    public init(_ published: String, _ rebuilt: String, keys: MartKeys, threadCount: Int) {
        self.published = published
        self.rebuilt = rebuilt
        self.keys = keys
        self.threadCount = threadCount
    }

    /// Compares all tables except those that are left out.
    ///
    /// - Parameter progress: Called with the number of compared tables and of all tables.
    /// - Returns: A comparison per table of either file, by name.
    /// - Throws: ``MartError`` where the rebuilt file cannot be read; a table of the published file
    ///   that cannot be read is marked in its comparison.
    /// - Complexity: O(*n*) in the rows of both files; where trips differ, they are compared once
    ///   more in order of their ids.
    public func tables(
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(MartError) -> [TableComparison] {
        let file = try RawConnection(path: rebuilt, mode: .immutable)
        let should = try Self.schema(file)
        // A published file that is not a database has no tables.
        let was = (try? Self.schema(RawConnection(path: published, mode: .immutable))) ?? [:]
        let (names, others) = (Self.tables(should), Self.tables(was))
        let all = Set(names.keys).union(others.keys).sorted()
        var found = [Self.compare(was, should)]
        for (index, name) in all.enumerated() {
            progress(index, all.count)
            guard let table = try ComparedTable(name, file) else { continue }
            guard names[name] == others[name] else {
                found.append(Self.unreadable(name))
                continue
            }
            found.append(try compare(table))
        }
        progress(all.count, all.count)
        return try trips(found)
    }

    /// Compares the rows of one table; a table with numbered rows in several parts in parallel.
    private func compare(_ table: ComparedTable) throws(MartError) -> TableComparison {
        guard let number = table.number else { return try compare(table, nil) }
        let parts = try parts(of: table, number)
        let digests = table.sealed == nil ? try digests(table) : nil
        let results = Parallel.map(parts.count, threads: threadCount) { index in
            Result { () throws(MartError) in
                if let rows = try digests?.equalRows(parts[index]) {
                    var alike = TableComparison(table.name)
                    (alike.published, alike.rebuilt) = (rows, rows)
                    return alike
                }
                return try compare(table, parts[index])
            }
        }
        var all = TableComparison(table.name)
        for result in results { all.append(try result.get()) }
        return all
    }

    private func compare(
        _ table: ComparedTable,
        _ part: ClosedRange<Int64>?
    ) throws(MartError) -> TableComparison {
        let should = try rows(rebuilt, table, part)
        do throws(MartError) {
            let was = try rows(published, table, part)
            var rows = RowComparison(table, was, should, keys: keys)
            return try rows.run()
        } catch {
            guard error.position?.file == published else { throw error }
            return Self.unreadable(table.name)
        }
    }

    /// The digests of a table in both files; nil where the published file's pages cannot be read.
    private func digests(_ table: ComparedTable) throws(MartError) -> TableDigests? {
        let should = try RowDigests(rebuilt, table: table.name)
        // Reading the rows reports the error.
        guard let was = try? RowDigests(published, table: table.name) else { return nil }
        return TableDigests(published: was, rebuilt: should)
    }

    private func rows(
        _ path: String,
        _ table: ComparedTable,
        _ part: ClosedRange<Int64>?
    ) throws(MartError) -> RawStatement {
        let file = try RawConnection(path: path, mode: .immutable)
        let statement = try file.prepare(table.select(isPart: part != nil))
        if let part {
            statement.bind(.integer(part.lowerBound), 1)
            statement.bind(.integer(part.upperBound), 2)
        }
        return statement
    }

    /// Ranges of row numbers that hold about the same number of rows each and together cover all
    /// integers.
    private func parts(
        of table: ComparedTable,
        _ number: String
    ) throws(MartError) -> [ClosedRange<Int64>] {
        let file = try RawConnection(path: rebuilt, mode: .immutable)
        let name = QuotedText.quoted(table.name)
        let column = QuotedText.quoted(number)
        let count = Int(try file.integer("SELECT count(*) FROM \(name)"))
        let first = try file.integer("SELECT min(\(column)) FROM \(name)")
        let last = try file.integer("SELECT max(\(column)) FROM \(name)")
        let partCount = min(64, max(1, count / partSize))
        let width = UInt64(bitPattern: last &- first) / UInt64(partCount)
        let cuts = (1..<max(1, partCount)).map { first &+ Int64(bitPattern: UInt64($0) * width) }
        let starts = [Int64.min] + cuts
        let ends = cuts.map { $0 - 1 } + [Int64.max]
        return zip(starts, ends).map { $0...$1 }
    }

    /// Compares trips by their ids where the same trips may have other numbers or codes.
    ///
    /// Numbers and codes depend on all other rows: one more trip would make all others look
    /// changed.
    private func trips(_ found: [TableComparison]) throws(MartError) -> [TableComparison] {
        func named(_ name: String) -> TableComparison? { found.first { $0.table == name } }
        guard let rows = named("trip_row"), !rows.isUnreadable else { return found }
        let isSameCoding = ["text_value", "trip_column"].allSatisfy { named($0)?.isEqual != false }
        let isSameTrips =
            rows.missing == 0 && rows.extra == 0 && !rows.columns.contains("trip_id")
        guard !isSameCoding || !isSameTrips else { return found }
        let file = try RawConnection(path: rebuilt, mode: .immutable)
        var values: [String] = []
        let columns = try file.prepare("SELECT name FROM pragma_table_info('trip') ORDER BY cid")
        while try columns.step() {
            if !["trip_number", "trip_id"].contains(columns.text(0)) {
                values.append(columns.text(0))
            }
        }
        let table = ComparedTable(name: "trip", key: ["trip_id"], values: values)
        let byID = try compare(table, nil)
        // The same trips in another order are a difference, even where every trip is equal.
        guard !byID.isEqual else { return found }
        return found.filter { $0.table != "trip_row" } + [byID]
    }

    private static func unreadable(_ name: String) -> TableComparison {
        var comparison = TableComparison(name)
        comparison.isUnreadable = true
        return comparison
    }

    /// The schema of a file: the SQL of every object, by kind and name, and the file's marks.
    private static func schema(_ file: RawConnection) throws(MartError) -> [String: String] {
        var parts: [String: String] = [:]
        let rows = try file.prepare(
            """
            SELECT type || ' ' || name, tbl_name || char(10) || coalesce(sql, '')
            FROM sqlite_schema
            """
        )
        while try rows.step() { parts[rows.text(0)] = rows.text(1) }
        for mark in ["application_id", "user_version"] {
            parts["pragma \(mark)"] = String(try file.integer("PRAGMA \(mark)"))
        }
        return parts
    }

    /// The CREATE statements of the tables, by name.
    private static func tables(_ schema: [String: String]) -> [String: String] {
        let kind = "table "
        let tables = schema.filter { $0.key.hasPrefix(kind) && !$0.key.hasPrefix(kind + "sqlite_") }
        return Dictionary(
            uniqueKeysWithValues: tables.map { (String($0.key.dropFirst(kind.count)), $0.value) }
        )
    }

    /// Compares tables, views, indexes and triggers by their SQL, and the marks by their values.
    private static func compare(
        _ was: [String: String],
        _ should: [String: String]
    ) -> TableComparison {
        var found = TableComparison("sqlite_schema")
        (found.published, found.rebuilt) = (Int64(was.count), Int64(should.count))
        for name in Set(was.keys).union(should.keys).sorted() where was[name] != should[name] {
            switch (was[name], should[name]) {
            case (nil, _):
                found.missing += 1
                found.sample("\(name): missing")
            case (_, nil):
                found.extra += 1
                found.sample("\(name): not in the rebuilt file")
            default:
                found.different += 1
                found.sample("\(name): another definition")
            }
        }
        if found.different > 0 { found.columns = ["sql"] }
        return found
    }
}

/// The digests of a table in a published file and in the rebuilt one.
private struct TableDigests: Sendable {
    let published: RowDigests
    let rebuilt: RowDigests

    /// The number of rows where all are equal; nil where they differ or cannot be read.
    func equalRows(_ rows: ClosedRange<Int64>) throws(MartError) -> Int64? {
        let should = try rebuilt.digest(rows)
        // Rows that cannot be read count as different.
        guard let was = try? published.digest(rows), was == should else { return nil }
        return should.rows
    }
}

/// Computes digests of the rows of a numbered table from the pages of a file.
///
/// Equal digests mean equal rows; computing them is several times as fast as stepping through the
/// rows with SQLite.
struct RowDigests {
    /// The digest of some rows, and their number.
    struct Digest: Hashable {
        let rows: Int64
        let bytes: [UInt8]
    }

    private let tree: TreeReader
    private let outline: TreeReader.Outline

    /// Finds the table's pages.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - table: The table.
    /// - Throws: ``MartError`` of the file.
    init(_ path: String, table: String) throws(MartError) {
        let statement = try RawConnection(path: path, mode: .immutable)
            .prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?")
        statement.bind(.text(table), 1)
        let root = try statement.step() ? Int(statement.integer(0)) : 0
        tree = try TreeReader(path: path)
        outline = try tree.outline(root: root, .table)
    }

    /// Reads some rows.
    ///
    /// - Parameter rows: Their numbers; not all need to exist.
    /// - Returns: The digest of those that exist.
    /// - Throws: ``MartError`` of the file.
    /// - Complexity: O(*n*) in the bytes of the rows.
    func digest(_ rows: ClosedRange<Int64>) throws(MartError) -> Digest {
        var hash = SHA256()
        var count: Int64 = 0
        let leaves = tree.leaves(of: rows, in: outline)
        try tree.each(outline, leaves: leaves, .table) { number, record throws(MartError) in
            guard rows.contains(number) else { return }
            count += 1
            // The size separates records: bytes cannot move from the end of one to the next.
            withUnsafeBytes(of: (number, record.count)) { hash.update($0) }
            hash.update(record)
        }
        return Digest(rows: count, bytes: hash.finish())
    }
}
