import GRDB
import GRDBSQLite

/// One row of the accounts' file, whose values are read as the expected type or are an error.
///
/// The library's own subscripts end the program where a value is of another type, and print the
/// row: an address and the hash of a password. One damaged byte is enough, since `STRICT` and
/// `NOT NULL` are checked only when a row is written.
///
/// The mart's rows are read by a similar type, which cannot be shared: neither target may import
/// the other, and a third target for both would forbid nothing. This type also checks that numbers
/// fit 53 bits, so that times and counts can be added and subtracted, and that a flag is 0 or 1.
struct IdentityRow {
    private let row: Row

    /// The magnitude of times, counts and account numbers is below this.
    fileprivate static let magnitudeEnd: UInt64 = 1 << 53

    /// The first row of a query; nil where it has none.
    static func fetchOne(
        _ db: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> IdentityRow? {
        try Row.fetchOne(db, sql: sql, arguments: arguments).map { IdentityRow(row: $0) }
    }

    /// All rows of a query.
    static func fetchAll(
        _ db: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> [IdentityRow] {
        try Row.fetchAll(db, sql: sql, arguments: arguments).map { IdentityRow(row: $0) }
    }

    subscript<Value: IdentityDecodable>(_ name: String) -> Value {
        get throws {
            // The damaged byte may be in the schema, in the name of a column.
            guard row.hasColumn(name) else { throw IdentityFault.damaged }
            // The value is read as stored, which the library allows for any type.
            let stored: DatabaseValue = row[name]
            guard let value = Value(stored: stored.storage) else { throw IdentityFault.damaged }
            return value
        }
    }
}

extension IdentityFault {
    /// A value of the accounts' file does not have the type of its column; the fault does not quote
    /// it.
    static let damaged = IdentityFault.store(code: SQLITE_CORRUPT)
}

/// A type that values of a row can be read as.
protocol IdentityDecodable {
    init?(stored: DatabaseValue.Storage)
}

extension Int64: IdentityDecodable {
    init?(stored: DatabaseValue.Storage) {
        guard case .int64(let value) = stored, value.magnitude < IdentityRow.magnitudeEnd else {
            return nil
        }
        self = value
    }
}

extension Int: IdentityDecodable {
    init?(stored: DatabaseValue.Storage) {
        guard let value = Int64(stored: stored) else { return nil }
        self.init(value)
    }
}

extension Bool: IdentityDecodable {
    init?(stored: DatabaseValue.Storage) {
        guard let value = Int64(stored: stored), 0...1 ~= value else { return nil }
        self = value == 1
    }
}

extension String: IdentityDecodable {
    init?(stored: DatabaseValue.Storage) {
        guard case .string(let value) = stored else { return nil }
        self = value
    }
}

extension [UInt8]: IdentityDecodable {
    init?(stored: DatabaseValue.Storage) {
        guard case .blob(let data) = stored else { return nil }
        self = Array(data)
    }
}

extension Optional: IdentityDecodable where Wrapped: IdentityDecodable {
    init?(stored: DatabaseValue.Storage) {
        if case .null = stored {
            self = .none
        } else if let value = Wrapped(stored: stored) {
            self = .some(value)
        } else {
            return nil
        }
    }
}
