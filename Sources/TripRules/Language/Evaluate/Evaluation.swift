public import TripDomain

/// Computes nodes over one set of rows.
///
/// The rows are a batch's trips, the distinct values of one of its coded columns, the rows of a
/// reference table, or a single row where the expression reads nothing. A subtree that reads one
/// coded column alone is computed over its distinct values, where these are fewer than the trips,
/// and the results are copied to the trips by code.
final class Evaluation {
    /// What the rows are.
    enum Rows {
        case trips(Frame, kinds: [ColumnKind])
        case distinctValues(TextPool)
        case reference(ReferenceTable)
        case one
    }

    private let rows: Rows
    let rowCount: Int
    /// Columns of texts as read so far; dates become text once per batch.
    private var textColumns: [Int: TextColumn] = [:]

    init(_ rows: Rows) {
        self.rows = rows
        rowCount =
            switch rows {
            case .trips(let frame, _): frame.rowCount
            case .distinctValues(let pool): pool.count
            case .reference(let table): table.rowCount + 1
            case .one: 1
            }
    }

    /// The column a subtree depends on, where computing per distinct value costs less.
    func distinct(_ source: NodeSource) -> (values: Evaluation, codes: [UInt32])? {
        guard case .column(let index) = source, case .trips = rows else { return nil }
        let column = textColumn(index)
        guard column.pool.count <= rowCount else { return nil }
        return (Evaluation(.distinctValues(column.pool)), column.codes)
    }

    /// The rows of a lookup's table, per trip.
    func matchedRows(_ lookup: Int) -> [UInt32] {
        guard case .trips(let frame, _) = rows else {
            preconditionFailure("looked-up values occur among trips alone")
        }
        precondition(frame.matches[lookup].rows.count == rowCount, "a lookup has a row per trip")
        return frame.matches[lookup].rows
    }

    /// How many rows a lookup found, per trip.
    func matchCounts(_ lookup: Int) -> Vector<Int64> {
        guard case .trips(let frame, _) = rows else {
            preconditionFailure("match counts occur among trips alone")
        }
        let counts = frame.matches[lookup].counts
        guard counts.isEmpty else {
            precondition(counts.count == rowCount, "a lookup has a count per trip")
            return Vector(values: counts)
        }
        return Vector(values: Loops.each(matchedRows(lookup)) { $0 == 0 ? 0 : 1 })
    }

    /// A column of texts.
    func texts(column index: Int) -> TextVector {
        if case .distinctValues(let pool) = rows {
            return TextVector(
                codes: Vector(values: Array(0..<UInt32(pool.count))),
                pool: pool
            )
        }
        let column = textColumn(index)
        return TextVector(codes: Vector(values: column.codes), pool: column.pool)
    }

    /// A stored column of numbers.
    func numbers(column index: Int) -> Column {
        guard case .trips(let frame, _) = rows else {
            preconditionFailure("columns of numbers occur among trips alone")
        }
        precondition(frame.columns[index].count == rowCount, "a column has a row per trip")
        return frame.columns[index]
    }

    /// A stored column of a reference table.
    func reference(column index: Int) -> (Column, ColumnKind) {
        guard case .reference(let table) = rows else {
            preconditionFailure("reference columns occur within a lookup's subtree alone")
        }
        return (table.columns[index], table.columnKinds[index])
    }

    private func textColumn(_ index: Int) -> TextColumn {
        if let column = textColumns[index] { return column }
        guard case .trips(let frame, let kinds) = rows else {
            preconditionFailure("columns of texts occur among trips alone")
        }
        precondition(frame.columns[index].count == rowCount, "a column has a row per trip")
        let column = Self.texts(frame.columns[index], kinds[index])
        textColumns[index] = column
        return column
    }

    /// A stored column as texts: dates and time stamps are written out.
    static func texts(_ column: Column, _ kind: ColumnKind) -> TextColumn {
        switch column {
        case .text(let texts): texts
        case .integer(let numbers) where kind == .date: DateTexts.dates(numbers)
        case .integer(let numbers) where kind == .timestamp: DateTexts.timestamps(numbers)
        default: preconditionFailure("the scope says that this column holds texts or dates")
        }
    }

    /// The days or seconds of a column, where it is stored so and a node reads just the column.
    func dateNumbers(_ node: ValueNode) -> (numbers: IntegerColumn, isTimestamp: Bool)? {
        guard case .text(let text) = node, case .column(let index) = text.operation,
            case .trips(let frame, let kinds) = rows,
            case .integer(let numbers) = frame.columns[index]
        else { return nil }
        precondition(numbers.values.count == rowCount, "a column has a row per trip")
        return (numbers, kinds[index] == .timestamp)
    }
}

/// The rows a lookup found for the trips of a batch.
public struct MatchedRows: Sendable {
    /// The row of the reference table per trip; 0 where none held.
    public var rows: [UInt32]
    /// How many rows held per trip; empty for a lookup of which at most one can.
    public var counts: [Int64]
    /// The number of trips whose keys are all present.
    public var keyed: Int64 = 0
    /// The number of keyed trips for which no row held.
    public var unmatched: Int64 = 0

    /// Gathers what a lookup found.
    ///
    /// - Parameters:
    ///   - rows: The row of the reference table per trip; 0 where none held.
    ///   - counts: How many rows held per trip; empty where at most one can.
    public init(rows: [UInt32], counts: [Int64] = []) {
        self.rows = rows
        self.counts = counts
    }
}

/// What programs read for one batch of trips.
public struct Frame: Sendable {
    /// The number of trips.
    public let rowCount: Int
    /// One column per column of the scope, in its order.
    ///
    /// Dates and time stamps are stored as days and seconds, and become text only where a program
    /// reads them as text. Columns that no program reads may be empty.
    public var columns: [Column]
    /// What each lookup of the scope found, in its order.
    public var matches: [MatchedRows]

    /// Gathers the inputs of one batch.
    ///
    /// - Parameters:
    ///   - rowCount: The number of trips.
    ///   - columns: One column per column of the scope.
    ///   - matches: What each lookup of the scope found.
    public init(rowCount: Int, columns: [Column], matches: [MatchedRows] = []) {
        self.rowCount = rowCount
        self.columns = columns
        self.matches = matches
    }
}
