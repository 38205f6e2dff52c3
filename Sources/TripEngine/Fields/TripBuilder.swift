import TripDomain

/// Turns records into trips and rejects, one by one: the typed columns of one slice of one file.
///
/// ``BlockBuilder`` builds layouts with one trip per record faster, with the same result.
///
/// Before any decision about a record, its items and its amount are added to `read`: the left side
/// of the ledger does not depend on the outcome of the record.
struct TripBuilder: SliceBuilder, Sendable {
    /// A time stamp that still needs its zone: the row, and whether it is an instant.
    struct OpenTime: Sendable {
        let row: Int
        let isInstant: Bool
    }

    let plan: RecordPlan
    /// The amounts of all records so far.
    private(set) var read = LedgerAmount()
    /// Records set aside, with numbers relative to the slice.
    private(set) var setAside: RejectList
    /// What was set aside, where its cost is derived; nil where it need not be kept.
    private(set) var rejected: RejectedRecords?
    /// Units that a record lists more than once, with numbers relative to the slice.
    var repetitions: [RepeatedUnit] = []
    /// Per stored time column, the rows whose zone is not known yet.
    private(set) var openTimes: [Int: [OpenTime]] = [:]
    private var buffers: [ColumnBuffer]
    var textFields: [TextField?]
    let valueFields: [ValueField]
    /// Joins the parts of each field that identifies something; nil for others.
    private let identifiers: [IdentifierParts?]
    /// Of fields that are read from the first readable column, what finds it; nil for others.
    private let choices: [FirstReadable?]
    private let slots: [FieldSlot]
    /// The fields whose amounts the units of one record share.
    let moneyFields: [Int]
    /// The values of the current record, per field.
    var staged: [StagedValue]
    private(set) var recordIndexes: [UInt32] = []
    private(set) var lineIndexes: [UInt32] = []
    /// Stored columns that no field of this layout fills.
    private let unfilled: [Int]
    /// What happens to a record that lists no unit; nil where its layout does not say.
    let ifNoUnit: UnitlessRecord?
    /// How units tell a time of their own, and the time stamp; nil where they tell none.
    let unitTime: (rule: UnitTime, field: Int)?
    /// The trip id field, where it is composed of the units' column and so differs per unit.
    let tripIDOfUnits: Int?

    /// The properties of a field that the loops need, as plain numbers.
    ///
    /// Copying a definition for every cell would cost more than reading the cell.
    private struct FieldSlot: Sendable {
        /// The stored column, the first of two for a time stamp.
        let shapeIndex: Int
        /// The field's only column in the file; -1 where it is composed or constant.
        let columnIndex: Int
        let isTime: Bool
    }

    /// The value of one field of the current record, not yet part of a column.
    enum StagedValue: Sendable {
        case value(ValueOutcome)
        case code(UInt32)
    }

    init(plan: RecordPlan, limits: RejectLimits, keepsRejected: Bool = false) {
        self.plan = plan
        rejected = keepsRejected ? RejectedRecords() : nil
        setAside = RejectList(limits)
        buffers = plan.columnKinds.map { ColumnBuffer(kind: $0) }
        textFields = plan.fields.map { field in
            switch field.definition.type {
            case .text, .patientID, .npi, .codes: TextField(field.definition)
            default: nil
            }
        }
        valueFields = plan.fields.indices.map {
            ValueField(plan.fields[$0].definition, latest: plan.latest($0))
        }
        identifiers = plan.fields.map { field in
            IdentifierParts.isNeeded(for: field.definition)
                ? IdentifierParts(field.definition) : nil
        }
        choices = plan.fields.enumerated().map { index, field in
            field.definition.isFirstReadable
                ? FirstReadable(field.definition, latest: plan.latest(index)) : nil
        }
        slots = plan.fields.map { field in
            FieldSlot(
                shapeIndex: field.shapeIndex,
                columnIndex: field.columnIndexes.count == 1 ? field.columnIndexes[0] : -1,
                isTime: field.definition.type == .timestamp
            )
        }
        moneyFields = plan.fields.indices.filter { plan.fields[$0].definition.type == .money }
        staged = [StagedValue](repeating: .code(0), count: plan.fields.count)
        let filled = plan.fields.flatMap { field in
            field.definition.type == .timestamp
                ? [field.shapeIndex, field.shapeIndex + 1] : [field.shapeIndex]
        }
        unfilled = plan.columnKinds.indices.filter { !filled.contains($0) }
        let list = plan.splitField.map { plan.fields[$0].definition }
        ifNoUnit = list?.ifNoUnit
        unitTime = list?.unitTime.flatMap { rule in plan.unitTimeField.map { (rule, $0) } }
        let unitColumns = plan.splitField.map { plan.fields[$0].columnIndexes } ?? []
        let isComposed = plan.fields[plan.tripIDField].columnIndexes.contains {
            unitColumns.contains($0)
        }
        let isOfPosition = plan.positionIDs != nil && plan.splitField != nil
        tripIDOfUnits = isComposed || isOfPosition ? plan.tripIDField : nil
    }

