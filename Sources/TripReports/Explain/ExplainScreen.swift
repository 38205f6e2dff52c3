import TripDomain
import TripMart
import TripRules
public import TripRuns

/// Why a trip has its class: the deciding rule, its conditions with values, and their origins.
public struct ExplainScreen {
    let answer: TripExplanation
    private var header: GenerationHeader { answer.header }
    private var detail: TripDetail { answer.detail }
    private var explanation: RuleExplanation { answer.rules }
    private var isOverridden: Bool { answer.isOverridden }

    /// Shows one explanation.
    ///
    /// - Parameter answer: The explanation.
    public init(_ answer: TripExplanation) {
        self.answer = answer
    }

    /// The explanation in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - showsAll: Whether to show every rule before the deciding one; JSON has all.
    ///   - screen: What the text is shown on.
    /// - Returns: The answer.
    /// - Throws: ``RunError`` for CSV, because an explanation is not a table.
    public func text(
        _ format: OutputFormat,
        showsAll: Bool,
        on screen: Screen
    ) throws(RunError) -> String {
        switch format {
        case .table: return screen.text(lines(showsAll: showsAll, on: screen))
        case .json: return json
        case .csv:
            throw RunError(
                .usage,
                summary: "no CSV of an explanation",
                what: "An explanation is not a table.",
                remedies: ["Use --format json."]
            )
        }
    }

    private func lines(showsAll: Bool, on screen: Screen) -> [String] {
        var lines = head
        if let override = answer.override { lines += [""] + Self.lines(override) }
        if isOverridden { lines += ["", "Without it: " + decision(rulesDecision)] }
        if let deciding {
            lines += [""] + conditions(of: deciding, on: screen)
        }
        if showsAll {
            for reading in before {
                lines += ["", title(reading)] + conditions(of: reading, on: screen)
            }
        }
        lines.append("")
        lines += facts
        return lines
    }

    /// The rule that decides where no override does; nil for none.
    private var rulesDecision: RuleEntry? {
        explanation.decidingRule > 0 ? rule(explanation.decidingRule) : nil
    }

    private var deciding: RuleExplanation.RuleReading? {
        explanation.rules.first { $0.number == explanation.decidingRule }
    }

    /// The rules before the deciding one, or all where none decided.
    private var before: [RuleExplanation.RuleReading] {
        explanation.decidingRule == 0
            ? explanation.rules : Array(explanation.rules.prefix(explanation.decidingRule - 1))
    }

    private func rule(_ number: Int) -> RuleEntry { answer.rule(number) }

    private func classAndBasis(_ number: Int) -> String {
        guard number > 0 else { return TripClass.undetermined.word }
        return rule(number).tripClass.word(basis: rule(number).basis)
    }

    private var head: [String] {
        let summary = detail.summary
        var generation = "generation \(header.number)"
        let planned = answer.planned
        if let planned { generation = "plan \(planned.plan) against \(generation)" }
        let first = [
            "Trip \(summary.tripID)", generation,
            answer.labelled(planned?.tripType ?? summary.tripType, .tripType),
            "region " + answer.labelled(planned?.region ?? summary.region, .region), summary.month,
            planned?.isCounted ?? summary.isCounted ? "counted" : "not counted",
        ].joined(separator: " · ")
        let keys = answer.keys.map { "\($0.name) \($0.value ?? "(blank)")" }
        let top =
            [first, (["Day \(answer.day)"] + keys).joined(separator: " · ")]
            + (header.isSynthetic ? ["SYNTHETIC DATA"] : [])
        guard let planned else { return top + [decision(detail.rule)] }
        return top + [
            "now       " + before(planned), "planned   " + decision(planned.rule),
        ]
    }

    /// The trip as published, where a plan is explained.
    private func before(_ planned: PlannedTrip) -> String {
        let summary = detail.summary
        let rule = detail.rule.map { "   by rule \($0.id)" } ?? ""
        var words = [summary.tripClass.word(basis: summary.basis) + rule]
        if summary.tripType != planned.tripType { words.append(summary.tripType) }
        if summary.region != planned.region { words.append("region \(summary.region)") }
        if summary.isCounted != planned.isCounted {
            words.append(summary.isCounted ? "counted" : "not counted")
        }
        return words.joined(separator: " · ")
    }

