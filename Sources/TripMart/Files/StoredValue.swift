import CSQLite

/// One value as SQLite stores it.
public enum StoredValue: Sendable, Hashable {
    /// NULL.
    case null
    /// A 64-bit integer.
    case integer(Int64)
    /// An IEEE double.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    init(_ value: Int64?) {
        self = value.map { .integer($0) } ?? .null
    }

    init(_ value: Int) {
        self = .integer(Int64(value))
    }
}

/// A type that values of a row are read as.
protocol StoredDecodable {
    init?(_ stored: StoredValue)
}

/// A type whose values can be parameters of a query.
protocol StoredArgument: Sendable {
    var stored: StoredValue { get }
}

extension Int64: StoredDecodable, StoredArgument {
    init?(_ stored: StoredValue) {
        guard case .integer(let value) = stored else { return nil }
        self = value
    }

    var stored: StoredValue { .integer(self) }
}

extension Int: StoredDecodable, StoredArgument {
    init?(_ stored: StoredValue) {
        guard let value = Int64(stored) else { return nil }
        self.init(value)
    }

    var stored: StoredValue { .integer(Int64(self)) }
}

extension Int32: StoredDecodable, StoredArgument {
    init?(_ stored: StoredValue) {
        guard let value = Int64(stored) else { return nil }
        self.init(exactly: value)
    }

    var stored: StoredValue { .integer(Int64(self)) }
}

extension Bool: StoredDecodable {
    init?(_ stored: StoredValue) {
        guard let value = Int64(stored) else { return nil }
        self = value != 0
    }
}

extension String: StoredDecodable, StoredArgument {
    init?(_ stored: StoredValue) {
        guard case .text(let value) = stored else { return nil }
        self = value
    }

    var stored: StoredValue { .text(self) }
}

extension [UInt8]: StoredDecodable {
    init?(_ stored: StoredValue) {
        guard case .blob(let value) = stored else { return nil }
        self = value
    }
}

extension Optional: StoredDecodable where Wrapped: StoredDecodable {
    init?(_ stored: StoredValue) {
        if case .null = stored {
            self = .none
        } else if let value = Wrapped(stored) {
            self = .some(value)
        } else {
            return nil
        }
    }
}

extension Optional: StoredArgument where Wrapped: StoredArgument {
    var stored: StoredValue { self?.stored ?? .null }
}

/// One row of a result, whose values are read as the requested type, or an error is thrown.
///
/// A damaged file must neither stop the program nor have its values printed. A row is valid until
/// the statement steps to the next one.
struct StoredRow {
    private let statement: RawStatement

    /// The row at which a statement is.
    init(_ statement: RawStatement) {
        self.statement = statement
    }

    subscript<Value: StoredDecodable>(_ index: Int) -> Value {
        get throws(MartError) {
            guard index < statement.columnCount,
                let value = Value(statement.value(Int32(index)))
            else { throw damaged }
            return value
        }
    }

    subscript<Value: StoredDecodable>(_ name: String) -> Value {
        get throws(MartError) {
            guard let index = columns.first(where: { statement.name($0) == name }) else {
                throw damaged
            }
            return try self[Int(index)]
        }
    }

    /// All columns with their values, in order.
    var values: [TripValue] {
        columns.map { TripValue(name: statement.name($0), value: statement.value($0)) }
    }

    private var columns: Range<Int32> { 0..<statement.columnCount }

    /// The error of a value that has another type than its column; it contains no value.
    private var damaged: MartError {
        MartError(sqlite: SQLITE_CORRUPT, file: statement.path)
    }
}
