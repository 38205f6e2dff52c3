import TripDomain

/// Turns records into trips and rejects, a block of records at a time and a column at a time.
///
/// The result equals that of ``TripBuilder``, which converts the same records one by one; tests
/// compare the two. Only ``TripBuilder`` handles layouts with several trips per record.
///
/// BE ADVISED: codes in the pools of texts may differ between the two, since this builder converts
/// every field of a record even if an earlier one is faulty. The texts of the codes do not differ.
final class BlockBuilder: SliceBuilder {
    private let plan: RecordPlan
    private let block: RecordBlock
    private let faults = RowFaults()
    /// Per field, in the layout's order.
    private let columns: [any BlockColumn]
    /// Per field, the source of its cells.
    private let sources: [CellSource]
    private let cost: IntegerBlockColumn?
    private let tripIDs: TextBlockColumn?
    /// The amounts read so far, without the records of the current block.
    private(set) var read = LedgerAmount()
    private(set) var setAside: RejectList
    /// What was set aside, where its cost is derived; nil where it need not be kept.
    private(set) var rejected: RejectedRecords?
    /// Lines that are no records and lie between or after those of the block, in order.
    private var waiting: [(reject: Reject, text: [UInt8])] = []
    /// None: a record with one trip lists no units.
    let repetitions: [RepeatedUnit] = []
    private(set) var recordIndexes: [UInt32] = []
    private(set) var lineIndexes: [UInt32] = []

    private enum CellSource {
        case column(Int)
        /// Several columns, or none, and the text between them; see ``RecordBlock/joinedCells``.
        case joined([Int], [UInt8], IdentifierParts?, isTripID: Bool, NeededParts)
        /// The first of several columns that can be read.
        case first([Int], FirstReadable)
    }

    /// Prepares for the records of one slice.
    ///
    /// - Precondition: No field of the layout lists several units.
    init(plan: RecordPlan, limits: RejectLimits, keepsRejected: Bool = false) {
        setAside = RejectList(limits)
        rejected = keepsRejected ? RejectedRecords() : nil
        precondition(plan.splitField == nil, "records of several trips are built one by one")
        self.plan = plan
        block = RecordBlock(fieldCount: plan.columnCount)
        let columns = plan.fields.indices.map { index -> any BlockColumn in
            let definition = plan.fields[index].definition
            return switch definition.type {
            case .text, .patientID, .npi, .codes: TextBlockColumn(definition)
            case .decimal: RealBlockColumn(definition)
            case .timestamp:
                TimeBlockColumn(definition, latest: plan.latest(index))
            case .money, .miles, .integer, .boolean, .date:
                IntegerBlockColumn(definition, holdsAmounts: index == plan.costField)
            }
        }
        self.columns = columns
        sources = plan.fields.enumerated().map { index, field in
            if field.columnIndexes.count == 1, field.definition.constant == nil {
                return .column(field.columnIndexes[0])
            }
            if let constant = field.definition.constant {
                return .joined([], Array(constant.utf8), nil, isTripID: false, .none)
            }
            if field.definition.isFirstReadable {
                return .first(
                    field.columnIndexes,
                    FirstReadable(field.definition, latest: plan.latest(index))
                )
            }
            return .joined(
                field.columnIndexes,
                Array(field.definition.joiner.utf8),
                IdentifierParts.isNeeded(for: field.definition)
                    ? IdentifierParts(field.definition) : nil,
                isTripID: index == plan.tripIDField,
                NeededParts(field.definition)
            )
        }
        cost = plan.costField.map { index in
            guard let column = columns[index] as? IntegerBlockColumn else {
                preconditionFailure("a checked pipeline's cost is an amount of money")
            }
            return column
        }
        tripIDs = columns[plan.tripIDField] as? TextBlockColumn
    }