    /// Class and basis with the rule that gives them, or a clause that no rule holds.
    private func decision(_ rule: RuleEntry?) -> String {
        guard let rule else {
            return "undetermined: none of the "
                + Counted.text(explanation.rules.count, "rule") + " holds"
        }
        let basis = rule.basis.isEmpty ? "" : " / \(rule.basis)"
        guard rule.number <= explanation.rules.count else {
            return "\(rule.tripClass.word)\(basis)   by hand, \(rule.id): \"\(rule.because)\""
        }
        return
            "\(rule.tripClass.word)\(basis)   by rule \(rule.id) "
            + "(\(Counted.ordinal(rule.number)) of \(explanation.rules.count)): \"\(rule.because)\""
    }

    private func title(_ reading: RuleExplanation.RuleReading) -> String {
        let rule = rule(reading.number)
        let note = reading.isValidThatDay ? "does not hold" : "is not valid on that day"
        return "Rule \(rule.id) (\(Counted.ordinal(reading.number))) \(note)"
    }

    /// The conditions of a rule, aligned: text, truth, and the origin of each value.
    private func conditions(
        of reading: RuleExplanation.RuleReading,
        on screen: Screen
    ) -> [String] {
        var table = TextTable([("", .prose), ("", .left), ("", .prose)])
        for (index, conjunct) in reading.conjuncts.enumerated() {
            let text =
                (index == 0 || conjunct.names.isEmpty ? "  " : "  AND ")
                + conjunct.text.split(whereSeparator: \.isNewline)
                .map { $0.drop { $0 == " " } }.joined(separator: " ")
            for (nameIndex, name) in conjunct.names.enumerated() {
                let isFirst = nameIndex == 0
                table.add([
                    isFirst ? text : "", isFirst ? conjunct.truth.word : "", origin(of: name),
                ])
            }
            if conjunct.names.isEmpty { table.add([text, conjunct.truth.word, ""]) }
        }
        return table.lines(on: screen)
    }

    private func origin(of name: RuleExplanation.NameReading) -> String {
        var text = "\(name.name) is \(name.value.literal)"
        if let file = name.file, let line = name.lineNumber {
            text += "   \(file):\(line)"
            if let validity = validity(of: name) { text += ", valid \(validity)" }
        } else if name.value == .null, !name.name.contains(".") {
            text +=
                "   " + Self.clause(answer.blankReason(for: name.name), column(of: name.name))
        }
        return text
    }

    /// The days a matched reference row is valid: `2023-10-01 … open`.
    func validity(of name: RuleExplanation.NameReading) -> String? {
        answer.validity(of: name).map { "\($0.from ?? "open") … \($0.through ?? "open")" }
    }

    /// Why the cost is not known, as a clause.
    var costReason: String {
        answer.costReason == .blank ? "blank" : Self.clause(answer.costReason, nil)
    }

    /// What the export calls a column that rules can name; nil where it calls it the same.
    private func column(of name: String) -> String? {
        let columns = answer.exportColumns(of: name)
        return columns.isEmpty || columns == [name] ? nil : columns.joined(separator: " or ")
    }

    private static func clause(_ reason: BlankReason, _ column: String?) -> String {
        switch reason {
        case .derived(let expression):
            "derived: " + expression.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        case .notInLayout(""): "the pipeline reads no column for it"
        case .notInLayout(let layout): "the layout \(layout) does not have it"
        case .blank: "the export left \(column ?? "it") blank"
        }
    }

    /// Author, reason and end of a decision made by hand, with its position in the file.
    private static func lines(_ explained: ExplainedOverride) -> [String] {
        let override = explained.override
        let classAndBasis = override.tripClass.word(basis: override.basis)
        let days =
            explained.isInForce
            ? "holds until \(override.expires.text)"
            : "expired on \(override.expires.text), "
                + "the data goes through \(explained.dataThrough?.text ?? "")"
        return [
            "Override: \(classAndBasis), \(days)   \(explained.file):\(override.lineNumber)",
            "  \(explained.visibleAuthor): \"\(explained.visibleReason)\"",
        ]
    }

