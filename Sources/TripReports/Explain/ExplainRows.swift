import TripDomain
import TripMart
import TripRules
import TripRuns

/// An explanation as JSON: the content of the screen, and every rule.
struct ExplainRows {
    private let screen: ExplainScreen
    private var answer: TripExplanation { screen.answer }
    private var detail: TripDetail { answer.detail }
    private var explanation: RuleExplanation { answer.rules }

    init(_ screen: ExplainScreen) {
        self.screen = screen
    }

    /// An array of one object.
    var json: String {
        let (summary, planned) = (detail.summary, answer.planned)
        let decider = planned.map(\.rule) ?? detail.rule
        let object = JSONValue.object([
            ("trip_id", .text(summary.tripID)),
            ("generation", .integer(Int64(answer.header.number))),
            ("synthetic", .truth(answer.header.isSynthetic)), ("plan", .text(planned?.plan)),
            ("month", .text(summary.month)), ("day", .text(answer.day)),
            ("keys", .object(answer.keys.map { ($0.name, .text($0.value)) })),
            ("trip_type", .text(planned?.tripType ?? summary.tripType)),
            ("region", .text(planned?.region ?? summary.region)),
            ("counted", .truth(planned?.isCounted ?? summary.isCounted)),
            ("class", .text((decider?.tripClass ?? .undetermined).word)),
            ("basis", .text(decider?.basis ?? "")), ("rule", .text(decider?.id)),
            ("because", .text(decider?.because)), ("now", now),
            ("cost_cents", .integer(summary.costCents)),
            (
                "cost_unknown_because",
                .text(summary.costCents == nil ? screen.costReason : nil)
            ), ("source_file", .text(summary.position.file)),
            ("record_number", .integer(Int64(summary.position.recordNumber))),
            ("line_number", .integer(Int64(summary.position.lineNumber))),
            ("override", answer.override.map(Self.override) ?? .null),
            (
                "next_rule",
                .text(
                    ruleID(
                        answer.isOverridden ? explanation.decidingRule : explanation.nextRule
                    )
                )
            ),
            ("missing", missing), ("nearest_change", nearestChange),
            ("versions", .list(detail.versions.map(Self.version))),
            ("rejects", .list(detail.rejects.map(Self.reject))),
            ("rules", .list(explanation.rules.map(rule))),
        ])
        return JSONValue.list([object]).json
    }

    /// The trip as published, where a plan is explained; null where there is no plan.
    private var now: JSONValue {
        guard answer.planned != nil else { return .null }
        let summary = detail.summary
        return .object([
            ("trip_type", .text(summary.tripType)), ("region", .text(summary.region)),
            ("counted", .truth(summary.isCounted)), ("class", .text(summary.tripClass.word)),
            ("basis", .text(summary.basis)), ("rule", .text(detail.rule?.id)),
        ])
    }

    /// The id of a rule by its number; nil for none.
    private func ruleID(_ number: Int) -> String? { number > 0 ? answer.rule(number).id : nil }

    private var nearestChange: JSONValue {
        guard let change = screen.nearestChange else { return .null }
        let decider = change.decidingRule > 0 ? answer.rule(change.decidingRule) : nil
        return .object([
            ("name", .text(change.name)), ("current", .text(change.current.literal)),
            ("needed", .text(change.words)), ("rule", .text(decider?.id)),
            ("class", .text((decider?.tripClass ?? .undetermined).word)),
            ("basis", .text(decider?.basis ?? "")),
        ])
    }

    /// What an undetermined trip lacks, and what would give it a class; null for other trips.
    private var missing: JSONValue {
        guard let lacking = answer.lacking else { return .null }
        return .object([
            ("values", .list(lacking.gaps.map { .text(WorklistScreen.text($0)) })),
            (
                "would_classify",
                .list(
                    lacking.settlements.map { settlement in
                        let rule = answer.rule(settlement.ruleNumber)
                        return .object([
                            ("source", .text(settlement.source)),
                            (
                                "condition",
                                .text(WorklistScreen.condition(settlement, answer.ruleSet))
                            ), ("rule", .text(rule.id)), ("class", .text(rule.tripClass.word)),
                        ])
                    }
                )
            ),
        ])
    }

    private func rule(_ reading: RuleExplanation.RuleReading) -> JSONValue {
        .object([
            ("rule", .text(answer.rule(reading.number).id)),
            ("valid", .truth(reading.isValidThatDay)), ("truth", .text(reading.truth.word)),
            ("conditions", .list(reading.conjuncts.map(condition))),
        ])
    }

    private func condition(_ conjunct: RuleExplanation.ConjunctReading) -> JSONValue {
        .object([
            ("text", .text(conjunct.text)), ("truth", .text(conjunct.truth.word)),
            ("values", .list(conjunct.names.map(value))),
        ])
    }

    private func value(_ name: RuleExplanation.NameReading) -> JSONValue {
        .object([
            ("name", .text(name.name)), ("value", .text(name.value.literal)),
            ("file", .text(name.file)), ("line", .integer(name.lineNumber.map(Int64.init))),
            ("valid", .text(screen.validity(of: name))),
        ])
    }

    private static func override(_ explained: ExplainedOverride) -> JSONValue {
        let override = explained.override
        return .object([
            ("class", .text(override.tripClass.word)), ("basis", .text(override.basis)),
            ("author", .text(override.author)), ("reason", .text(override.reason)),
            ("expires", .text(override.expires.text)), ("in_force", .truth(explained.isInForce)),
            ("file", .text(explained.file)), ("line", .integer(Int64(override.lineNumber))),
        ])
    }

    private static func version(_ version: StoredVersion) -> JSONValue {
        .object(
            [("term", .text(version.term.rawValue))] + position(version.position) + [
                ("cost_cents", .integer(version.amountCents))
            ]
        )
    }

    private static func reject(_ reject: RejectRow) -> JSONValue {
        .object(
            [("number", .integer(Int64(reject.number)))] + position(reject.position) + [
                ("reason", .text(reject.reason.rawValue)), ("field", .text(reject.field)),
                ("correction", .truth(reject.isCorrection)),
            ]
        )
    }

    private static func position(_ position: SourcePosition) -> [(String, JSONValue)] {
        [
            ("source_file", .text(position.file)),
            ("record_number", .integer(Int64(position.recordNumber))),
            ("line_number", .integer(Int64(position.lineNumber))),
        ]
    }
}
