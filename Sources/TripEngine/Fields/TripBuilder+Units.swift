import TripDomain

/// A unit that one record lists more than once: one trip, and a duplicate for each further time.
public struct RepeatedUnit: Sendable, Hashable {
    /// The trip of the unit.
    public let tripID: String
    /// The record, from 1.
    public let recordNumber: Int
    /// The physical line the record starts on, from 1.
    public let lineNumber: Int
    /// How often the unit is listed beyond the first time.
    public let count: Int

    /// Describes a unit.
    public init(tripID: String, recordNumber: Int, lineNumber: Int, count: Int) {
        self.tripID = tripID
        self.recordNumber = recordNumber
        self.lineNumber = lineNumber
        self.count = count
    }

    /// The same with its numbers counted from the file's first record and line.
    ///
    /// - Parameters:
    ///   - records: The number of the record whose index in the slice is 0.
    ///   - lines: The number of the physical line whose index in the slice is 0.
    ///   - positionIDs: What makes the trip ids of their positions, where they are.
    /// - Returns: The unit.
    func raised(
        records: Int,
        lines: Int,
        _ positionIDs: SourcePositionIDs?
    ) -> RepeatedUnit {
        let id = positionIDs?.id(rejectedRecord: records + recordNumber, unit: tripID)
        return RepeatedUnit(
            tripID: id ?? tripID,
            recordNumber: records + recordNumber,
            lineNumber: lines + lineNumber,
            count: count
        )
    }
}

/// Records of several trips: the cell that lists their units, and how the units share amounts.
extension TripBuilder {
    /// One unit of a record.
    struct Unit: Sendable {
        /// The text in the cell, without the blanks around it.
        let written: [UInt8]
        /// The text after the conversions of its field: changed to capitals, replaced.
        let value: [UInt8]
        /// Its own time, as it is listed first.
        var time = UnitTime.OwnTime.none
        /// How many items of the ledger it is: how often the record lists it.
        var itemCount = 1
    }

    /// The units a record lists, each once with how often; nil where its layout has no such cell.
    ///
    /// Units are compared by their converted values, and by the trip ids they lead to: two trips
    /// with one id would supersede each other, and a part of the record's amount would be lost. A
    /// unit that converts to NULL is dropped.
    ///
    /// - Complexity: O(*n*) in the cell's bytes.
    func units(in cells: CellRow) -> [Unit]? {
        guard let split = plan.splitField, let field = textFields[split] else { return nil }
        let cell = text(of: split, in: cells)
        var units: [Unit] = []
        var indexes: [[UInt8]: Int] = [:]
        for listed in Self.units(of: cell, separator: plan.fields[split].definition) {
            let (written, time) = unitTime?.rule.divided(listed) ?? (listed, .none)
            guard let value = field.meaning(of: written) else { continue }
            if let known = indexes.updateValue(indexes[value] ?? units.count, forKey: value) {
                units[known].itemCount += 1
            } else {
                units.append(Unit(written: written, value: value, time: time))
            }
        }
        guard units.count > 1, let tripIDField = tripIDOfUnits, tripIDField != split,
            plan.positionIDs == nil, let idField = textFields[tripIDField]
        else { return units }
        var distinct: [Unit] = []
        indexes = [:]
        for unit in units {
            // A unit without an id is set aside by itself, and is never mistaken for another one.
            let id = idField.meaning(of: text(of: tripIDField, in: cells, unit: unit.value))
            if let id, let known = indexes[id] {
                distinct[known].itemCount += unit.itemCount
                continue
            }
            if let id { indexes[id] = distinct.count }
            distinct.append(unit)
        }
        return distinct
    }