    /// The number of trips so far, without the records of the current block.
    var count: Int { recordIndexes.count }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - cells: Its cells, without escapes, in UTF-8; valid until the builder is flushed.
    ///   - position: The position of the record.
    @inline(__always)
    func add(_ cells: CellRow, at position: RecordPosition) {
        block.add(cells, at: position)
        if block.isFull { flush() }
    }

    /// Adds a record whose cells are valid only during the call.
    func addCopy(of cells: CellRow, textSize: Int, at position: RecordPosition) {
        add(block.copy(of: cells, textSize: textSize), at: position)
    }

    /// Adds a line or record the scanner could not read as a record of the header's shape.
    func addUnreadable(reason: RejectReason, text: [UInt8], at position: RecordPosition) {
        read += LedgerAmount(items: 1, cents: 0, unpriced: 1)
        let reject = Reject(reason, at: position, field: nil, isUnpriced: true)
        guard block.count > 0 else { return setAside.append(reject, text: text) }
        // It waits for the records of the block before it, so that rejects are kept in the order of
        // the file. To convert the block at once would cost a file of which every other line is
        // none several times as much as a clean one.
        waiting.append((reject, text))
        if waiting.count == RecordBlock.maxCapacity { flush() }
    }

    /// Converts the records of the block.
    func flush() {
        guard block.count > 0 else { return }
        faults.begin(rowCount: block.count)
        for (index, column) in columns.enumerated() {
            column.append(cells(index), field: index, faults)
        }
        addRead()
        addRejects()
        for column in columns { column.removeFaulty(faults) }
        Self.addPositions(of: block, faults, to: &recordIndexes, &lineIndexes)
        // Columns of unequal length would give a trip the values of another one.
        precondition(columns.allSatisfy { $0.count == count }, "columns have a value per trip")
        block.clear()
    }

    /// Adds where the records lie that have no fault.
    ///
    /// The lists are passed, so that each is accessed once per block and not once per record.
    private static func addPositions(
        of block: RecordBlock,
        _ faults: RowFaults,
        to recordIndexes: inout [UInt32],
        _ lineIndexes: inout [UInt32]
    ) {
        for row in 0..<block.count where !faults.isFaulty(row) {
            let position = block.position(row)
            recordIndexes.append(UInt32(truncatingIfNeeded: position.recordIndex))
            lineIndexes.append(UInt32(truncatingIfNeeded: position.lineIndex))
        }
    }

    private func cells(_ field: Int) -> BlockCells {
        switch sources[field] {
        case .column(let column): block.cells(column)
        case .first(let columns, let choice): block.firstReadableCells(columns, choice)
        case .joined(let columns, let joiner, let identifier, let isTripID, let needed):
            block.joinedCells(
                columns,
                joiner: joiner,
                identifier: identifier,
                isTripID: isTripID,
                needed: needed
            )
        }
    }

    /// Adds the records to the amounts read, before anything is decided about them.
    private func addRead() {
        var amount = LedgerAmount(items: Int64(block.count), cents: 0, unpriced: 0)
        if let amounts = cost?.amounts {
            for row in 0..<block.count {
                amount.cents += amounts.cents[row] ?? 0
                amount.unpriced += amounts.isUnpriced[row] ? 1 : 0
            }
        }
        read += amount
    }

