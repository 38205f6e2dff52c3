import CSQLite

/// Compares the rows of a table in two files by a merge in order of the key.
struct RowComparison {
    private let table: ComparedTable
    private let published: RawStatement
    private let rebuilt: RawStatement
    private let keys: MartKeys
    private var result: TableComparison

    /// - Parameters:
    ///   - table: The table.
    ///   - published: The rows as they were published.
    ///   - rebuilt: The rows of the rebuilt file.
    ///   - keys: The keys that open sealed values.
    init(
        _ table: ComparedTable,
        _ published: RawStatement,
        _ rebuilt: RawStatement,
        keys: MartKeys
    ) {
        self.table = table
        self.published = published
        self.rebuilt = rebuilt
        self.keys = keys
        result = TableComparison(table.name)
    }

    /// Compares all rows.
    ///
    /// - Returns: The differences.
    /// - Throws: ``MartError`` where a file cannot be read.
    /// - Complexity: O(*n*) in the rows.
    mutating func run() throws(MartError) -> TableComparison {
        var hasPublished = try published.step()
        var hasRebuilt = try rebuilt.step()
        while hasPublished || hasRebuilt {
            let order = hasPublished ? (hasRebuilt ? keyOrder : -1) : 1
            if order <= 0 { result.published += 1 }
            if order >= 0 { result.rebuilt += 1 }
            switch order {
            case ..<0:
                result.extra += 1
                sample(published) { "not in the rebuilt file" }
            case 1...:
                result.missing += 1
                sample(rebuilt) { "missing" }
            default:
                compareValues()
            }
            if order <= 0 { hasPublished = try published.step() }
            if order >= 0 { hasRebuilt = try rebuilt.step() }
        }
        result.columns = table.values.filter { result.columns.contains($0) }
        return result
    }

    /// Whether the published row comes before the rebuilt one, is the same, or comes after it.
    private var keyOrder: Int {
        for column in table.key.indices {
            let order = StatementValue.order(published, rebuilt, Int32(column))
            if order != 0 { return order }
        }
        return 0
    }

    private mutating func compareValues() {
        let first = table.key.count
        var found: [Int] = []
        for index in table.values.indices {
            let column = first + index
            if StatementValue.areEqual(published, rebuilt, Int32(column)) { continue }
            if column == table.sealed, opensAlike(Int32(column)) { continue }
            found.append(index)
        }
        guard !found.isEmpty else { return }
        result.different += 1
        for index in found where !result.columns.contains(table.values[index]) {
            result.columns.append(table.values[index])
        }
        sample(published) { [table, published, rebuilt] in
            found.map { index in
                let column = Int32(first + index)
                guard table.showsNumbers,
                    let was = StatementValue.number(published, column),
                    let should = StatementValue.number(rebuilt, column)
                else { return table.values[index] }
                return "\(table.values[index]) \(was) (rebuilt \(should))"
            }.joined(separator: ", ")
        }
    }

    /// Whether two sealed values open to the same bytes.
    private func opensAlike(_ column: Int32) -> Bool {
        guard StatementValue.isNumber(published, 0) else { return false }
        let row = published.integer(0)
        func opened(_ statement: RawStatement) -> [UInt8]? {
            // A value that does not open counts as different; the error itself does not matter
            // here.
            try? keys.open(
                Array(statement.bytes(column)),
                table: table.name,
                column: table.values[Int(column) - table.key.count],
                row: row
            )
        }
        guard let was = opened(published), let should = opened(rebuilt) else { return false }
        return was == should
    }

    /// Adds a row to the samples, named by the part of its key that may be shown.
    private mutating func sample(_ row: RawStatement, _ text: () -> String) {
        guard result.samples.count < TableComparison.sampleCount else { return }
        let name = name(of: row)
        result.sample(name.isEmpty ? text() : "\(name): \(text())")
    }

    private func name(of row: RawStatement) -> String {
        switch table.name {
        case "trip", "trip_row", "trip_version":
            let column = (table.key + table.values).firstIndex(of: "trip_id") ?? 0
            return keys.ref(ofTrip: row.text(Int32(column))).text
        case "patient": return "a patient"
        default:
            return table.key.indices.map { row.text(Int32($0)) }.joined(separator: ", ")
        }
    }
}

/// Compares values of rows bit for bit, as SQLite stores them.
enum StatementValue {
    /// Whether two rows have the same value in a column.
    static func areEqual(_ left: RawStatement, _ right: RawStatement, _ column: Int32) -> Bool {
        let kind = sqlite3_column_type(left.handle, column)
        guard kind == sqlite3_column_type(right.handle, column) else { return false }
        switch kind {
        case SQLITE_INTEGER: return left.integer(column) == right.integer(column)
        case SQLITE_FLOAT:
            return sqlite3_column_double(left.handle, column).bitPattern
                == sqlite3_column_double(right.handle, column).bitPattern
        case SQLITE_NULL: return true
        default: return left.bytes(column).elementsEqual(right.bytes(column))
        }
    }

    /// The order of two rows by a column, as SQLite orders integers and texts: below zero where the
    /// left one comes first.
    static func order(_ left: RawStatement, _ right: RawStatement, _ column: Int32) -> Int {
        let kinds = [left, right].map { sqlite3_column_type($0.handle, column) }
        guard kinds[0] == kinds[1] else { return rank(kinds[0]) < rank(kinds[1]) ? -1 : 1 }
        if kinds[0] == SQLITE_INTEGER {
            let (left, right) = (left.integer(column), right.integer(column))
            return left < right ? -1 : left > right ? 1 : 0
        }
        let (left, right) = (left.bytes(column), right.bytes(column))
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// An integer as text; nil for other values.
    static func number(_ row: RawStatement, _ column: Int32) -> String? {
        isNumber(row, column) ? row.text(column) : nil
    }

    /// Whether a value is an integer.
    static func isNumber(_ row: RawStatement, _ column: Int32) -> Bool {
        sqlite3_column_type(row.handle, column) == SQLITE_INTEGER
    }

    /// The order of types in SQLite: NULL, then numbers, then texts, then bytes.
    private static func rank(_ kind: Int32) -> Int {
        switch kind {
        case SQLITE_NULL: 0
        case SQLITE_INTEGER, SQLITE_FLOAT: 1
        case SQLITE_TEXT: 2
        default: 3
        }
    }
}