    /// Adds a trip per unit, each with its share of every amount, or sets it aside.
    ///
    /// A unit that is listed again adds no trip and takes no share; it is noted as a repetition.
    mutating func addUnits(
        _ units: [Unit],
        cells: CellRow,
        position: RecordPosition,
        amount: Int64?,
        isUnpriced: Bool
    ) {
        let count = max(1, units.count)
        // Units set aside keep one copy of the record together, however many they are.
        var raw: [UInt8]?
        for number in 0..<count {
            let unit = units.isEmpty ? Unit(written: [], value: []) : units[number]
            let share = amount.map { Self.share(of: $0, number: number, count: count) }
            let whole = staged
            if let (field, reason) = stage(unit, isNone: units.isEmpty, cells) {
                let text = raw ?? Array(cells.raw)
                raw = text
                reject(
                    position,
                    itemCount: unit.itemCount,
                    field: field,
                    reason: reason,
                    amount: share,
                    isUnpriced: isUnpriced,
                    cells: cells,
                    raw: text,
                    unit: unit.value,
                    part: units.isEmpty
                        ? .record([]) : .unit(unit, number: number, count: count)
                )
                staged = whole
                continue
            }
            for money in moneyFields {
                guard case .value(.integer(let cents)) = whole[money] else { continue }
                staged[money] = .value(
                    .integer(Self.share(of: cents, number: number, count: count))
                )
            }
            if unit.itemCount > 1 { note(repetitionsOf: unit, at: position) }
            commit(position)
            staged = whole
        }
    }

    /// Stages what differs from unit to unit: the unit, the trip id, and the unit's own time.
    ///
    /// - Returns: The field and the reason where one of them cannot be converted.
    private mutating func stage(
        _ unit: Unit,
        isNone: Bool,
        _ cells: CellRow
    ) -> (String, RejectReason)? {
        guard let split = plan.splitField else { return nil }
        if isNone, ifNoUnit == .reject {
            return (plan.fields[split].definition.name, .missingValue)
        }
        if let fault = unit.written.withUnsafeBufferPointer({ stage(split, $0) }) { return fault }
        if let tripIDField = tripIDOfUnits, tripIDField != split {
            // As in a composed id, the unit's place may not be blank unless that is declared.
            if isNone, plan.positionIDs != nil, ifNoUnit != .one {
                return (plan.fields[tripIDField].definition.name, .missingValue)
            }
            let text = text(of: tripIDField, in: cells, unit: unit.value)
            let fault = text.withUnsafeBufferPointer { stage(tripIDField, $0) }
            if let fault { return fault }
        }
        guard let (rule, timeField) = unitTime else { return nil }
        switch unit.time {
        case .none: return nil
        case .unreadable: return (plan.fields[split].definition.name, .wrongType)
        case .seconds(let seconds):
            guard case .value(.time(let record)) = staged[timeField] else { return nil }
            let own = rule.placed(seconds, onDayOf: record.seconds)
            return stage(time: own, in: timeField)
                ? nil : (plan.fields[timeField].definition.name, .outOfRange)
        }
    }

    /// The value of the only unit of a record, by which its trip is known; nil where it lists
    /// several, or none and is no trip.
    func onlyUnit(of units: [Unit]?) -> [UInt8]? {
        guard let units else { return nil }
        if units.isEmpty { return ifNoUnit == .one ? [] : nil }
        return units.count == 1 ? units[0].value : nil
    }

    /// Notes that the record lists the unit of the staged trip more than once.
    private mutating func note(repetitionsOf unit: Unit, at position: RecordPosition) {
        guard case .code(let code) = staged[plan.tripIDField],
            let tripID = textFields[plan.tripIDField]?.pool.string(code)
        else { return }
        repetitions.append(
            RepeatedUnit(
                tripID: tripID,
                recordNumber: position.recordIndex,
                lineNumber: position.lineIndex,
                count: unit.itemCount - 1
            )
        )
    }

    /// The texts between the separators of a cell, without the blanks around them; empty ones are
    /// dropped.
    static func units(
        of cell: [UInt8],
        separator definition: FieldDefinition
    ) -> [[UInt8]] {
        let separator = Array((definition.separator ?? "").utf8)
        var units: [[UInt8]] = []
        var start = 0
        var index = 0
        while index <= cell.count {
            let isEnd = index == cell.count
            guard isEnd || cell[index...].starts(with: separator) else {
                index += 1
                continue
            }
            let unit = cell[start..<index].withUnsafeBufferPointer { Array(trimmed($0)) }
            if !unit.isEmpty { units.append(unit) }
            index += isEnd ? 1 : separator.count
            start = index
        }
        return units
    }

    /// The amount of one unit: equal shares in whole cents; the first units get the odd cents.
    static func share(of amount: Int64, number: Int, count: Int) -> Int64 {
        let (quotient, rest) = amount.quotientAndRemainder(dividingBy: Int64(count))
        let odd: Int64 = Int64(number) < abs(rest) ? rest.signum() : 0
        return quotient + odd
    }
}
