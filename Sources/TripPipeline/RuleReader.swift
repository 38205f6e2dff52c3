import TripDomain

/// Reads a list of rules.
enum RuleReader {
    static func read(_ value: YAMLValue) throws(PipelineFault) -> [RuleText] {
        var rules: [RuleText] = []
        for entry in try value.list("`rules`") {
            let rule = try rule(entry)
            guard !rules.contains(where: { $0.id == rule.id }) else {
                throw entry.fault("the rule id `\(rule.id)` occurs twice; ids are unique")
            }
            rules.append(rule)
        }
        return rules
    }

    private static func rule(_ value: YAMLValue) throws(PipelineFault) -> RuleText {
        var map = try YAMLMap(value, "a rule")
        let id = try map.required("id", "id: va-vehicle")
        let idText = try id.text("`id`")
        let isFit = idText.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
        }
        guard isFit, !idText.isEmpty, idText.utf8.count <= 64 else {
            throw id.fault(
                "the rule id `\(idText)` must be lower-case letters, digits, `-` and `_`"
            )
        }
        let word = try map.required("class", "class: in_house")
        let wordText = try word.text("`class`")
        guard let tripClass = TripClass(word: wordText) else {
            throw word.fault(
                "`class` is '\(wordText)'; expected in_house, contracted or undetermined",
                suggestion: Suggestion.text(
                    for: wordText,
                    among: TripClass.allCases.map(\.word)
                )
            )
        }
        let when = try map.required("when", "when: owner = 'VA'").located("`when`")
        let because = try map.required("because", "because: The vehicle belongs to VA.")
            .text("`because`")
        let examples = try self.examples(map.optional("examples"))
        let rule = RuleText(
            id: idText,
            tripClass: tripClass,
            basis: try map.text("basis") ?? "",
            when: when,
            because: because,
            validFrom: try date(&map, "from"),
            validTo: try date(&map, "to"),
            decides: examples.decides,
            leaves: examples.leaves
        )
        if let from = rule.validFrom, let to = rule.validTo, to < from {
            throw value.fault("the rule `\(idText)` ends before it begins")
        }
        try map.finish()
        return rule
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
