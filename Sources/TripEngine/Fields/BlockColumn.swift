import TripDomain

/// One field's column while it grows by blocks of records.
protocol BlockColumn: AnyObject {
    /// Converts the field's cells of a block and appends a value for each record.
    ///
    /// - Parameters:
    ///   - cells: The cells.
    ///   - field: The field's place in the layout.
    ///   - faults: Receives the records whose cell cannot be converted; their value is NULL.
    func append(_ cells: BlockCells, field: Int, _ faults: RowFaults)

    /// Takes out the values of faulty records among those appended last.
    func settle(_ faults: RowFaults)

    /// The number of values.
    var count: Int { get }

    /// The stored columns.
    func finished() -> [Column]
}

/// Which records of a block are faulty: the first faulty field of each, and why.
final class RowFaults {
    private static let none: Int32 = -1

    private var fields = [Int32](repeating: none, count: RecordBlock.maxCapacity)
    private var reasons = [RejectReason](
        repeating: .missingValue,
        count: RecordBlock.maxCapacity
    )
    /// The number of records at hand.
    private(set) var rowCount = 0
    /// The number of faulty ones.
    private(set) var count = 0

    /// Begins with so many records, none of them faulty.
    func begin(rowCount: Int) {
        if count > 0 {
            for row in 0..<self.rowCount { fields[row] = Self.none }
            count = 0
        }
        self.rowCount = rowCount
    }

    /// Notes a fault; of several in one record the first noted stands.
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
    /// What converts cells: moved out of the column while it does, so that no access in the loop has
    /// to be checked for being the only one.
    private struct Conversion: ~Copyable {
        var field: TextField
        var memo: CellMemo? = CellMemo()
        /// What each remembered cell became, by number.
        var outcomes: [TextOutcome] = [.code(0)]
        /// The number of cells that were looked for in the memo.
        private var cellCount = 0

        init(_ definition: FieldDefinition) {
            field = TextField(definition)
        }

        /// Converts cells by their numbers.
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
            // Judged again and again: a column may turn distinct later.
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

    /// The text a row has now; nil for NULL.
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

    func settle(_ faults: RowFaults) { faults.drop(from: &codes) }

    func finished() -> [Column] {
        guard let pool = conversion?.field.pool else { Self.isMissing() }
        return [.text(TextColumn(codes: codes, pool: pool))]
    }

    private static func isMissing() -> Never {
        preconditionFailure("what converts cells is put back after each block")
    }
}
