import TripDomain
import TripEngine
import TripRules

/// Reads `lookups` and `dimensions`.
enum LookupReader {
    /// The look-ups, with their positions in the file.
    struct Reading {
        var definitions: [LookupDefinition] = []
        /// The position of each in the file, by name.
        var positions: [String: LocatedText] = [:]
        /// The names of look-ups that state themselves that their rows hold for ever.
        var undated: Set<String> = []
    }

    static func read(_ value: YAMLValue?) throws(PipelineFault) -> Reading {
        guard let value else { return Reading() }
        var reading = Reading()
        for (key, entry) in try YAMLMap(value, "`lookups`").entries {
            try FieldReader.checkName(key.text, at: entry, what: "lookup")
            var map = try YAMLMap(entry, "the lookup `\(key.text)`")
            var lookup = LookupDefinition(
                name: key.text,
                file: try map.required("file", "file: stations.csv").text("`file`"),
                keys: try keys(try map.required("match", "match: {station: station}"))
            )
            let validOn = map.optional("valid_on")
            lookup.validOn = try validOn?.textOrNull("`valid_on`")
            if validOn != nil, lookup.validOn == nil { reading.undated.insert(key.text) }
            lookup.fromColumn = try map.text("from") ?? "from"
            lookup.toColumn = try map.text("to") ?? "to"
            lookup.cardinality =
                try map.word("cardinality", of: [.one, .any]) ?? .one
            if let types = map.optional("types") { lookup.types = try self.types(types) }
            try map.finish()
            try checkTypes(lookup, entry)
            try checkDays(lookup, map)
            reading.definitions.append(lookup)
            reading.positions[key.text] = LocatedText(
                text: key.text,
                file: value.file,
                line: key.line,
                column: key.column
            )
        }
        return reading
    }

    static func labels(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> [String: PipelineDefinition.LabelSource] {
        guard let value else { return [:] }
        var labels: [String: PipelineDefinition.LabelSource] = [:]
        for (key, entry) in try YAMLMap(value, "`dimensions`").entries {
            guard ["region", "trip_type"].contains(key.text) else {
                throw entry.fault(
                    "`\(key.text)` is no dimension with labels",
                    suggestion: Suggestion.text(for: key.text, among: ["region", "trip_type"])
                )
            }
            var map = try YAMLMap(entry, "the dimension `\(key.text)`")
            labels[key.text] = PipelineDefinition.LabelSource(
                file: try map.required("file", "file: visns.csv").text("`file`"),
                valueColumn: try map.required("value", "value: region").text("`value`"),
                labelColumn: try map.required("label", "label: name").text("`label`")
            )
            try map.finish()
        }
        return labels
    }

    private static func keys(
        _ value: YAMLValue
    ) throws(PipelineFault) -> [(field: String, column: String)] {
        var keys: [(field: String, column: String)] = []
        for (key, column) in try YAMLMap(value, "`match`").entries {
            keys.append((key.text, try column.text("the column for `\(key.text)`")))
        }
        guard !keys.isEmpty else { throw value.fault("`match` names no key") }
        return keys
    }

    /// Refuses columns of days that the look-up would not use.
    private static func checkDays(
        _ lookup: LookupDefinition,
        _ map: YAMLMap
    ) throws(PipelineFault) {
        guard lookup.validOn == nil else { return }
        for key in ["from", "to"] where map.entries.contains(where: { $0.key.text == key }) {
            throw map.value.fault(
                at: [key],
                "the lookup `\(lookup.name)` names a column for `\(key)` and no `valid_on`, so "
                    + "that its rows would hold for ever",
                suggestion: "Add for example `valid_on: pickup_date`, or remove `\(key)`."
            )
        }
    }

    /// Checks that columns that the look-up itself reads as texts or days are not declared
    /// otherwise.
    private static func checkTypes(
        _ lookup: LookupDefinition,
        _ value: YAMLValue
    ) throws(PipelineFault) {
        let keys = lookup.keys.map { ($0.column, "`match` compares it as a text") }
        let days = [lookup.fromColumn, lookup.toColumn].map { ($0, "`valid_on` reads it as a day") }
        for (column, use) in keys + (lookup.validOn == nil ? [] : days) {
            guard let kind = lookup.types[column], kind != .text else { continue }
            throw value.fault(
                at: ["types", column],
                "`types` of the lookup `\(lookup.name)` declares \(kind.rawValue) for the column "
                    + "'\(column)'; \(use)",
                suggestion: "Remove '\(column)' from `types`; rules see it as a text."
            )
        }
    }

    private static func types(_ value: YAMLValue) throws(PipelineFault) -> [String: ColumnKind] {
        let known: [String: ColumnKind] = [
            "text": .text, "integer": .integer, "decimal": .decimal, "money": .money,
            "miles": .miles, "boolean": .boolean, "date": .date,
        ]
        var types: [String: ColumnKind] = [:]
        for (key, word) in try YAMLMap(value, "`types`").entries {
            let text = try word.text("the type of `\(key.text)`")
            guard let kind = known[text] else {
                throw word.fault(
                    "'\(text)' is not a type of a reference column",
                    suggestion: Suggestion.text(for: text, among: Array(known.keys))
                )
            }
            types[key.text] = kind
        }
        return types
    }
}
