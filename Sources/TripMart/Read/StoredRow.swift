import CSQLite

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