    /// Sets aside the faulty records of the block and what waits for them, in the file's order.
    private func addRejects() {
        guard faults.count > 0 || !waiting.isEmpty else { return }
        let firstRow = (tripIDs?.codes.count ?? 0) - block.count
        var next = 0
        for row in 0..<block.count {
            guard let (field, reason) = faults.fault(row) else { continue }
            let position = block.position(row)
            while next < waiting.count, waiting[next].reject.recordNumber < position.recordIndex {
                setAside.append(waiting[next].reject, text: waiting[next].text)
                next += 1
            }
            if rejected != nil, !setAside.isOver {
                rejected?.add(
                    setAside.rejects.count,
                    .record([]),
                    at: position,
                    cells: (0..<plan.columnCount).map { block.cells($0)[row] }
                )
            }
            setAside.append(
                Reject(
                    reason,
                    at: position,
                    field: plan.fields[field].definition.name,
                    amountCents: cost?.amounts.cents[row],
                    isUnpriced: cost?.amounts.isUnpriced[row] ?? false,
                    // Converted like the id of an accepted trip, so that rejected corrections are
                    // matched with their trip.
                    tripID: tripIDs?.string(firstRow + row)
                ),
                text: Array(block.raw(row))
            )
        }
        for (reject, text) in waiting[next...] { setAside.append(reject, text: text) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// - Precondition: The block is flushed.
    func finishedColumns() -> [Column] {
        var finished = [Column?](repeating: nil, count: plan.columnKinds.count)
        for (field, column) in zip(plan.fields, columns) {
            for (offset, one) in column.finished().enumerated() {
                finished[field.shapeIndex + offset] = one
            }
        }
        // Stored columns that no field of this layout fills.
        return zip(plan.columnKinds, finished).map { kind, column in
            column ?? Column(nulls: count, kind: kind)
        }
    }

    var openTimes: [Int: [TripBuilder.OpenTime]] {
        var times: [Int: [TripBuilder.OpenTime]] = [:]
        for (field, column) in zip(plan.fields, columns) {
            guard let open = (column as? TimeBlockColumn)?.openTimes, !open.isEmpty else {
                continue
            }
            times[field.shapeIndex] = open
        }
        return times
    }
}

extension Column {
    /// A column without a value.
    init(nulls count: Int, kind: ColumnKind) {
        var buffer = ColumnBuffer(kind: kind)
        for _ in 0..<count { buffer.appendNull() }
        self = buffer.column(pool: TextPool())
    }
}

extension Reject {
    /// Describes a reject of one record, with its position counted within its slice.
    init(
        _ reason: RejectReason,
        at position: RecordPosition,
        itemCount: Int = 1,
        field: String?,
        amountCents: Int64? = nil,
        isUnpriced: Bool,
        tripID: String? = nil
    ) {
        self.init(
            fileIndex: 0,
            recordNumber: position.recordIndex,
            lineNumber: position.lineIndex,
            byteOffset: position.byteOffset,
            byteSize: position.byteSize,
            itemCount: itemCount,
            field: field,
            reason: reason,
            amountCents: amountCents,
            isUnpriced: isUnpriced,
            tripID: tripID
        )
    }
}

/// One column of a batch while it grows value by value.
///
/// It is a type beside ``BlockColumn`` because it takes one value of any kind at a time, where
/// records are built one by one; a block's columns know their kind and loop over the block.
struct ColumnBuffer: Sendable {
    private let kind: ColumnKind
    private var codes: [UInt32] = []
    private var integers: [Int64] = []
    private var reals: [Double] = []
    private var nulls: [Bool] = []
    private var hasNull = false

    init(kind: ColumnKind) {
        self.kind = kind
    }

    mutating func append(code: UInt32) {
        codes.append(code)
    }

    mutating func append(integer: Int64) {
        integers.append(integer)
        nulls.append(false)
    }

    mutating func append(real: Double) {
        reals.append(real)
        nulls.append(false)
    }

    mutating func appendNull() {
        switch kind {
        case .text, .patient: codes.append(0)
        case .decimal:
            reals.append(0)
            nulls.append(true)
        default:
            integers.append(0)
            nulls.append(true)
        }
        hasNull = true
    }

    /// The finished column.
    ///
    /// - Parameter pool: The pool that codes refer to; columns without codes ignore it.
    /// - Returns: The column.
    func column(pool: TextPool) -> Column {
        let nulls = hasNull ? self.nulls : []
        return switch kind {
        case .text, .patient: .text(TextColumn(codes: codes, pool: pool))
        case .decimal: .real(RealColumn(values: reals, nulls: nulls))
        default: .integer(IntegerColumn(values: integers, nulls: nulls))
        }
    }
}
