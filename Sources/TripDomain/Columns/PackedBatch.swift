/// One column of a packed batch.
///
/// It is a type beside ``Column`` because it cannot change, which is what lets its values be packed
/// and read without reference counting.
public enum PackedColumn: Sendable {
    /// Texts by code.
    case text(PackedTexts)
    /// Integers, and also dates (days) and time stamps (seconds): the shape has the kind.
    case integer(PackedIntegers)
    /// Doubles, not packed, because declared decimals are rare.
    case real(RealColumn)

    /// Packs a column.
    public init(_ column: Column) {
        switch column {
        case .text(let texts): self = .text(PackedTexts(texts))
        case .integer(let integers): self = .integer(PackedIntegers(integers))
        case .real(let reals): self = .real(reals)
        }
    }

    /// The integers of a column known to hold integers.
    ///
    /// - Precondition: the column holds integers.
    public var integers: PackedIntegers {
        guard case .integer(let column) = self else {
            preconditionFailure("the shape says this column holds integers")
        }
        return column
    }

    /// The texts of a column known to hold texts.
    ///
    /// - Precondition: the column holds texts.
    public var texts: PackedTexts {
        guard case .text(let column) = self else {
            preconditionFailure("the shape says this column holds texts")
        }
        return column
    }

    /// The doubles of a column known to hold doubles.
    ///
    /// - Precondition: the column holds doubles.
    public var reals: RealColumn {
        guard case .real(let column) = self else {
            preconditionFailure("the shape says this column holds doubles")
        }
        return column
    }
}

/// A classified batch in compact form, which a run keeps until it is written.
///
/// A run keeps all its trips in memory at once, since a later file may supersede any of them. The
/// compact form takes about a third of the memory of ``TripBatch``.
public struct PackedBatch: Sendable {
    /// The index of the file all rows come from, in the run's list of files in order of exports.
    public var fileIndex: Int
    /// One column per column of the shape, each with `count` rows.
    public private(set) var columns: [PackedColumn]
    /// The number of the deciding rule, from 1; 0 where none held.
    public private(set) var ruleNumbers: PackedIntegers
    /// 1 where the pipeline counts the trip, else 0.
    public let counted: PackedIntegers
    /// The record each trip comes from; the first data record is 1.
    public private(set) var recordNumbers: PackedIntegers
    /// The physical line each record starts on; the file's first line is 1.
    public private(set) var lineNumbers: PackedIntegers

    /// Packs a classified batch.
    ///
    /// - Complexity: O(*n*) in the values.
    public init(_ batch: TripBatch) {
        fileIndex = batch.fileIndex
        columns = batch.columns.map { PackedColumn($0) }
        ruleNumbers = PackedIntegers(batch.ruleNumbers)
        counted = PackedIntegers(batch.counted.map { $0 ? UInt8(1) : 0 })
        recordNumbers = PackedIntegers(batch.recordNumbers)
        lineNumbers = PackedIntegers(batch.lineNumbers)
    }

    /// The number of trips.
    public var count: Int { recordNumbers.count }

    /// The same trips with record and line numbers that count from the file's beginning.
    ///
    /// - Parameters:
    ///   - records: The amount added to record numbers.
    ///   - lines: The amount added to line numbers.
    /// - Returns: The numbered batch.
    public func raised(records: Int, lines: Int) -> PackedBatch {
        var copy = self
        copy.recordNumbers = recordNumbers.raised(by: Int64(records))
        copy.lineNumbers = lineNumbers.raised(by: Int64(lines))
        return copy
    }

    /// The same trips with another column.
    ///
    /// - Parameters:
    ///   - index: The column's index.
    ///   - column: The column, with as many rows.
    /// - Returns: The changed batch.
    public func replacing(_ index: Int, with column: PackedColumn) -> PackedBatch {
        var copy = self
        copy.columns[index] = column
        return copy
    }

    /// The same trips, with other deciding rules in some rows.
    ///
    /// - Parameter rules: The number of the deciding rule for each row that changes.
    /// - Returns: The changed batch.
    /// - Complexity: O(*n*) in the trips.
    public func decided(_ rules: [Int: UInt16]) -> PackedBatch {
        var copy = self
        copy.ruleNumbers = PackedIntegers(
            (0..<count).map { rules[$0] ?? UInt16(truncatingIfNeeded: ruleNumbers[$0]) }
        )
        return copy
    }
}

/// The accepted trips: all valid trips except the versions that were set aside.
public struct AcceptedTrips: Sendable {
    /// The number of accepted trips.
    public let count: Int
    /// Per batch, which rows are not accepted; empty where all are.
    private let isLeftOut: [[Bool]]

    /// Accepts all trips but some.
    ///
    /// - Parameters:
    ///   - batches: All valid trips.
    ///   - positions: The positions of the trips that are not accepted, each once.
    public init(
        of batches: [PackedBatch],
        leavingOut positions: some Collection<TripPosition> = [TripPosition]()
    ) {
        var isLeftOut = [[Bool]](repeating: [], count: batches.count)
        for position in positions {
            let batch = Int(position.batch)
            if isLeftOut[batch].isEmpty {
                isLeftOut[batch] = [Bool](repeating: false, count: batches[batch].count)
            }
            isLeftOut[batch][Int(position.row)] = true
        }
        self.isLeftOut = isLeftOut
        count = batches.reduce(0) { $0 + $1.count } - positions.count
    }

    /// Which rows of a batch are not accepted; empty where all are.
    public func leftOut(batch: Int) -> [Bool] { isLeftOut[batch] }
}

extension [PackedBatch] {
    /// Ranges of batches with about the same number of trips.
    ///
    /// - Parameter count: The approximate number of ranges.
    /// - Returns: The ranges, in order; empty without batches.
    public func runs(count: Int) -> [Range<Int>] {
        let rowCount = reduce(0) { $0 + $1.count }
        let size = rowCount / Swift.max(1, count) + 1
        var runs: [Range<Int>] = []
        var (start, rows) = (0, 0)
        for batch in indices {
            rows += self[batch].count
            if rows >= size {
                runs.append(start..<batch + 1)
                (start, rows) = (batch + 1, 0)
            }
        }
        if start < self.count { runs.append(start..<self.count) }
        return runs
    }
}
