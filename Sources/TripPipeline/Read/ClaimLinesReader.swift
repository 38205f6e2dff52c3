import TripEngine

/// Reads `lines` of a source: how the lines of a claim are joined into trips.
enum ClaimLinesReader {
    /// Reads the key; its faults are noted.
    ///
    /// - Parameters:
    ///   - value: The value of `lines`.
    ///   - source: Receives the definition, and where its kind is named.
    static func read(_ value: YAMLValue?, into source: inout SourceDefinition) {
        guard let value else { return }
        let faults = value.faults
        let read = faults.noting { () throws(PipelineFault) in
            var map = try YAMLMap(value, "`lines`")
            let kind = try map.required("kind", "kind: hcpcs")
            var lines = ClaimLineDefinition(
                claim: try map.required("claim", "claim: claim_number").texts("`claim`"),
                kind: try kind.text("`kind`"),
                kinds: try kinds(&map),
                shared: try map.optional("same")?.texts("`same`") ?? [],
                sums: try sums(try map.required("add", "add: {paid: all, miles: mileage}"))
            )
            lines.line = try map.text("line")
            let frequency = map.optional("frequency")
            lines.frequency = try Self.frequency(frequency)
            lines.replaced = try map.optional("replaces")?.texts("`replaces`") ?? []
            try map.finish()
            let position = try kind.located("`kind`")
            return (lines, position, frequency == nil ? position : nil)
        }
        guard let read else { return }
        (source.lines, source.lineKindPosition, source.silentLinesPosition) = read
    }

    /// The values of each kind.
    private static func kinds(
        _ map: inout YAMLMap
    ) throws(PipelineFault) -> [String: ClaimLineDefinition.Kind] {
        var kinds: [String: ClaimLineDefinition.Kind] = [:]
        for kind in ClaimLineDefinition.Kind.allCases {
            let key = kind.rawValue
            let value =
                kind == .base
                ? try map.required(key, "base: [A0428, A0429]") : map.optional(key)
            guard let value else { continue }
            for text in try value.texts("`\(key)`") {
                if text.contains(where: { $0 == "*" || $0 == "?" }) {
                    throw value.fault(
                        "`\(key)` lists '\(text)'; texts are compared as written, patterns are not "
                            + "read here",
                        suggestion: "List every text, or derive a text from a reference file's "
                            + "column: `line_kind: level.line_kind`."
                    )
                }
                if let other = kinds.updateValue(kind, forKey: text) {
                    throw value.fault(
                        "'\(text)' is listed under `\(other.rawValue)` and `\(key)`; a line is of "
                            + "one kind"
                    )
                }
            }
        }
        return kinds
    }

    /// `{paid: all, miles: mileage, minutes: [base, ancillary]}`.
    private static func sums(_ value: YAMLValue) throws(PipelineFault) -> [ClaimLineDefinition.Sum]
    {
        var sums: [ClaimLineDefinition.Sum] = []
        for (key, kinds) in try YAMLMap(value, "`add`").entries {
            let words = try kinds.texts("`\(key.text)`")
            var found: Set<ClaimLineDefinition.Kind> = []
            for word in words {
                if word == "all" {
                    found = Set(ClaimLineDefinition.Kind.allCases)
                } else if let kind = ClaimLineDefinition.Kind(rawValue: word) {
                    found.insert(kind)
                } else {
                    let known = ["all"] + ClaimLineDefinition.Kind.allCases.map(\.rawValue)
                    throw kinds.fault(
                        "`\(key.text)` is added over '\(word)'; expected "
                            + known.joined(separator: ", "),
                        suggestion: Suggestion.text(for: word, among: known)
                    )
                }
            }
            sums.append(ClaimLineDefinition.Sum(field: key.text, kinds: found))
        }
        return sums
    }

    /// `{field: frequency, original: ["1"], replacement: ["7"], void: ["8"]}`; `null` says that the
    /// export has no such column.
    private static func frequency(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> ClaimLineDefinition.Frequency? {
        guard let value else { return nil }
        if case .text(_, isNull: true) = value.content { return nil }
        var map = try YAMLMap(value, "`frequency`")
        let field = try map.required("field", "field: frequency").text("`field`")
        var values: [String: ClaimLineDefinition.Billing] = [:]
        for billing in ClaimLineDefinition.Billing.allCases {
            guard let list = map.optional(billing.rawValue) else { continue }
            for text in try list.texts("`\(billing.rawValue)`") {
                if let other = values.updateValue(billing, forKey: text) {
                    throw list.fault(
                        "'\(text)' is listed under `\(other.rawValue)` and `\(billing.rawValue)`"
                    )
                }
            }
        }
        try map.finish()
        guard !values.isEmpty else {
            throw value.fault(
                "`frequency` lists no value",
                suggestion: "Add, for example, `original: [\"1\"]`, `replacement: [\"7\"]` and "
                    + "`void: [\"8\"]`."
            )
        }
        return ClaimLineDefinition.Frequency(field: field, values: values)
    }
}
