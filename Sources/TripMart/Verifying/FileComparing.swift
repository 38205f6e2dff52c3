import TripDomain

/// Compares a published file with one built anew, table by table.
public struct FileComparing: Sendable {
    private let published: String
    private let rebuilt: String
    private let keys: MartKeys
    private let threadCount: Int
    /// Rows that are worth a thread of their own; fewer in tests.
    var partSize = 50_000

    /// Prepares a comparison.
    ///
    /// - Parameters:
    ///   - published: The published file.
    ///   - rebuilt: The same file as it should be.
    ///   - keys: What sealed values are opened with.
    ///   - threadCount: The threads to use; what is found does not depend on it.
    public init(_ published: String, _ rebuilt: String, keys: MartKeys, threadCount: Int) {
        self.published = published
        self.rebuilt = rebuilt
        self.keys = keys
        self.threadCount = threadCount
    }

    /// Compares all tables but those that are left out.
    ///
    /// - Parameter progress: Called with the number of tables done and of all.
    /// - Returns: A comparison per table of either file, by name.
    /// - Throws: ``MartError`` where the file that was built anew cannot be read; what cannot be read of the
    ///   published one is said in its table's comparison.
    /// - Complexity: O(*n*) in the rows of both files; where trips differ, once more in order of their ids.
    public func tables(
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(MartError) -> [TableComparison] {
        let file = try RawConnection(path: rebuilt, mode: .immutable)
        let should = try Self.schema(file)
        // A published file that is no database has no table.
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

    /// Rows of one table; of a table with numbered rows several parts at a time.
    private func compare(_ table: ComparedTable) throws(MartError) -> TableComparison {
        guard let number = table.number else { return try compare(table, nil) }
        let parts = try parts(of: table, number)
        let digests = table.sealed == nil ? try digests(table) : nil
        let results = Parallel.map(parts.count, grain: 1, threads: threadCount) { index in
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
            guard error.place?.file == published else { throw error }
            return Self.unreadable(table.name)
        }
    }

    /// The pages of a table in both files; nil where the published one's cannot be read.
    private func digests(_ table: ComparedTable) throws(MartError) -> TableDigests? {
        let should = try RowDigests(rebuilt, table: table.name)
        // Reading its rows will tell what is wrong with it.
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

    /// Ranges of numbers that hold about as many rows each, and between them all there can be.
    private func parts(
        of table: ComparedTable,
        _ number: String
    ) throws(MartError) -> [ClosedRange<Int64>] {
        let file = try RawConnection(path: rebuilt, mode: .immutable)
        let name = GenerationSchema.quoted(table.name)
        let column = GenerationSchema.quoted(number)
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
    /// Both depend on all other rows, so that one more trip would make all others look changed.
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
        // The same trips in another order are not what was built, whatever each of them says.
        guard !byID.isEqual else { return found }
        return found.filter { $0.table != "trip_row" } + [byID]
    }

    private static func unreadable(_ name: String) -> TableComparison {
        var comparison = TableComparison(name)
        comparison.isUnreadable = true
        return comparison
    }

    /// Everything a file is made of, by kind and name, with the statements that made it; and its marks.
    private static func schema(_ file: RawConnection) throws(MartError) -> [String: String] {
        var parts: [String: String] = [:]
        let rows = try file.prepare(
            "SELECT type || ' ' || name, tbl_name || char(10) || coalesce(sql, '') FROM sqlite_schema"
        )
        while try rows.step() { parts[rows.text(0)] = rows.text(1) }
        for mark in ["application_id", "user_version"] {
            parts["pragma \(mark)"] = String(try file.integer("PRAGMA \(mark)"))
        }
        return parts
    }

    /// The statements that made the tables, by name.
    private static func tables(_ schema: [String: String]) -> [String: String] {
        let kind = "table "
        let tables = schema.filter { $0.key.hasPrefix(kind) && !$0.key.hasPrefix(kind + "sqlite_") }
        return Dictionary(
            uniqueKeysWithValues: tables.map { (String($0.key.dropFirst(kind.count)), $0.value) }
        )
    }

    /// Compares tables, views, indexes, triggers and marks by what made them.
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
                found.sample("\(name): not in what was rebuilt")
            default:
                found.different += 1
                found.sample("\(name): made otherwise")
            }
        }
        if found.different > 0 { found.columns = ["sql"] }
        return found
    }
}

/// The rows of a table in a published file and in the same file built anew.
private struct TableDigests: Sendable {
    let published: RowDigests
    let rebuilt: RowDigests

    /// How many rows there are, where all are alike; nil where they are not, or cannot be read.
    func equalRows(_ rows: ClosedRange<Int64>) throws(MartError) -> Int64? {
        let should = try rebuilt.digest(rows)
        // What cannot be read is not alike.
        guard let was = try? published.digest(rows), was == should else { return nil }
        return should.rows
    }
}
