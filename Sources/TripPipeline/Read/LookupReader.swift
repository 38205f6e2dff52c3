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

    /// - Parameters:
    ///   - value: The value of `lookups`; nil where it is missing.
    ///   - isStored: Whether a generation stores it, with the files it names.
    /// - Returns: The look-ups.
    /// - Throws: ``PipelineFault`` where it is no map; the faults of its entries are noted.
    static func read(_ value: YAMLValue?, isStored: Bool) throws(PipelineFault) -> Reading {
        guard let value else { return Reading() }
        var reading = Reading()
        for (key, entry) in try YAMLMap(value, "`lookups`").entries {
            value.faults.noting(naming: key.text) { () throws(PipelineFault) in
                try FieldReader.checkName(key.text, at: entry, what: "lookup")
                guard let lookup = try Self.lookup(key.text, entry, isStored: isStored, &reading)
                else { return }
                reading.definitions.append(lookup)
                reading.positions[key.text] = LocatedText(
                    text: key.text,
                    file: value.file,
                    line: key.line,
                    column: key.column
                )
            }
        }
        return reading
    }

    /// Reads one look-up; nil where a key of it has a fault, which is noted.
    private static func lookup(
        _ name: String,
        _ entry: YAMLValue,
        isStored: Bool,
        _ reading: inout Reading
    ) throws(PipelineFault) -> LookupDefinition? {
        let faults = entry.faults
        let count = faults.faults.count
        var map = try YAMLMap(entry, "the lookup `\(name)`")
        let file = faults.noting { () throws(PipelineFault) in
            try Self.file(
                try map.required("file", "file: stations.csv"),
                of: "the lookup `\(name)`",
                isStored: isStored
            )
        }
        let keys = faults.noting { () throws(PipelineFault) in
            try Self.keys(try map.required("match", "match: {station: station}"))
        }
        var lookup = LookupDefinition(name: name, file: file ?? "", keys: keys ?? [])
        let validOn = map.optional("valid_on")
        faults.noting { () throws(PipelineFault) in
            lookup.validOn = try validOn?.textOrNull("`valid_on`")
            if validOn != nil, lookup.validOn == nil { reading.undated.insert(name) }
        }
        faults.noting { () throws(PipelineFault) in
            lookup.fromColumn = try map.text("from") ?? "from"
        }
        faults.noting { () throws(PipelineFault) in lookup.toColumn = try map.text("to") ?? "to" }
        faults.noting { () throws(PipelineFault) in
            let words: [LookupDefinition.Cardinality] = [.one, .any]
            lookup.cardinality = try map.word("cardinality", of: words) ?? .one
        }
        faults.noting { () throws(PipelineFault) in
            if let types = map.optional("types") { lookup.types = try self.types(types) }
        }
        faults.noting(map.finish)
        guard faults.faults.count == count else { return nil }
        try checkTypes(lookup, entry)
        try checkDays(lookup, map)
        return lookup
    }

    /// The reference file that a look-up or dimension names.
    ///
    /// A path out of the folder would read files that the operator did not mean to give, and keep
    /// their rows with every generation.
    private static func file(
        _ value: YAMLValue,
        of owner: String,
        isStored: Bool
    ) throws(PipelineFault) -> String {
        let name = try value.text("`file`")
        guard !isStored, let objection = FileText.objection(to: name, folder: "reference folder")
        else { return name }
        throw value.fault(
            "`file` of \(owner) \(objection)",
            suggestion: FileText.pathAdvice
        )
    }

    static func labels(
        _ value: YAMLValue?,
        isStored: Bool
    ) throws(PipelineFault) -> [String: PipelineDefinition.LabelSource] {
        guard let value else { return [:] }
        var labels: [String: PipelineDefinition.LabelSource] = [:]
        for (key, entry) in try YAMLMap(value, "`dimensions`").entries {
            value.faults.noting { () throws(PipelineFault) in
                guard ["region", "trip_type"].contains(key.text) else {
                    throw entry.fault(
                        "`\(key.text)` is no dimension with labels",
                        suggestion: Suggestion.text(for: key.text, among: ["region", "trip_type"])
                    )
                }
                var map = try YAMLMap(entry, "the dimension `\(key.text)`")
                labels[key.text] = PipelineDefinition.LabelSource(
                    file: try file(
                        try map.required("file", "file: visns.csv"),
                        of: "the dimension `\(key.text)`",
                        isStored: isStored
                    ),
                    valueColumn: try map.required("value", "value: region").text("`value`"),
                    labelColumn: try map.required("label", "label: name").text("`label`")
                )
                try map.finish()
            }
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
