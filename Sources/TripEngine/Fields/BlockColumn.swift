import TripDomain

/// One field's column while it grows by blocks of records.
protocol BlockColumn: AnyObject {
    /// Converts the field's cells of a block and appends a value for each record.
    ///
    /// - Parameters:
    ///   - cells: The cells.
    ///   - field: The field's index in the layout.
    ///   - faults: Receives the records whose cell cannot be converted; their value is NULL.
    func append(_ cells: BlockCells, field: Int, _ faults: RowFaults)

    /// Removes the values of faulty records from those of the last block.
    func removeFaulty(_ faults: RowFaults)

    /// The number of values.
    var count: Int { get }

    /// The stored columns.
    func finished() -> [Column]
}

/// The faulty records of a block, each with its first faulty field and the reason.
final class RowFaults {
    private static let none: Int32 = -1

    private var fields = [Int32](repeating: none, count: RecordBlock.maxCapacity)
    private var reasons = [RejectReason](
        repeating: .missingValue,
        count: RecordBlock.maxCapacity
    )
    /// The number of records in the block.
    private(set) var rowCount = 0
    /// The number of faulty records.
    private(set) var count = 0

    /// Begins a block with no faulty record.
    func begin(rowCount: Int) {
        if count > 0 {
            for row in 0..<self.rowCount { fields[row] = Self.none }
            count = 0
        }
        self.rowCount = rowCount
    }

    /// Records a fault; of several in one record only the first is kept.
    @inline(never)
    func note(_ row: Int, field: Int, _ reason: RejectReason) {
        guard fields[row] == Self.none else { return }
        fields[row] = Int32(field)
        reasons[row] = reason
        count += 1
    }

    func isFaulty(_ row: Int) -> Bool { fields[row] != Self.none }

    /// The fault of a record; nil where it has none.
    func fault(_ row: Int) -> (field: Int, reason: RejectReason)? {
        isFaulty(row) ? (Int(fields[row]), reasons[row]) : nil
    }

    /// Closes the gaps that faulty records leave at the end of a column.
    ///
    /// - Parameter values: A column whose last `rowCount` values are those of the block.
    func drop<Value>(from values: inout [Value]) {
        guard count > 0 else { return }
        let start = values.count - rowCount
        var target = start
        for row in 0..<rowCount where !isFaulty(row) {
            values[target] = values[start + row]
            target += 1
        }
        values.removeLast(values.count - target)
    }
}

// MARK: - Texts

/// Texts by code.
///
/// Each distinct cell is converted once and remembered, unless most cells turn out to
/// be distinct, as trip ids are.
final class TextBlockColumn: BlockColumn {
    /// Converts cells.
    ///
    /// It is moved out of the column during the conversion, so that the loop runs without checks
    /// for exclusive access.
    private struct Conversion: ~Copyable {
        var field: TextField
        var memo: CellMemo? = CellMemo()
        /// The outcome of each remembered cell, by number.
        var outcomes: [TextOutcome] = [.code(0)]
        /// The number of cells that were looked up in the memo.
        private var cellCount = 0

        init(_ definition: FieldDefinition) {
            field = TextField(definition)
        }

        /// Converts cells through the memo: each distinct cell once.
        mutating func appendRemembered(
            _ cells: BlockCells,
            _ codes: UnsafeMutablePointer<UInt32>,
            reject: (Int, RejectReason) -> Void
        ) {
            guard var memo = memo.take() else {
                preconditionFailure("cells are remembered as long as there is a memo")
            }
            cellCount += cells.count
            for row in 0..<cells.count {
                let cell = cells[row]
                let number = Int(memo.number(of: cell))
                if number == outcomes.count { outcomes.append(field.outcome(of: cell)) }
                switch outcomes[number] {
                case .code(let code): codes[row] = code
                case .reject(let reason): reject(row, reason)
                }
            }
            // Checked after every block: cells may become mostly distinct later in the file.
            if cellCount < TextField.trialSize || memo.count * 2 <= cellCount {
                self.memo = consume memo
            } else {
                outcomes = []
            }
        }

        /// Converts cells one by one.
        mutating func appendEach(
            _ cells: BlockCells,
            _ codes: UnsafeMutablePointer<UInt32>,
            reject: (Int, RejectReason) -> Void
        ) {
            for row in 0..<cells.count {
                switch field.outcome(of: cells[row]) {
                case .code(let code): codes[row] = code
                case .reject(let reason): reject(row, reason)
                }
            }
        }

        var remembers: Bool { memo != nil }

    }

    private var conversion: Conversion?
    private(set) var codes: [UInt32] = []
    var count: Int { codes.count }

    init(_ definition: FieldDefinition) {
        conversion = Conversion(definition)
    }

    /// The text of a row; nil for NULL.
    func string(_ row: Int) -> String? { conversion?.field.pool.string(codes[row]) }

    func append(_ cells: BlockCells, field index: Int, _ faults: RowFaults) {
        guard var conversion = conversion.take() else { Self.isMissing() }
        let start = codes.count
        codes.append(contentsOf: repeatElement(0, count: cells.count))
        codes.withUnsafeMutableBufferPointer { codes in
            guard let target = codes.baseAddress.map({ $0 + start }) else { return }
            if conversion.remembers {
                conversion.appendRemembered(cells, target) { faults.note($0, field: index, $1) }
            } else {
                conversion.appendEach(cells, target) { faults.note($0, field: index, $1) }
            }
        }
        self.conversion = consume conversion
    }

    func removeFaulty(_ faults: RowFaults) { faults.drop(from: &codes) }

    func finished() -> [Column] {
        guard let pool = conversion?.field.pool else { Self.isMissing() }
        return [.text(TextColumn(codes: codes, pool: pool))]
    }

    private static func isMissing() -> Never {
        preconditionFailure("the conversion is put back after each block")
    }
}

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
        let isCut = !definition.cut.isEmpty
        isPlainBlank = !isCut && !mapped.contains(nil)
        isPlainStart = (0...255).map { byte in
            isHundredths && !isCut && !definition.isValueMapClosed && (0x30...0x39).contains(byte)
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
