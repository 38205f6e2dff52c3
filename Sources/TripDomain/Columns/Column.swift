/// A column of texts: a code per row into a pool; code 0 is NULL.
public struct TextColumn: Sendable {
    /// One code per row.
    public var codes: [UInt32]
    /// The distinct (or at least referenced) values; entry 0 is NULL.
    public var pool: TextPool
    /// The code of the word that replaces a missing value; 0 where no row needs one.
    ///
    /// Such rows count as NULL when versions are compared: the export's own value decides, not the
    /// word that replaces it.
    public var fillerCode: UInt32 = 0

    /// Makes a column from its codes and the pool they refer to.
    public init(codes: [UInt32], pool: TextPool) {
        self.codes = codes
        self.pool = pool
    }
}

/// A column of numbers with NULLs.
public struct NumberColumn<Value: Numeric & Sendable>: Sendable {
    /// One value per row; 0 where the row is NULL.
    public var values: [Value]
    /// True where the row is NULL; empty when no row is.
    public var nulls: [Bool]

    // Inlinable, like all its functions, because other targets read and make columns of one type
    // of number and must not do so through a generic call.
    /// Makes a column from its values and marks of NULL.
    @inlinable public init(values: [Value], nulls: [Bool] = []) {
        self.values = values
        self.nulls = nulls
    }

    /// Whether one row is NULL.
    @inlinable public func isNull(_ row: Int) -> Bool { !nulls.isEmpty && nulls[row] }

    /// One row's value; nil where it is NULL.
    @inlinable public func value(_ row: Int) -> Value? { isNull(row) ? nil : values[row] }
}

/// A column of 64-bit integers.
public typealias IntegerColumn = NumberColumn<Int64>

/// A column of IEEE doubles; used for declared decimals alone, never for money.
public typealias RealColumn = NumberColumn<Double>

/// One column of a batch.
public enum Column: Sendable {
    /// Texts by code.
    case text(TextColumn)
    /// Integers, and also dates (days) and time stamps (seconds): the shape has the kind.
    case integer(IntegerColumn)
    /// Doubles.
    case real(RealColumn)

    /// The number of rows.
    public var count: Int {
        switch self {
        case .text(let column): column.codes.count
        case .integer(let column): column.values.count
        case .real(let column): column.values.count
        }
    }

    /// The integers of a column known to hold integers.
    ///
    /// - Precondition: the column holds integers.
    public var integers: IntegerColumn {
        guard case .integer(let column) = self else {
            preconditionFailure("the shape says this column holds integers")
        }
        return column
    }

    /// The texts of a column known to hold texts.
    ///
    /// - Precondition: the column holds texts.
    public var texts: TextColumn {
        guard case .text(let column) = self else {
            preconditionFailure("the shape says this column holds texts")
        }
        return column
    }
}