    private var facts: [String] {
        var facts: [String] = []
        if explanation.decidingRule > 1 {
            facts.append("Rules before it: \(before.count), none held    --all shows them")
        }
        if explanation.nextRule > 0, !isOverridden {
            facts.append(
                "Would have decided next: \(rule(explanation.nextRule).id) "
                    + "(\(classAndBasis(explanation.nextRule)))"
            )
        }
        if let lacking = answer.lacking { facts += lines(lacking) }
        if let change = nearestChange {
            let decider =
                change.decidingRule == 0
                ? "no rule → undetermined"
                : "rule \(rule(change.decidingRule).id) → \(classAndBasis(change.decidingRule))"
            facts.append("Nearest change: if \(change.name) were \(change.words) → \(decider)")
        }
        let cost = detail.summary.costCents.map(NumberFormat.dollars)
        let lines = detail.versions.filter { $0.term == .merged }
        let lineCount = lines.isEmpty ? "" : ", of \(lines.count + 1) lines"
        facts.append("Cost: " + (cost ?? "not known (\(costReason))") + lineCount)
        for version in lines + detail.versions.filter({ $0.term != .merged }) {
            let cost = version.amountCents.map(NumberFormat.dollars) ?? "not known"
            let word = version.term == .merged ? "Line" : "Also: \(version.term.rawValue)"
            facts.append("\(word) in \(Self.position(version.position)), \(cost)")
        }
        for reject in detail.rejects {
            let what =
                reject.reason == .orphanLine
                ? "line of its claim" : reject.isCorrection ? "correction" : "earlier version"
            facts.append(
                "Also: a rejected \(what) in \(Self.position(reject.position)) "
                    + "(\(reject.reason.rawValue))   triptych rejects show "
                    + "\(reject.number)\(answer.martFlags)"
            )
        }
        let patient = detail.patientRef == nil ? "" : " · patient ••••••••"
        facts.append("Source: \(Self.position(detail.summary.position))\(patient)")
        return facts
    }

    /// The nearest change; nil where an override decides, and where the trip lacks a value, since
    /// one that it has is then not the reason.
    var nearestChange: RuleExplanation.NearestChange? {
        let isLacking = answer.lacking.map { !$0.settlements.isEmpty } ?? false
        return isOverridden || isLacking ? nil : explanation.nearestChange
    }

    /// What an undetermined trip lacks, and what would give it a class.
    private func lines(_ lacking: LackingValues) -> [String] {
        func listed(_ title: String, _ entries: [String]) -> [String] {
            let blank = String(repeating: " ", count: title.count)
            return entries.enumerated().map { ($0 == 0 ? title : blank) + $1 }
        }
        let missing =
            lacking.gaps.isEmpty
            ? ["nothing: no rule covers it"]
            : lacking.gaps.map { gap in
                let column = gap.kind == .blank ? gap.fields.first.flatMap(column) : nil
                return WorklistScreen.text(gap) + (column.map { " (column \($0))" } ?? "")
            }
        return listed("Missing: ", missing)
            + listed(
                "Would classify it: ",
                lacking.settlements.map { settlement in
                    let rule = rule(settlement.ruleNumber)
                    return WorklistScreen.condition(settlement, answer.ruleSet)
                        + " → \(rule.tripClass.word) by \(rule.id)"
                }
            )
    }

    private static func position(_ position: SourcePosition) -> String {
        "\(UnseenCharacters.named(in: position.file)), record \(NumberFormat.count(position.recordNumber)), "
            + "line \(NumberFormat.count(position.lineNumber))"
    }

    /// The explanation as JSON.
    private var json: String { ExplainRows(self).json }
}

extension RuleExplanation.NearestChange {
    /// The value it would need: one, or any but some.
    var words: String {
        guard let excluded else { return needed.literal }
        let others = excluded.map(\.literal).joined(separator: " or ")
        if current == .null { return others.isEmpty ? "known" : "known and not \(others)" }
        return "anything but \(others)"
    }
}
