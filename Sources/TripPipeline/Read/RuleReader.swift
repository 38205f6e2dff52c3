import TripDomain

/// Reads a list of rules.
enum RuleReader {
    static func read(_ value: YAMLValue) throws(PipelineFault) -> [RuleText] {
        var rules: [RuleText] = []
        var ids: Set<String> = []
        for entry in try value.list("`rules`") {
            value.faults.noting { () throws(PipelineFault) in
                guard let rule = try Self.rule(entry, &ids) else { return }
                rules.append(rule)
            }
        }
        return rules
    }

    /// Reads one rule; nil where a key of it has a fault, which is noted.
    private static func rule(
        _ value: YAMLValue,
        _ ids: inout Set<String>
    ) throws(PipelineFault) -> RuleText? {
        let faults = value.faults
        let count = faults.faults.count
        var map = try YAMLMap(value, "a rule")
        let id = faults.noting { () throws(PipelineFault) in try Self.id(&map) }
        let tripClass = faults.noting { () throws(PipelineFault) in
            try Self.tripClass(&map)
        }
        let when = faults.noting { () throws(PipelineFault) in
            try map.required("when", "when: owner = 'VA'").located("`when`")
        }
        let because = faults.noting { () throws(PipelineFault) in
            try map.required("because", "because: The vehicle belongs to VA.").text("`because`")
        }
        let examples = faults.noting { () throws(PipelineFault) in
            try Self.examples(map.optional("examples"))
        }
        let basis = faults.noting { () throws(PipelineFault) in try map.text("basis") ?? "" }
        let from = faults.noting { () throws(PipelineFault) in try date(&map, "from") }
        let to = faults.noting { () throws(PipelineFault) in try date(&map, "to") }
        faults.noting(map.finish)
        if let id, !ids.insert(id).inserted {
            throw value.fault("the rule id `\(id)` occurs twice; ids are unique")
        }
        guard faults.faults.count == count, let id, let tripClass, let when, let because,
            let examples, let basis, let from, let to
        else { return nil }
        if let from, let to, to < from {
            throw value.fault("the rule `\(id)` ends before it begins")
        }
        return RuleText(
            id: id,
            tripClass: tripClass,
            basis: basis,
            when: when,
            because: because,
            validFrom: from,
            validTo: to,
            decides: examples.decides,
            leaves: examples.leaves
        )
    }

    private static func id(_ map: inout YAMLMap) throws(PipelineFault) -> String {
        let id = try map.required("id", "id: va-vehicle")
        let text = try id.text("`id`")
        let isFit = text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
        }
        guard isFit, !text.isEmpty, text.utf8.count <= 64 else {
            throw id.fault("the rule id `\(text)` must be lower-case letters, digits, `-` and `_`")
        }
        return text
    }

    private static func tripClass(_ map: inout YAMLMap) throws(PipelineFault) -> TripClass {
        let word = try map.required("class", "class: in_house")
        let text = try word.text("`class`")
        guard let tripClass = TripClass(word: text) else {
            throw word.fault(
                "`class` is '\(text)'; expected in_house, contracted or undetermined",
                suggestion: Suggestion.text(for: text, among: TripClass.allCases.map(\.word))
            )
        }
        return tripClass
    }

    private static func date(
        _ map: inout YAMLMap,
        _ key: String
    ) throws(PipelineFault) -> CivilDate? {
        guard let value = map.optional(key), let text = try value.textOrNull("`\(key)`") else {
            return nil
        }
        guard let date = CivilDate(text: text) else {
            throw value.fault("`\(key)` is '\(text)'; expected a day as YYYY-MM-DD")
        }
        return date
    }

    /// A list of trips that the rule decides, or a map of `decides` and `leaves`.
    private static func examples(
        _ value: YAMLValue?
    ) throws(PipelineFault) -> (decides: [[String: String?]], leaves: [[String: String?]]) {
        guard let value else { return ([], []) }
        if case .list = value.content { return (try trips(value), []) }
        var map = try YAMLMap(value, "`examples`")
        let decides = try map.optional("decides").map(trips) ?? []
        let leaves = try map.optional("leaves").map(trips) ?? []
        try map.finish()
        return (decides, leaves)
    }

    private static func trips(_ value: YAMLValue) throws(PipelineFault) -> [[String: String?]] {
        var trips: [[String: String?]] = []
        for entry in try value.list("examples") {
            var trip: [String: String?] = [:]
            for (key, value) in try YAMLMap(entry, "an example").entries {
                trip[key.text] = .some(try value.textOrNull("the value of `\(key.text)`"))
            }
            trips.append(trip)
        }
        return trips
    }
}
