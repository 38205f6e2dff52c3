import TripDomain

/// Records that are set aside, read as far as they go, for what they would have cost.
extension TripBuilder {
    /// Adds what reads of a record as rows: one for each unit that is set aside, else one.
    ///
    /// Amounts are read as written, also out of their range; what is blank or cannot be read is
    /// NULL. Each unit has its share of every amount.
    ///
    /// - Parameters:
    ///   - part: What of the record is set aside.
    ///   - cells: Its cells.
    ///   - position: The position of the record.
    ///   - columns: The stored columns that are needed.
    /// - Returns: Whether all fields that fill these columns can be read, or may be blank and are.
    mutating func addWhatReads(
        of part: RejectedRecords.Part,
        _ cells: CellRow,
        at position: RecordPosition,
        needing columns: Set<Int>
    ) -> Bool {
        switch part {
        case .unit(let unit, let number, let count):
            return add(unit, number: number, of: count, cells, at: position, needing: columns)
        case .record(let units) where units.isEmpty:
            return add(nil, number: 0, of: 1, cells, at: position, needing: columns)
        case .record(let units):
            return units.indices.reduce(true) { areRead, number in
                let isRead = add(
                    units[number],
                    number: number,
                    of: units.count,
                    cells,
                    at: position,
                    needing: columns
                )
                return areRead && isRead
            }
        }
    }

    private mutating func add(
        _ unit: Unit?,
        number: Int,
        of count: Int,
        _ cells: CellRow,
        at position: RecordPosition,
        needing columns: Set<Int>
    ) -> Bool {
        var areRead = true
        func note(_ isRead: Bool, _ field: Int) {
            if !isRead, columns.contains(plan.fields[field].shapeIndex) { areRead = false }
        }
        for field in plan.fields.indices where field != unitTime?.field {
            note(stageWhatReads(field, cells, unit), field)
        }
        if let (_, field) = unitTime {
            let isRead = stageWhatReads(field, cells, unit)
            note(isRead && stageOwnTime(of: unit), field)
        }
        for money in moneyFields {
            guard case .value(.integer(let cents)) = staged[money] else { continue }
            staged[money] = .value(.integer(Self.share(of: cents, number: number, count: count)))
        }
        commit(position)
        return areRead
    }

    /// Stages one field, as NULL where it cannot be read; whether it can be, or may be blank.
    private mutating func stageWhatReads(_ field: Int, _ cells: CellRow, _ unit: Unit?) -> Bool {
        let text: [UInt8]
        if field == plan.splitField {
            text = unit?.written ?? []
        } else {
            text = self.text(of: field, in: cells, unit: unit?.value)
        }
        return text.withUnsafeBufferPointer { cell in
            guard textFields[field] == nil else {
                guard case .code(let code)? = textFields[field]?.convert(cell) else {
                    staged[field] = .code(0)
                    return false
                }
                staged[field] = .code(code)
                return true
            }
            let value = valueFields[field].convertUnbounded(cell)
            staged[field] = .value(value)
            if case .reject = value { return false }
            return true
        }
    }

    /// Stages the own time of a unit; false where it cannot be read.
    private mutating func stageOwnTime(of unit: Unit?) -> Bool {
        guard let unit, let (rule, field) = unitTime else { return true }
        switch unit.time {
        case .none: return true
        case .unreadable: return false
        case .seconds(let seconds):
            guard case .value(.time(let record)) = staged[field] else { return true }
            return stage(time: rule.placed(seconds, onDayOf: record.seconds), in: field)
        }
    }
}
