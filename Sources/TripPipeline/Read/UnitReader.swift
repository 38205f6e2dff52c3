import TripDomain
import TripEngine

/// Reads the keys of a field that lists units: `split`, `if_none`, `unit_time`.
enum UnitReader {
    /// How much earlier than the record's time a unit's may be on one day, unless declared: half a
    /// day.
    private static let usualNextDay: Int64 = 12 * 3600

    /// Reads the keys into a field; their faults are noted.
    static func read(_ map: inout YAMLMap, into field: inout FieldDefinition) {
        let faults = map.value.faults
        faults.noting { () throws(PipelineFault) in field.separator = try map.text("split") }
        faults.noting { () throws(PipelineFault) in
            field.ifNoUnit = try map.word("if_none", of: UnitlessRecord.allCases)
        }
        faults.noting { () throws(PipelineFault) in
            field.unitTime = try map.optional("unit_time").map(time)
        }
    }

    /// `{after: "=", field: pickup_at, next_day: 12 hours, if_no_time: record}`.
    private static func time(_ value: YAMLValue) throws(PipelineFault) -> UnitTime {
        var map = try YAMLMap(value, "`unit_time`")
        let mark = try map.required("after", "after: \"=\"").text("`after`")
        let field = try map.text("field") ?? "pickup_at"
        let nextDay = try map.optional("next_day").map { (found) throws(PipelineFault) in
            try SourceReader.duration(found, "next_day")
        }
        let ifNoTime = try map.word("if_no_time", of: UnitWithoutTime.allCases)
        try map.finish()
        guard !mark.isEmpty else {
            throw value.fault("`after` is empty; expected the text between a unit and its time")
        }
        let seconds = nextDay ?? usualNextDay
        guard (1...CivilTime.daySeconds).contains(seconds) else {
            throw value.fault(
                "`next_day` is \(Counted.text(seconds, "second")); expected up to 24 hours",
                suggestion: "Write how much earlier than the record a unit's time may be on its "
                    + "day: `next_day: 12 hours`. With `24 hours` none is of the next day."
            )
        }
        return UnitTime(
            mark: mark,
            field: field,
            nextDaySeconds: seconds,
            ifNoTime: ifNoTime ?? .reject
        )
    }

    /// Refuses keys without `split`, and `split` where it cannot be.
    static func check(_ field: FieldDefinition, _ map: YAMLMap) throws(PipelineFault) {
        guard let separator = field.separator else {
            guard field.ifNoUnit != nil || field.unitTime != nil else { return }
            let key = field.ifNoUnit != nil ? "if_none" : "unit_time"
            throw map.value.fault(
                at: [key],
                "`\(key)` is for a field that lists units, and `\(field.name)` has no `split`",
                suggestion: "Say what stands between two units: `split: \";\"`."
            )
        }
        if separator.isEmpty || field.columns.count != 1 {
            throw map.value.fault("`split` needs a separator, and one column in `from`")
        }
        guard field.type == .text || field.type == .npi else {
            throw map.value.fault(
                at: ["split"],
                "`\(field.name)` lists units and has the type \(field.type.rawValue); units are "
                    + "texts",
                suggestion: "Write `type: text`, or read the cell a second time under another name."
            )
        }
        if field.ifNoUnit == .one, field.isRequired {
            throw map.value.fault(
                at: ["if_none"],
                "`\(field.name)` is required, and `if_none: one` makes a trip without it",
                suggestion: "Remove one of the two."
            )
        }
        if let mark = field.unitTime?.mark, mark.contains(separator) {
            throw map.value.fault(
                at: ["unit_time", "after"],
                "`after` is '\(mark)', which the separator '\(separator)' divides",
                suggestion: "Name the text between a unit and its time, such as `after: \"=\"`."
            )
        }
    }

    /// Checks that the other fields of a layout fit the one that lists units.
    ///
    /// - Parameters:
    ///   - fields: The fields of the layout.
    ///   - value: The layout's `fields`.
    ///   - isStored: Whether a generation stores them.
    /// - Throws: ``PipelineFault`` at the field that lists units.
    static func checkLayout(
        _ fields: [FieldDefinition],
        _ value: YAMLValue,
        isStored: Bool
    ) throws(PipelineFault) {
        let lists = fields.filter { $0.separator != nil }
        guard lists.count <= 1 else {
            throw value.fault("more than one field has `split`; a record is divided by one cell")
        }
        guard let list = lists.first else { return }
        if let tripID = fields.first(where: { $0.name == "trip_id" }), !tripID.isSourcePosition {
            try checkID(tripID, list, value)
            // What was published before this was asked is still read.
            if !isStored { try checkUnitless(tripID, list, value) }
        }
        guard let time = list.unitTime, !value.faults.mayBeUnread(time.field) else { return }
        let stamps = fields.filter { $0.type == .timestamp }.map(\.name)
        guard stamps.contains(time.field) else {
            throw value.fault(
                at: [list.name, "unit_time"],
                "`unit_time` names `\(time.field)`, which is no time stamp of this layout",
                suggestion: Suggestion.text(for: time.field, among: stamps)
            )
        }
    }

    /// With `blank_parts` a record without a unit has an id, so that it would count as a trip
    /// although nothing says so.
    private static func checkUnitless(
        _ tripID: FieldDefinition,
        _ list: FieldDefinition,
        _ value: YAMLValue
    ) throws(PipelineFault) {
        guard tripID.allowsBlankParts, list.ifNoUnit == nil else { return }
        throw value.fault(
            at: [list.name, "split"],
            "`\(list.name)` does not say what a record without a unit is; with the `blank_parts` "
                + "of `trip_id` it would count as a trip",
            suggestion: "Write `if_none: skip` (it is no trip), `reject`, or `one` (a trip "
                + "without a unit)."
        )
    }

    private static func checkID(
        _ tripID: FieldDefinition,
        _ list: FieldDefinition,
        _ value: YAMLValue
    ) throws(PipelineFault) {
        guard list.columns.contains(where: { tripID.columns.contains($0) }) else {
            throw value.fault(
                "`\(list.name)` splits a record into several trips, which would share one trip_id",
                suggestion:
                    "Compose it: `trip_id: {from: [\(tripID.columns.joined(separator: ", "))"
                    + ", \(list.columns.joined(separator: ", "))], join: \"-\"}`."
            )
        }
        guard list.ifNoUnit != .one || tripID.columns.count > 1 else {
            throw value.fault(
                at: [list.name, "if_none"],
                "`if_none: one` makes a trip without a unit, and the unit is all of `trip_id`",
                suggestion: "Add the column of a number to `trip_id`, or write `if_none: skip`."
            )
        }
    }
}
