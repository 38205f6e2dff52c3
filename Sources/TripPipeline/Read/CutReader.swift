import TripDomain
import TripEngine

/// Reads the keys of a field that say which part of which cell is read: `from`, `part`, `take`,
/// `zeros`, `pad`, `lower`, and what may be missing of it.
enum CutReader {
    /// What `zeros` may be.
    private enum Zeros: String, CaseIterable { case keep, drop }

    /// What `round` may be.
    private enum Rounding: String, CaseIterable { case nearest }

    /// The columns of `from`: one, several that are joined, or `{first: [A, B]}`.
    static func columns(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> (names: [String], isFirst: Bool) {
        guard let value else { return ([], false) }
        guard case .map = value.content else { return (try value.texts("`from`"), false) }
        var map = try YAMLMap(value, "`from`")
        let names = try map.required("first", "first: [Pickup, Received]").texts("`first`")
        try map.finish()
        guard names.count > 1 else {
            throw value.fault(
                "`first` names \(Counted.text(names.count, "column")); expected two or more, of "
                    + "which the first that can be read is taken",
                suggestion: "Write `from: \(names.first ?? "Column")` for one column."
            )
        }
        return (names, true)
    }

    /// Reads the keys into a field; their faults are noted.
    static func read(_ map: inout YAMLMap, into field: inout FieldDefinition) {
        let faults = map.value.faults
        faults.noting { () throws(PipelineFault) in
            field.cut.part = try part(map.optional("part"))
        }
        faults.noting { () throws(PipelineFault) in
            field.cut.pattern = try map.optional("take").map(FieldReader.pattern)
        }
        faults.noting { () throws(PipelineFault) in
            field.cut.dropsZeros = try map.word("zeros", of: Zeros.allCases) == .drop
        }
        faults.noting { () throws(PipelineFault) in
            field.cut.paddedSize = try size(map.optional("pad"))
        }
        faults.noting { () throws(PipelineFault) in
            field.cut.isLowercased = try map.truth("lower") ?? false
        }
        faults.noting { () throws(PipelineFault) in
            field.allowsBlankParts = try map.truth("blank_parts") ?? false
        }
        faults.noting { () throws(PipelineFault) in
            field.isSourcePosition = try map.truth("source_position") ?? false
        }
        faults.noting { () throws(PipelineFault) in
            field.readsDaysAlone = try map.truth("day_alone") ?? false
        }
        faults.noting { () throws(PipelineFault) in
            field.isRounded = try map.word("round", of: Rounding.allCases) == .nearest
        }
    }

    /// `{by: "-", number: 2}`.
    private static func part(_ value: YAMLValue?) throws(PipelineFault) -> CellCut.Part? {
        guard let value else { return nil }
        var map = try YAMLMap(value, "`part`")
        let mark = try map.required("by", "by: \"-\"").text("`by`")
        let number = try map.required("number", "number: 2").number("`number`")
        try map.finish()
        guard !mark.isEmpty else {
            throw value.fault("`by` is empty; expected the text between the parts")
        }
        guard number != 0, abs(number) <= 1000 else {
            throw value.fault(
                "`number` is \(number); expected 1 for the first part, -1 for the last"
            )
        }
        return CellCut.Part(mark: mark, number: number)
    }

    private static func size(_ value: YAMLValue?) throws(PipelineFault) -> Int {
        guard let value else { return 0 }
        let size = try value.number("`pad`")
        guard (1...64).contains(size) else {
            throw value.fault("`pad` is \(size); expected the number of digits, 1 to 64")
        }
        return size
    }

    /// Refuses a source position with any other key, and as another field than the trip id.
    ///
    /// - Parameters:
    ///   - field: The field, which is the source position.
    ///   - map: Its keys.
    /// - Throws: ``PipelineFault`` at the key.
    static func checkPosition(_ field: FieldDefinition, _ map: YAMLMap) throws(PipelineFault) {
        guard field.name == "trip_id" else {
            throw map.value.fault(
                at: ["source_position"],
                "`source_position` is for `trip_id`; every trip has its file and record number "
                    + "anyway, as `source_file` and `record_number`",
                suggestion: "Remove the field."
            )
        }
        guard case .map(let pairs) = map.value.content,
            let other = pairs.first(where: { $0.key.text != "source_position" })
        else { return }
        throw map.value.fault(
            at: [other.key.text],
            "`trip_id` is the source position and has the key `\(other.key.text)`; the id is the "
                + "file's path and the record's number, and nothing else",
            suggestion: "Remove the key, or name the columns of an id: "
                + "`{from: [A, B], join: \"-\", blank_parts: true}`."
        )
    }

    /// Refuses keys that have no effect on the field, or would lose a part of an identifier.
    static func check(_ field: FieldDefinition, _ map: YAMLMap) throws(PipelineFault) {
        let isJoined = field.columns.count > 1 && !field.isFirstReadable
        let isIdentifier = field.name == "trip_id" || field.type == .patientID
        if !field.cut.isEmpty, isJoined, isIdentifier {
            throw map.value.fault(
                "`\(field.name)` is joined from \(field.columns.count) columns and cut, so that "
                    + "different parts could give one id",
                suggestion: "Cut an id of one column alone."
            )
        }
        if field.isFirstReadable, isIdentifier {
            throw map.value.fault(
                at: ["from"],
                "`\(field.name)` is the first of several columns, so that the same text of two "
                    + "columns would be one id",
                suggestion: field.name == "trip_id"
                    ? "Compose it: `{from: [\(field.columns.joined(separator: ", "))], join: \"-\", "
                        + "blank_parts: true}`."
                    : "Name the one column that has it."
            )
        }
        if field.cut.paddedSize > 0 || field.cut.isLowercased, field.type.columnKind != .text,
            field.type != .patientID
        {
            throw map.value.fault(
                at: [field.cut.isLowercased ? "lower" : "pad"],
                "`\(field.cut.isLowercased ? "lower" : "pad")` is for texts; `\(field.name)` is "
                    + "\(field.type.rawValue)",
                suggestion: "Remove it, or write `type: text`."
            )
        }
        if field.isFirstReadable, field.separator != nil {
            throw map.value.fault(
                at: ["split"],
                "`split` and `first` exclude each other: units are listed in one column"
            )
        }
        if field.cut.isLowercased, field.isUppercased {
            throw map.value.fault(
                at: ["lower"],
                "`\(field.name)` has both `lower` and `upper`"
            )
        }
        if field.allowsBlankParts, !isJoined || field.name != "trip_id" {
            throw map.value.fault(
                at: ["blank_parts"],
                "`blank_parts` is for a `trip_id` that is joined from several columns; the parts "
                    + "of other fields may always be blank",
                suggestion: "Remove it."
            )
        }
        if field.readsDaysAlone, field.type != .timestamp {
            throw map.value.fault(
                at: ["day_alone"],
                "`day_alone` is for time stamps; `\(field.name)` is \(field.type.rawValue)",
                suggestion: "Remove it, or write `type: timestamp`."
            )
        }
        if field.isRounded, field.type != .money, field.type != .miles {
            throw map.value.fault(
                at: ["round"],
                "`round` is for money and miles; `\(field.name)` is \(field.type.rawValue)",
                suggestion: "Remove it, or write `type: money`."
            )
        }
    }
}
