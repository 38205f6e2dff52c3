import TripDomain

/// The amounts of the records of one block as written, which the ledger counts before any decision.
struct BlockAmounts {
    /// Per record, its cents; nil where the amount is blank or cannot be read.
    var cents: [Int64?] = []
    /// Per record, whether its amount cannot be read.
    var isUnpriced: [Bool] = []
}

/// Whole numbers in their stored unit: cents, hundredths of miles, days, 0 and 1.
final class IntegerBlockColumn: BlockColumn {
    private let field: ValueField
    private let isRequired: Bool
    private let range: ClosedRange<Int64>?
    /// Per first byte of a cell, whether the fast reader for plain numbers may be tried.
    private let isPlainStart: [Bool]
    private let isPlainBlank: Bool
    private let holdsAmounts: Bool
    private var values: [Int64] = []
    private var nulls: [Bool] = []
    /// The amounts of the current block, where the ledger sums this field.
    private(set) var amounts = BlockAmounts()
    var count: Int { values.count }

    /// Prepares a column.
    ///
    /// - Parameters:
    ///   - definition: The field.
    ///   - holdsAmounts: Whether the ledger sums it.
    init(_ definition: FieldDefinition, holdsAmounts: Bool) {
        field = ValueField(definition)
        isRequired = definition.isRequired
        range = definition.range
        self.holdsAmounts = holdsAmounts
        let mapped = definition.valueMap.keys.map { $0.utf8.first }
        let isHundredths = definition.type == .money || definition.type == .miles
        // Cells that the value map may replace or refuse are not read by the fast path.
        isPlainBlank = !mapped.contains(nil)
        isPlainStart = (0...255).map { byte in
            isHundredths && !definition.isValueMapClosed && (0x30...0x39).contains(byte)
                && !mapped.contains(UInt8(byte))
        }
    }

    func append(_ cells: BlockCells, field index: Int, _ faults: RowFaults) {
        let start = values.count
        values.append(contentsOf: repeatElement(0, count: cells.count))
        nulls.append(contentsOf: repeatElement(false, count: cells.count))
        if holdsAmounts { beginAmounts(cells.count) }
        values.withUnsafeMutableBufferPointer { values in
            nulls.withUnsafeMutableBufferPointer { nulls in
                for row in 0..<cells.count {
                    switch converted(cells[row]) {
                    case .integer(let value):
                        values[start + row] = value
                        guard let range, !range.contains(value) else { continue }
                        faults.note(row, field: index, .outOfRange)
                    case .reject(let reason):
                        nulls[start + row] = true
                        faults.note(row, field: index, reason)
                        if holdsAmounts { amounts.isUnpriced[row] = reason != .missingValue }
                    case .null: nulls[start + row] = true
                    case .real, .time: preconditionFailure("the field is one of whole numbers")
                    }
                }
            }
        }
        guard holdsAmounts else { return }
        for row in 0..<cells.count where !nulls[start + row] {
            amounts.cents[row] = values[start + row]
        }
    }

    /// Converts a cell without checking its range.
    @inline(__always)
    private func converted(_ cell: UnsafeBufferPointer<UInt8>) -> ValueOutcome {
        guard let base = cell.baseAddress, !cell.isEmpty else {
            guard isPlainBlank else { return field.convertUnbounded(cell) }
            return isRequired ? .reject(.missingValue) : .null
        }
        if isPlainStart[Int(base[0])], let value = NumberText.plainHundredths(cell) {
            return .integer(value)
        }
        return field.convertUnbounded(cell)
    }

    private func beginAmounts(_ count: Int) {
        amounts.cents.removeAll(keepingCapacity: true)
        amounts.isUnpriced.removeAll(keepingCapacity: true)
        amounts.cents.append(contentsOf: repeatElement(nil, count: count))
        amounts.isUnpriced.append(contentsOf: repeatElement(false, count: count))
    }

    func removeFaulty(_ faults: RowFaults) {
        faults.drop(from: &values)
        faults.drop(from: &nulls)
    }

    func finished() -> [Column] {
        [.integer(IntegerColumn(values: values, nulls: nulls.contains(true) ? nulls : []))]
    }
}

/// Decimals.
final class RealBlockColumn: BlockColumn {
    private let field: ValueField
    private var values: [Double] = []
    private var nulls: [Bool] = []
    var count: Int { values.count }

    init(_ definition: FieldDefinition) {
        field = ValueField(definition)
    }

    func append(_ cells: BlockCells, field index: Int, _ faults: RowFaults) {
        for row in 0..<cells.count {
            let outcome = field.convert(cells[row])
            if case .reject(let reason) = outcome { faults.note(row, field: index, reason) }
            if case .real(let value) = outcome {
                values.append(value)
                nulls.append(false)
            } else {
                values.append(0)
                nulls.append(true)
            }
        }
    }

    func removeFaulty(_ faults: RowFaults) {
        faults.drop(from: &values)
        faults.drop(from: &nulls)
    }

    func finished() -> [Column] {
        [.real(RealColumn(values: values, nulls: nulls.contains(true) ? nulls : []))]
    }
}
