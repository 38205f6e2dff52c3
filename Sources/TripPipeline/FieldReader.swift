import TripDomain
import TripEngine

/// Reads the `fields` of a layout.
enum FieldReader {
    /// Fields that have a type by default.
    static let knownTypes: [String: FieldType] = [
        "trip_id": .text, "pickup_at": .timestamp, "cost": .money, "paid": .money,
        "billed": .money, "miles": .miles, "patient": .patientID, "provider_npi": .npi,
    ]

    /// The kinds that fixed columns must have in every pipeline.
    static let fixedKinds: [String: ColumnKind] = [
        "trip_id": .text, "pickup_at": .timestamp, "region": .text, "trip_type": .text,
        "export_visn": .text,
    ]

    static func read(_ value: YAMLValue) throws(PipelineFault) -> [FieldDefinition] {
        var fields: [FieldDefinition] = []
        for (key, entry) in try YAMLMap(value, "`fields`").entries {
            try checkName(key.text, at: entry, what: "field")
            fields.append(try field(named: key.text, entry))
        }
        for word in ["trip_id", "pickup_at"] where !fields.contains(where: { $0.name == word }) {
            throw value.fault(
                "the field `\(word)` is missing; every trip needs it",
                suggestion: "Add `\(word): <the export's column>`."
            )
        }
        guard fields.count(where: { $0.separator != nil }) <= 1 else {
            throw value.fault("more than one field has `split`; a record is divided by one cell")
        }
        if let split = fields.first(where: { $0.separator != nil }),
            let tripID = fields.first(where: { $0.name == "trip_id" }),
            !split.columns.contains(where: { tripID.columns.contains($0) })
        {
            throw value.fault(
                "`\(split.name)` splits a record into several trips, which would share one trip_id",
                suggestion:
                    "Compose it: `trip_id: {from: [\(tripID.columns.joined(separator: ", "))"
                    + ", \(split.columns.joined(separator: ", "))], join: \"-\"}`."
            )
        }
        return fields
    }