    /// Adds one well-formed record.
    ///
    /// - Parameters:
    ///   - cells: Its cells, unescaped and decoded to UTF-8, one per column of the header.
    ///   - position: The position of the record.
    mutating func add(_ cells: CellRow, at position: RecordPosition) {
        let units = units(in: cells)
        let itemCount = max(1, units?.reduce(0) { $0 + $1.itemCount } ?? 1)
        let (amount, isUnpriced) = amount(in: cells)
        read += LedgerAmount(
            items: Int64(itemCount),
            cents: amount ?? 0,
            unpriced: isUnpriced ? Int64(itemCount) : 0
        )
        if units?.isEmpty == true, let split = plan.splitField, ifNoUnit == .skip {
            // Before all other fields: what is no trip need not be one without a fault.
            reject(
                position,
                itemCount: 1,
                field: plan.fields[split].definition.name,
                reason: .noUnit,
                amount: amount,
                isUnpriced: isUnpriced,
                cells: cells,
                raw: Array(cells.raw),
                unit: nil,
                part: .record([])
            )
            return
        }
        for index in slots.indices where index != plan.splitField && index != tripIDOfUnits {
            guard let (field, reason) = stage(index, cells) else { continue }
            reject(
                position,
                itemCount: itemCount,
                field: field,
                reason: reason,
                amount: amount,
                isUnpriced: isUnpriced,
                cells: cells,
                raw: Array(cells.raw),
                unit: onlyUnit(of: units),
                part: .record(units ?? [])
            )
            return
        }
        guard let units else {
            commit(position)
            return
        }
        addUnits(units, cells: cells, position: position, amount: amount, isUnpriced: isUnpriced)
    }

    /// Adds a line or record the scanner could not read as a record of the header's shape.
    mutating func addUnreadable(reason: RejectReason, text: [UInt8], at position: RecordPosition) {
        read += LedgerAmount(items: 1, cents: 0, unpriced: 1)
        setAside.append(Reject(reason, at: position, field: nil, isUnpriced: true), text: text)
    }

    func finishedColumns() -> [Column] {
        var pools = [TextPool](repeating: TextPool(), count: buffers.count)
        for (field, text) in zip(plan.fields, textFields) {
            if let text { pools[field.shapeIndex] = text.pool }
        }
        return zip(buffers, pools).map { $0.column(pool: $1) }
    }

    private func amount(in cells: CellRow) -> (Int64?, isUnpriced: Bool) {
        guard let costField = plan.costField else { return (nil, false) }
        // The ledger counts amounts as written, so an amount out of its range is read as well.
        let column = slots[costField].columnIndex
        let outcome =
            column >= 0
            ? valueFields[costField].convertUnbounded(cells[column])
            : text(of: costField, in: cells).withUnsafeBufferPointer {
                valueFields[costField].convertUnbounded($0)
            }
        switch outcome {
        case .integer(let cents): return (cents, false)
        case .null, .reject(.missingValue): return (nil, false)
        default: return (nil, true)
        }
    }

    /// The text of a field as written: its cell, several joined, or the constant.
    ///
    /// - Parameters:
    ///   - index: The field.
    ///   - cells: The record.
    ///   - unit: The text that replaces the cell listing units; nil leaves that cell unchanged.
    /// - Returns: The text, not yet trimmed.
    func text(of index: Int, in cells: CellRow, unit: [UInt8]? = nil) -> [UInt8] {
        let field = plan.fields[index]
        // Its path and number are put before the unit where they are known.
        if index == plan.tripIDField, plan.positionIDs != nil { return unit ?? [] }
        if let constant = field.definition.constant { return Array(constant.utf8) }
        if let choice = choices[index] {
            let columns = field.columnIndexes
            return Array(cells[columns[choice.place(among: columns.count) { cells[columns[$0]] }]])
        }
        let unitColumn = plan.splitField.flatMap { plan.fields[$0].columnIndexes.first }
        let parts = field.columnIndexes.map { column in
            if column == unitColumn, let unit { return unit }
            return Array(cells[column])
        }
        var blankCount = parts.count { part in
            part.withUnsafeBufferPointer { trimmed($0).isEmpty }
        }
        // A trip without a unit has all other parts of its id.
        if unit?.isEmpty == true, ifNoUnit == .one, blankCount < parts.count {
            blankCount -= field.columnIndexes.count { $0 == unitColumn }
        }
        if NeededParts(field.definition).isLacking(blankCount, of: parts.count) { return [] }
        if let identifier = identifiers[index] {
            let shortened = parts.first { part in
                part.withUnsafeBufferPointer { SpreadsheetText.isOne(trimmed($0)) }
            }
            // The number alone, so that the id is set aside for it.
            if index == plan.tripIDField, let shortened { return shortened }
            return identifier.joined(parts)
        }
        return Array(parts.joined(separator: Array(field.definition.joiner.utf8)))
    }

