/// One row of an answer, whose values come out as what is asked for, or as an error.
///
/// A damaged file must neither stop the program nor have its values printed. Good until the
/// statement goes to its next row.
struct StoredRow {
    private let statement: RawStatement

    /// The row at which a statement stands.
    init(_ statement: RawStatement) {
        self.statement = statement
    }

    subscript<Value: StoredDecodable>(_ index: Int) -> Value {
        get throws {
            guard index < statement.columnCount,
                let value = Value(statement.value(Int32(index)))
            else { throw StoredRowFault() }
            return value
        }
    }

    subscript<Value: StoredDecodable>(_ name: String) -> Value {
        get throws {
            guard let index = columns.first(where: { statement.name($0) == name }) else {
                throw StoredRowFault()
            }
            return try self[Int(index)]
        }
    }

    /// All columns with their values, in order.
    var values: [TripValue] {
        columns.map { TripValue(name: statement.name($0), value: statement.value($0)) }
    }

    private var columns: Range<Int32> { 0..<statement.columnCount }
}

/// A value is not what the table says; names nothing of it.
struct StoredRowFault: Error {}
