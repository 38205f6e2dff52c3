import TripDomain

/// Time stamps: a column of local times, and the column of their instants right after it.
final class TimeBlockColumn: BlockColumn {
    private let field: ValueField
    private var seconds: [Int64] = []
    private var instants: [Int64] = []
    private var nulls: [Bool] = []
    /// The rows whose zone is not known yet.
    private(set) var openTimes: [TripBuilder.OpenTime] = []
    /// The same for the current block, whose records may still turn out faulty.
    private var openRows: [(row: Int, isInstant: Bool)] = []

    var count: Int { seconds.count }

    init(_ definition: FieldDefinition, latest: LatestTime?) {
        field = ValueField(definition, latest: latest)
    }

    func append(_ cells: BlockCells, field index: Int, _ faults: RowFaults) {
        let start = seconds.count
        seconds.append(contentsOf: repeatElement(0, count: cells.count))
        instants.append(contentsOf: repeatElement(0, count: cells.count))
        nulls.append(contentsOf: repeatElement(false, count: cells.count))
        var openRows: [(row: Int, isInstant: Bool)] = []
        seconds.withUnsafeMutableBufferPointer { seconds in
            instants.withUnsafeMutableBufferPointer { instants in
                for row in 0..<cells.count {
                    switch field.convert(cells[row]) {
                    case .time(let reading):
                        seconds[start + row] = reading.seconds
                        instants[start + row] = reading.seconds
                        if case .offset(let offset) = reading.clock {
                            instants[start + row] -= Int64(offset)
                        } else {
                            openRows.append((row, reading.clock == .instant))
                        }
                    case .reject(let reason):
                        faults.note(row, field: index, reason)
                        nulls[start + row] = true
                    case .null: nulls[start + row] = true
                    case .integer, .real: preconditionFailure("the field is a time stamp")
                    }
                }
            }
        }
        self.openRows = openRows
    }

    func removeFaulty(_ faults: RowFaults) {
        let start = seconds.count - faults.rowCount
        var next = 0
        var removed = 0
        for (row, isInstant) in openRows {
            if faults.count > 0 {
                while next < row {
                    if faults.isFaulty(next) { removed += 1 }
                    next += 1
                }
                guard !faults.isFaulty(row) else { continue }
            }
            openTimes.append(TripBuilder.OpenTime(row: start + row - removed, isInstant: isInstant))
        }
        openRows.removeAll(keepingCapacity: true)
        faults.drop(from: &seconds)
        faults.drop(from: &instants)
        faults.drop(from: &nulls)
    }

    func finished() -> [Column] {
        let nulls = self.nulls.contains(true) ? self.nulls : []
        return [
            .integer(IntegerColumn(values: seconds, nulls: nulls)),
            .integer(IntegerColumn(values: instants, nulls: nulls)),
        ]
    }
}
