/// Many trips of one file, by column, in the order of the export.
///
///     row            0      1      2
///     columns[0]   T-17   T-03   T-44     trip_id
///     columns[1]   …                      one column per entry of the shape
///     recordNumbers  1      2      2      the third trip is the second of record 2
///
/// Classified batches also carry the rule that decided each row and whether the row counts.
public struct TripBatch: Sendable {
    /// The index of the file all rows come from, in the run's list of files in order of exports.
    public var fileIndex: Int
    /// One column per column of the shape, each with `count` rows.
    public var columns: [Column]
    /// The record each trip comes from; the first data record is 1.
    public var recordNumbers: [UInt32]
    /// The physical line each record starts on; the file's first line is 1.
    public var lineNumbers: [UInt32]
    /// The number of the deciding rule, from 1; 0 where none held.
    ///
    /// Empty before classification.
    public var ruleNumbers: [UInt16]
    /// Whether the pipeline counts the trip.
    ///
    /// Empty before classification.
    public var counted: [Bool]

    /// Makes a batch that is not classified yet.
    public init(
        fileIndex: Int,
        columns: [Column],
        recordNumbers: [UInt32],
        lineNumbers: [UInt32]
    ) {
        self.fileIndex = fileIndex
        self.columns = columns
        self.recordNumbers = recordNumbers
        self.lineNumbers = lineNumbers
        ruleNumbers = []
        counted = []
    }

    /// The number of trips.
    @inlinable public var count: Int { recordNumbers.count }
}

extension TripBatch {
    /// Some of the trips.
    ///
    /// - Parameter rows: Their rows.
    /// - Returns: A batch of those trips, in the order of the rows; columns without rows stay so.
    /// - Complexity: O(*n*) in the rows.
    public func gathered(_ rows: [Int]) -> TripBatch {
        var batch = TripBatch(
            fileIndex: fileIndex,
            columns: columns.map { $0.count == 0 ? $0 : $0.gathered(rows) },
            recordNumbers: rows.map { recordNumbers[$0] },
            lineNumbers: lineNumbers.isEmpty ? [] : rows.map { lineNumbers[$0] }
        )
        if !ruleNumbers.isEmpty { batch.ruleNumbers = rows.map { ruleNumbers[$0] } }
        if !counted.isEmpty { batch.counted = rows.map { counted[$0] } }
        return batch
    }
}

extension Column {
    /// Some of the rows, in the order given.
    fileprivate func gathered(_ rows: [Int]) -> Column {
        func gathered<Value>(_ column: NumberColumn<Value>) -> NumberColumn<Value> {
            NumberColumn(
                values: rows.map { column.values[$0] },
                nulls: column.nulls.isEmpty ? [] : rows.map { column.nulls[$0] }
            )
        }
        switch self {
        case .text(var texts):
            texts.codes = rows.map { texts.codes[$0] }
            return .text(texts)
        case .integer(let column): return .integer(gathered(column))
        case .real(let column): return .real(gathered(column))
        }
    }
}

/// The position of one trip: a batch of the run, and a row of that batch.
public struct TripPosition: Sendable, Hashable {
    /// The batch's index in the run's list.
    public let batch: UInt32
    /// The row within the batch.
    public let row: UInt32

    /// Names one row of one batch.
    @inlinable public init(batch: UInt32, row: UInt32) {
        self.batch = batch
        self.row = row
    }
}
