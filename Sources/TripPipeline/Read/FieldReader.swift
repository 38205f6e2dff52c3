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

    /// Reads the fields; the faults of single ones are noted.
    ///
    /// - Parameters:
    ///   - value: The value of `fields`.
    ///   - isStored: Whether a generation stores it: what was published before stays readable.
    /// - Returns: The fields, in their order.
    /// - Throws: ``PipelineFault`` where it is no map, or the fields do not fit each other.
    static func read(
        _ value: YAMLValue,
        isStored: Bool
    ) throws(PipelineFault) -> [FieldDefinition] {
        var fields: [FieldDefinition] = []
        let entries = try YAMLMap(value, "`fields`").entries
        for (key, entry) in entries {
            value.faults.noting(naming: key.text) { () throws(PipelineFault) in
                try checkName(key.text, at: entry, what: "field")
                guard let field = try Self.field(named: key.text, entry) else { return }
                fields.append(field)
            }
        }
        for word in ["trip_id", "pickup_at"] where !entries.contains(where: { $0.key.text == word })
        {
            value.faults.noting(naming: word) { () throws(PipelineFault) in
                throw value.fault(
                    "the field `\(word)` is missing; every trip needs it",
                    suggestion: "Add `\(word): <the export's column>`."
                )
            }
        }
        try UnitReader.checkLayout(fields, value, isStored: isStored)
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

    /// Reads one field; nil where a key of it has a fault, which is noted.
    private static func field(
        named name: String,
        _ value: YAMLValue
    ) throws(PipelineFault) -> FieldDefinition? {
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
        let faults = value.faults
        let count = faults.faults.count
        var map = try YAMLMap(value, "the field `\(name)`")
        let formats = faults.noting { () throws(PipelineFault) in
            try map.optional("formats")?.texts("`formats`") ?? []
        }
        var field = Self.keys(named: name, &map, implied: formats == [] ? .text : .timestamp)
        let range = map.optional("range")
        faults.noting(map.finish)
        // What keys mean together is checked where each of them is well formed.
        guard faults.faults.count == count, let formats else { return nil }
        guard !field.isSourcePosition else {
            try CutReader.checkPosition(field, map)
            // Neither a column nor a blank that could be missing: the reader knows the position.
            (field.constant, field.isRequired) = ("", false)
            return field
        }
        guard field.columns.isEmpty == (field.constant != nil) else {
            throw value.fault("the field `\(name)` needs either `from` or `constant`")
        }
        try checkJoiner(field, map)
        try CutReader.check(field, map)
        try UnitReader.check(field, map)
        try refuseTextKeys(field, map)
        field.range = try range.map { (found) throws(PipelineFault) in
            try self.range(found, type: field.type)
        }
        try checkFixedField(field, map)
        for text in formats { field.formats.append(try format(text, at: value)) }
        try checkFormats(field, map)
        if field.formats.isEmpty, field.type == .timestamp || field.type == .date {
            field.formats = [try format("iso8601", at: value)]
        }
        return field
    }

    /// Reads the keys of a field that can be read each by itself; their faults are noted.
    private static func keys(
        named name: String,
        _ map: inout YAMLMap,
        implied: FieldType
    ) -> FieldDefinition {
        let faults = map.value.faults
        let declared: FieldType?? = faults.noting { () throws(PipelineFault) in
            try map.word("type", of: FieldType.allCases)
        }
        let columns = faults.noting { () throws(PipelineFault) in
            try CutReader.columns(map.optional("from"))
        }
        var field = FieldDefinition(
            name: name,
            type: (declared ?? nil) ?? knownTypes[name] ?? implied,
            columns: columns?.names ?? []
        )
        field.isFirstReadable = columns?.isFirst ?? false
        faults.noting { () throws(PipelineFault) in field.constant = try map.text("constant") }
        faults.noting { () throws(PipelineFault) in field.joiner = try map.text("join") ?? " " }
        faults.noting { () throws(PipelineFault) in
            field.isRequired = try map.truth("required") ?? isAlwaysRequired(name)
        }
        faults.noting { () throws(PipelineFault) in
            field.isTrimmed = try map.truth("trim") ?? true
        }
        faults.noting { () throws(PipelineFault) in
            field.isUppercased = try map.truth("upper") ?? false
        }
        UnitReader.read(&map, into: &field)
        faults.noting { () throws(PipelineFault) in
            if let pattern = map.optional("pattern") { field.pattern = try self.pattern(pattern) }
        }
        faults.noting { () throws(PipelineFault) in try readValues(&map, into: &field) }
        CutReader.read(&map, into: &field)
        faults.noting { () throws(PipelineFault) in
            field.allowsFuture = try allowsFuture(&map, name)
        }
        return field
    }

    /// Refuses a format of a time stamp that reads days alone: it would read no text at all.
    private static func checkFormats(
        _ field: FieldDefinition,
        _ map: YAMLMap
    ) throws(PipelineFault) {
        guard field.type == .timestamp, !field.readsDaysAlone,
            let format = field.formats.first(where: { !$0.readsTime })
        else { return }
        throw map.value.fault(
            at: ["formats"],
            "the format '\(format.text)' reads a day alone; `\(field.name)` is a time stamp",
            suggestion:
                "Add the time, as in `\(format.text) H:mm`, write `day_alone: true` where the "
                + "export has days alone"
                + (fixedKinds[field.name] == nil ? ", or write `type: date`." : ".")
        )
    }

    /// Refuses to join the parts of an identifier by nothing: `1`, `23` would be `12`, `3`.
    private static func checkJoiner(
        _ field: FieldDefinition,
        _ map: YAMLMap
    ) throws(PipelineFault) {
        guard field.joiner.isEmpty, field.columns.count > 1,
            field.name == "trip_id" || field.type == .patientID
        else { return }
        throw map.value.fault(
            at: ["join"],
            "`\(field.name)` is joined by nothing, so that the parts 1 and 23 would give the same "
                + "as 12 and 3",
            suggestion: "Write `join: \"-\"`."
        )
    }

    /// Whether pick-ups may lie after the day their file is taken in.
    private static func allowsFuture(
        _ map: inout YAMLMap,
        _ name: String
    ) throws(PipelineFault) -> Bool {
        guard let allows = try map.truth("allow_future") else { return false }
        guard name == "pickup_at" else {
            throw map.value.fault(
                at: ["allow_future"],
                "`allow_future` is for `pickup_at`: no other field is bounded by a day",
                suggestion: "Remove it, or bound `\(name)` with `range`."
            )
        }
        return allows
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
}
