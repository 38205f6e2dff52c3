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