    /// Converts a field of a record; the field and the reason where it cannot be.
    private mutating func stage(_ index: Int, _ cells: CellRow) -> (String, RejectReason)? {
        let column = slots[index].columnIndex
        if column >= 0 { return stage(index, cells[column]) }
        return text(of: index, in: cells).withUnsafeBufferPointer { stage(index, $0) }
    }

    /// Gives the current record's time stamp another time on its clock.
    ///
    /// - Returns: Whether the time lies within the bounds of the field.
    mutating func stage(time seconds: Int64, in field: Int) -> Bool {
        guard case .value(.time(let whole)) = staged[field] else { return true }
        let reading = TimeFormat.Reading(seconds: seconds, clock: whole.clock)
        staged[field] = .value(.time(reading))
        return valueFields[field].allows(reading)
    }

    /// Converts the text of a field; the field and the reason where it cannot be.
    mutating func stage(
        _ index: Int,
        _ cell: UnsafeBufferPointer<UInt8>
    ) -> (String, RejectReason)? {
        let reason: RejectReason
        if let outcome = textFields[index]?.convert(cell) {
            switch outcome {
            case .code(let code):
                staged[index] = .code(code)
                return nil
            case .reject(let found): reason = found
            }
        } else {
            switch valueFields[index].convert(cell) {
            case .reject(let found): reason = found
            case let value:
                staged[index] = .value(value)
                return nil
            }
        }
        return (plan.fields[index].definition.name, reason)
    }

    /// Appends the staged values as one trip.
    mutating func commit(_ position: RecordPosition) {
        let row = recordIndexes.count
        for index in slots.indices {
            let slot = slots[index]
            switch staged[index] {
            case .code(let code): buffers[slot.shapeIndex].append(code: code)
            case .value(.integer(let integer)): buffers[slot.shapeIndex].append(integer: integer)
            case .value(.real(let real)): buffers[slot.shapeIndex].append(real: real)
            case .value(.time(let reading)): append(reading, at: slot.shapeIndex, row: row)
            case .value(.null), .value(.reject):
                buffers[slot.shapeIndex].appendNull()
                if slot.isTime { buffers[slot.shapeIndex + 1].appendNull() }
            }
        }
        for index in unfilled { buffers[index].appendNull() }
        recordIndexes.append(UInt32(truncatingIfNeeded: position.recordIndex))
        lineIndexes.append(UInt32(truncatingIfNeeded: position.lineIndex))
    }

    /// Appends a time stamp: its local time, and its instant right after it.
    private mutating func append(_ reading: TimeFormat.Reading, at index: Int, row: Int) {
        buffers[index].append(integer: reading.seconds)
        switch reading.clock {
        case .offset(let offset):
            buffers[index + 1].append(integer: reading.seconds - Int64(offset))
        case .instant, .local:
            buffers[index + 1].append(integer: reading.seconds)
            openTimes[index, default: []].append(
                OpenTime(row: row, isInstant: reading.clock == .instant)
            )
        }
    }

    /// Sets a record, or one unit of it, aside.
    mutating func reject(
        _ position: RecordPosition,
        itemCount: Int,
        field: String,
        reason: RejectReason,
        amount: Int64?,
        isUnpriced: Bool,
        cells: CellRow,
        raw: [UInt8],
        unit: [UInt8]?,
        part: RejectedRecords.Part
    ) {
        if rejected != nil, !setAside.isOver {
            rejected?.add(
                setAside.rejects.count,
                part,
                at: position,
                cells: (0..<plan.columnCount).map { cells[$0] }
            )
        }
        // Converted like the id of an accepted trip, so that rejected corrections are matched with
        // their trip.
        var tripID: String?
        if plan.positionIDs != nil {
            // Its path and number are put before it where they are known.
            tripID = unit.flatMap { unit in
                unit.isEmpty ? nil : String(decoding: unit, as: UTF8.self)
            }
        } else {
            let written = text(of: plan.tripIDField, in: cells, unit: unit)
            let outcome = written.withUnsafeBufferPointer {
                textFields[plan.tripIDField]?.convert($0)
            }
            if case .code(let code) = outcome {
                tripID = textFields[plan.tripIDField]?.pool.string(code)
            }
        }
        setAside.append(
            Reject(
                reason,
                at: position,
                itemCount: itemCount,
                field: field,
                amountCents: amount,
                isUnpriced: isUnpriced,
                tripID: tripID
            ),
            text: raw
        )
    }
}