    /// A name in rules and SQL: a lower-case letter, then letters, digits and underscores.
    static func checkName(
        _ name: String,
        at value: YAMLValue,
        what: String
    ) throws(PipelineFault) {
        let letters = Array(name.utf8)
        let isFit = letters.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
                || (what == "pipeline" && $0 == 0x2D)
        }
        guard let first = letters.first, isFit, (0x61...0x7A).contains(first), letters.count <= 48
        else {
            throw value.fault(
                "the \(what) name `\(name)` must be lower-case letters, digits and `_`, "
                    + "beginning with a letter"
            )
        }
    }

    private static func field(
        named name: String,
        _ value: YAMLValue
    ) throws(PipelineFault) -> FieldDefinition {
        if case .text(let column, _) = value.content {
            var field = FieldDefinition(
                name: name,
                type: knownTypes[name] ?? .text,
                columns: [column]
            )
            field.isRequired = isAlwaysRequired(name)
            if field.type == .timestamp { field.formats = [try format("iso8601", at: value)] }
            return field
        }
        var map = try YAMLMap(value, "the field `\(name)`")
        let formats = try map.optional("formats")?.texts("`formats`") ?? []
        let declared: FieldType? = try map.word("type", of: FieldType.allCases)
        let implied: FieldType = formats.isEmpty ? .text : .timestamp
        var field = FieldDefinition(
            name: name,
            type: declared ?? knownTypes[name] ?? implied,
            columns: try map.optional("from")?.texts("`from`") ?? []
        )
        field.constant = try map.text("constant")
        guard field.columns.isEmpty == (field.constant != nil) else {
            throw value.fault("the field `\(name)` needs either `from` or `constant`")
        }
        field.joiner = try map.text("join") ?? " "
        field.isRequired = try map.truth("required") ?? isAlwaysRequired(name)
        field.isTrimmed = try map.truth("trim") ?? true
        field.isUppercased = try map.truth("upper") ?? false
        field.separator = try map.text("split")
        if let separator = field.separator, separator.isEmpty || field.columns.count != 1 {
            throw value.fault("`split` needs a separator, and one column in `from`")
        }
        guard field.separator == nil || field.type == .text || field.type == .npi else {
            throw map.value.fault(
                at: ["split"],
                "`\(name)` lists units and has the type \(field.type.rawValue); units are texts",
                suggestion: "Write `type: text`, or read the cell a second time under another name."
            )
        }
        if let pattern = map.optional("pattern") { field.pattern = try self.pattern(pattern) }
        try refuseTextKeys(field, map)
        try readValues(&map, into: &field)
        field.range = try map.optional("range").map { (found) throws(PipelineFault) in
            try range(found, type: field.type)
        }
        try checkFixedField(field, map)
        for text in formats { field.formats.append(try format(text, at: value)) }
        if field.formats.isEmpty, field.type == .timestamp || field.type == .date {
            field.formats = [try format("iso8601", at: value)]
        }
        try map.finish()
        return field
    }

    /// Refuses keys for texts on a number or a time, where they would have no effect.
    private static func refuseTextKeys(
        _ field: FieldDefinition,
        _ map: YAMLMap
    ) throws(PipelineFault) {
        guard field.type.columnKind != .text, field.type != .patientID else { return }
        let unusedKey = field.isUppercased ? "upper" : field.pattern == nil ? nil : "pattern"
        guard let unusedKey else { return }
        throw map.value.fault(
            at: [unusedKey],
            "`\(unusedKey)` is for texts; `\(field.name)` is \(field.type.rawValue)",
            suggestion:
                "Bound numbers and days with `range`, give the form of a day or time with "
                + "`formats`, or write `type: text`."
        )
    }

    private static func isAlwaysRequired(_ name: String) -> Bool {
        name == "trip_id" || name == "pickup_at"
    }

    /// Checks the requirements for the fields that every pipeline needs.
    private static func checkFixedField(
        _ field: FieldDefinition,
        _ map: YAMLMap
    ) throws(PipelineFault) {
        if let wanted = fixedKinds[field.name], field.type.columnKind != wanted {
            throw map.value.fault(
                at: ["type"],
                "`\(field.name)` has the type \(field.type.rawValue); "
                    + "it must be \(wanted.rawValue)",
                suggestion: "Write `type: \(wanted.rawValue)` or leave `type` out"
                    + (isAlwaysRequired(field.name)
                        ? "." : ", and read the column a second time under another name.")
            )
        }
        guard field.type != .timestamp || !field.name.hasSuffix("_utc") else {
            throw map.value.fault(
                "the time stamp `\(field.name)` has a name that ends in `_utc`, as the instant of "
                    + "a time stamp does",
                suggestion: "Choose another word; the instant is made of it as `…_utc`."
            )
        }
        guard isAlwaysRequired(field.name) else { return }
        guard field.isRequired else {
            throw map.value.fault(
                at: ["required"],
                "`\(field.name)` is always required; found `required: false`",
                suggestion: "Remove `required`: a record without it is rejected as "
                    + "`missing_value`."
            )
        }
        guard field.name != "trip_id" || field.constant == nil else {
            throw map.value.fault(
                at: ["constant"],
                "`trip_id` is a constant, so that all records would be one trip",
                suggestion: "Name the columns that make it: `trip_id: {from: [Run No, Unit]}`."
            )
        }
    }

    private static func readValues(
        _ map: inout YAMLMap,
        into field: inout FieldDefinition
    ) throws(PipelineFault) {
        if let values = map.optional("values") {
            for (key, value) in try YAMLMap(values, "`values`").entries {
                field.valueMap[key.text] = .some(try value.textOrNull("a value"))
            }
        }
        field.isValueMapClosed = try map.truth("closed") ?? false
    }

    /// Reads a pattern.
    static func pattern(_ value: YAMLValue) throws(PipelineFault) -> Pattern {
        let text = try value.text("a pattern")
        do throws(PatternFault) {
            return try Pattern(text)
        } catch {
            throw value.fault(
                "the pattern cannot be read: character \(error.characterNumber) is "
                    + error.message
            )
        }
    }

    private static func format(
        _ text: String,
        at value: YAMLValue
    ) throws(PipelineFault) -> TimeFormat {
        do throws(PatternFault) {
            return try TimeFormat(text)
        } catch {
            throw value.fault(
                "the format '\(text)' cannot be read: \(error.message)",
                suggestion: "Use `iso8601` or letters such as `M/d/yyyy H:mm`."
            )
        }
    }

    /// `[least, greatest]` in the unit as written: dollars, miles, days as YYYY-MM-DD.
    ///
    /// For time stamps these are the first and the last day.
    private static func range(
        _ value: YAMLValue,
        type: FieldType
    ) throws(PipelineFault) -> ClosedRange<Int64> {
        let texts = try value.texts("`range`")
        let example: String
        switch type {
        case .money, .miles, .integer, .decimal, .boolean: example = "[0, 5000]"
        case .date, .timestamp: example = "[2019-01-01, 2030-12-31]"
        case .text, .patientID, .npi:
            throw value.fault(
                "`range` bounds numbers, dates and time stamps; this field is \(type.rawValue)",
                suggestion: "Give the field a `type`, or limit its text with `pattern`."
            )
        }
        guard texts.count == 2, let low = bound(texts[0], type), let high = bound(texts[1], type),
            low <= high
        else {
            let unit =
                switch type {
                case .timestamp: "days"
                case .decimal: "whole numbers"
                default: "values of type \(type.rawValue)"
                }
            throw value.fault(
                "`range` must be two \(unit), the lesser first",
                suggestion: "For example `range: \(example)`."
            )
        }
        return type == .timestamp ? low...(high + CivilTime.daySeconds - 1) : low...high
    }

    private static func bound(_ text: String, _ type: FieldType) -> Int64? {
        switch type {
        case .money, .miles: FieldValues.hundredths(text)
        case .integer, .boolean: Int64(text)
        case .decimal: Int64(text)
        case .date: CivilDate(text: text).map { Int64($0.dayNumber) }
        case .timestamp:
            CivilDate(text: text).map { Int64($0.dayNumber) * CivilTime.daySeconds }
        case .text, .patientID, .npi: nil
        }
    }
}
