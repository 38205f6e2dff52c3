import GRDB

/// One row of a result, whose values are read as the requested type, or an error is thrown.
///
/// The library's own subscripts stop the program where a value is of another type, and print the
/// row; a damaged file must do neither.
struct StoredRow {
    private let row: Row

    /// The first row of a query; nil where it has none.
    static func fetchOne(
        _ statement: Statement,
        arguments: StatementArguments
    ) throws -> StoredRow? {
        try Row.fetchOne(statement, arguments: arguments).map { StoredRow(row: $0) }
    }

    /// All rows of a query.
    static func fetchAll(
        _ db: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> [StoredRow] {
        try Row.fetchAll(db, sql: sql, arguments: arguments).map { StoredRow(row: $0) }
    }

    /// The results of a function of each row of a query; one row is in memory at a time.
    static func each<Value>(
        _ statement: Statement,
        arguments: StatementArguments,
        _ make: (StoredRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() { values.append(try make(StoredRow(row: row))) }
        return values
    }

    subscript<Value: StoredDecodable>(_ index: Int) -> Value {
        get throws {
            guard index < row.count, let value = Value(storage: row.databaseValue(at: index))
            else { throw StoredRowFault() }
            return value
        }
    }

    subscript<Value: StoredDecodable>(_ name: String) -> Value {
        get throws {
            guard let index = row.columnNames.firstIndex(of: name) else { throw StoredRowFault() }
            return try self[row.columnNames.distance(from: row.columnNames.startIndex, to: index)]
        }
    }

    /// All columns with their values, in order.
    var values: [TripValue] {
        zip(row.columnNames, row.databaseValues).map {
            TripValue(name: $0, value: StoredValue($1))
        }
    }
}

/// The error of a value that has another type than its column; it contains no value.
struct StoredRowFault: Error {}

/// A type that values of a row are read as.
protocol StoredDecodable {
    init?(storage: DatabaseValue.Storage)
}

extension Int64: StoredDecodable {
    init?(storage: DatabaseValue.Storage) {
        guard case .int64(let value) = storage else { return nil }
        self = value
    }
}

extension Int: StoredDecodable {
    init?(storage: DatabaseValue.Storage) {
        guard let value = Int64(storage: storage) else { return nil }
        self.init(value)
    }
}

extension Int32: StoredDecodable {
    init?(storage: DatabaseValue.Storage) {
        guard let value = Int64(storage: storage) else { return nil }
        self.init(exactly: value)
    }
}

extension Bool: StoredDecodable {
    init?(storage: DatabaseValue.Storage) {
        guard let value = Int64(storage: storage) else { return nil }
        self = value != 0
    }
}

extension String: StoredDecodable {
    init?(storage: DatabaseValue.Storage) {
        guard case .string(let value) = storage else { return nil }
        self = value
    }
}

extension [UInt8]: StoredDecodable {
    init?(storage: DatabaseValue.Storage) {
        guard case .blob(let data) = storage else { return nil }
        self = Array(data)
    }
}

extension Optional: StoredDecodable where Wrapped: StoredDecodable {
    init?(storage: DatabaseValue.Storage) {
        if case .null = storage {
            self = .none
        } else if let value = Wrapped(storage: storage) {
            self = .some(value)
        } else {
            return nil
        }
    }
}

extension Row {
    fileprivate func databaseValue(at index: Int) -> DatabaseValue.Storage {
        let value: DatabaseValue = self[index]
        return value.storage
    }
}
