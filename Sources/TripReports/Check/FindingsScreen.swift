import TripDomain
import TripPipeline
import TripRules
public import TripRuns

/// The findings of `check`, in words.
public struct FindingsScreen {
    /// How grave a finding is.
    private enum Kind: String {
        case fault
        case warning
        /// A fact that is worth knowing and may be intended.
        case note
    }

    /// One finding.
    private struct Finding {
        let kind: Kind
        let position: String
        let message: String
        /// The rule it concerns; nil where it concerns something else.
        var rule: String?
        /// Whether it is a change of the rules that no example notices; people see these last.
        var isAboutExamples = false
        /// Whether it is that a rule has no example, and nothing else.
        var isUnexampled = false
    }

    /// The number of overlaps that are listed; further ones are only counted.
    private static let shownCount = 5
    /// The number of rules without an example that have a finding each.
    private static let unexampledCount = 3

    private let found: CheckFindings
    private var findings: [Finding] = []
    private var rules: [(id: String, examples: Int, reach: String)] = []
    private var warnings: RuleWarnings? { found.rules?.warnings }
    private var laboratoryScreen: LaboratoryScreen? {
        found.rules?.laboratory.map(LaboratoryScreen.init)
    }

    /// Puts findings into words.
    ///
    /// - Parameter found: The findings.
    public init(_ found: CheckFindings) {
        self.found = found
        guard let rules = found.rules else {
            findings = found.faults.map { Self.finding($0, .fault) }
            return
        }
        findings += rules.compiled.pipeline.warnings.map { Self.finding($0, .warning) }
        findings += found.sources.map { Self.finding($0, .warning) }
        findings += Self.undatedLookups(rules.compiled) + Self.missingChecks(rules)
        findings += Self.silentLines(rules.compiled.pipeline)
        findings += found.faults.map { fault in
            Finding(kind: .fault, position: "\(fault.file):\(fault.line)", message: fault.message)
        }
        let texts = rules.compiled.pipeline.rules
        for (index, rule) in texts.enumerated() { add(rule, index, rules) }
        foldUnexampled()
        noteGap(rules.laboratory, rulesFile: texts.first?.when.file ?? "rules")
        if let refusal = found.refusal { refuse(refusal) }
    }

    /// A fault of a pipeline that cannot be compiled, or a warning about one that can.
    private static func finding(_ fault: PipelineFault, _ kind: Kind) -> Finding {
        var position = fault.file
        if fault.line > 0 { position += ":\(fault.line)" }
        let message =
            fault.suggestion.isEmpty ? fault.message : fault.message + "\n" + fault.suggestion
        return Finding(kind: kind, position: position, message: message)
    }

    /// Adds what was found about one rule.
    private mutating func add(_ rule: RuleText, _ index: Int, _ found: RuleFindings) {
        let texts = found.compiled.pipeline.rules
        let laboratory = found.laboratory
        let examples = rule.decides.count + rule.leaves.count
        let (word, fault) = Self.words(found.reach[index], texts)
        rules.append((rule.id, examples, word))
        if let fault { note(.fault, rule, "the rule `\(rule.id)` can never decide: \(fault)") }
        let worth = laboratory.map { Self.worth(of: index + 1, $0) } ?? ""
        if examples == 0 {
            note(
                .warning,
                rule,
                "the rule `\(rule.id)` has no example; nothing protects it\(worth)"
            )
            findings[findings.count - 1].isUnexampled = worth.isEmpty
        } else if found.warnings.unprotected.contains(index + 1) {
            note(.warning, rule, "no example protects the rule `\(rule.id)`\(worth)")
        }
        let ruleSet = found.compiled.classifier.ruleSet
        for change in found.warnings.unnoticed where change.rule == index + 1 {
            let clause = RuleWords.clause(change.mutant, ruleSet, texts.map(\.id))
            var finding = Finding(
                kind: .note,
                position: Self.position(rule),
                message: "every example \(clause)",
                rule: rule.id
            )
            finding.isAboutExamples = true
            findings.append(finding)
        }
        if let laboratory, fault == nil {
            note(undecided: index + 1, rule, laboratory, ids: texts.map(\.id))
        }
    }

    /// Says once of many rules that they have no example, behind all other findings.
    private mutating func foldUnexampled() {
        let unexampled = findings.filter(\.isUnexampled)
        guard unexampled.count > Self.unexampledCount, let first = unexampled.first else { return }
        let ids = unexampled.compactMap(\.rule).map { "`\($0)`" }.joined(separator: ", ")
        findings.removeAll(where: \.isUnexampled)
        findings.append(
            Finding(
                kind: .warning,
                position: first.position,
                message: "\(unexampled.count) rules have no example; nothing protects them: \(ids)"
            )
        )
    }

    /// Notes why the rules were not tested on trips.
    private mutating func refuse(_ failure: Failure) {
        let lines = ["the rules were not tested on trips: \(failure.summary)"] + failure.what
        findings.append(
            Finding(
                kind: found.isUnpublished ? .note : .warning,
                position: "mart",
                message: (lines + failure.remedies).joined(separator: "\n")
            )
        )
    }

    private mutating func note(_ kind: Kind, _ rule: RuleText, _ message: String) {
        findings.append(
            Finding(kind: kind, position: Self.position(rule), message: message, rule: rule.id)
        )
    }

    /// How many trips, and at what cost, change class without a rule.
    private static func worth(of rule: Int, _ laboratory: Laboratory) -> String {
        let changed = laboratory.coverage.changed(without: rule)
        guard changed.costs.trips > 0 else {
            return
                "\nWithout it no trip of generation \(laboratory.header.number) that counts "
                + "changes class."
        }
        return "\nWithout it \(Counted.text(changed.costs.trips, "trip")) and "
            + "\(NumberFormat.dollars(changed.costs.costCents)) change class."
    }

    /// Notes a rule that decides no trip of the generation.
    private mutating func note(
        undecided number: Int,
        _ rule: RuleText,
        _ laboratory: Laboratory,
        ids: [String]
    ) {
        let coverage = laboratory.coverage
        let decided = [true, false].map {
            coverage.decided(by: number, isCounted: $0).costs.trips
        }
        guard decided == [0, 0] else { return }
        let shadowing = coverage.shadowingRules(of: number)
        let deciders = shadowing.prefix(3).map {
            "`\(ids[$0.deciding - 1])` (\(NumberFormat.count($0.sums.costs.trips)))"
        }
        let reason =
            deciders.isEmpty
            ? "it holds for none"
            : "those it holds for are decided by \(deciders.joined(separator: ", "))"
                + (shadowing.count > 3 ? " and \(shadowing.count - 3) more" : "")
        note(
            .note,
            rule,
            "the rule `\(rule.id)` decided no trip of generation "
                + "\(laboratory.header.number): \(reason)"
        )
    }

    private mutating func noteGap(_ laboratory: Laboratory?, rulesFile: String) {
        let undecided = laboratory.map { $0.coverage.decided(by: 0) }
        guard warnings?.gap != nil || (undecided?.costs.trips ?? 0) > 0 else { return }
        var message =
            "some trips are decided by no rule"
            + (warnings?.gap.map { ", such as one \(words($0))" } ?? "")
        if let undecided, undecided.costs.trips > 0, let laboratory {
            message +=
                "\nNone decides \(Counted.text(undecided.costs.trips, "trip")) of generation "
                + "\(laboratory.header.number), \(NumberFormat.dollars(undecided.costs.costCents))."
            if let ref = undecided.sample.flatMap({ laboratory.refs[$0] }) {
                message += " For example: triptych explain \(ref)\(laboratory.martFlags)"
            }
        }
        findings.append(Finding(kind: .note, position: rulesFile, message: message))
    }

    /// A constructed trip in words.
    private func words(_ trip: [String: ExpressionValue]) -> String {
        found.rules.map { RuleWords.text(trip, $0.compiled.classifier.ruleSet) } ?? ""
    }

    /// Notes the measures that only a built-in check limits.
    private static func missingChecks(_ rules: RuleFindings) -> [Finding] {
        rules.missingChecks.map { check in
            Finding(
                kind: .note,
                position: rules.compiled.pipeline.files.first?.path ?? "pipeline.yaml",
                message: "no check names `\(check.measures[0])`; the built-in one warns if "
                    + "\(check.warnIf ?? "it is high")"
                    + "\nSet a limit of your own under `checks`, as "
                    + "{id: \(check.id.dropFirst(BuiltInCheck.prefix.count)), error_if: "
                    + "\"\(check.measures[0]) > 5\"}."
            )
        }
    }

    /// Notes the lines of claims of which nothing says that they are taken back.
    private static func silentLines(_ pipeline: PipelineDefinition) -> [Finding] {
        pipeline.sources.compactMap { source in
            source.silentLinesPosition.map { position in
                Finding(
                    kind: .note,
                    position: "\(position.file):\(position.line)",
                    message: "nothing says which claims of the source `\(source.name)` are voids"
                        + "\nIf the export has such a column, name it: `frequency`; else write "
                        + "`frequency: null`."
                )
            }
        }
    }

    /// Warns of look-ups whose file has validity dates that the look-up ignores.
    private static func undatedLookups(_ compiled: CompiledPipeline) -> [Finding] {
        compiled.lookups.compactMap { lookup in
            let (definition, table) = (lookup.definition, lookup.table)
            let days = [definition.fromColumn, definition.toColumn].filter {
                table.columnNames.contains($0)
            }
            guard definition.validOn == nil, !days.isEmpty,
                !compiled.pipeline.undatedLookups.contains(definition.name),
                let position = compiled.pipeline.lookupPositions[definition.name]
            else { return nil }
            let words = days.map { "'\($0)'" }.joined(separator: " and ")
            return Finding(
                kind: .warning,
                position: "\(position.file):\(position.line)",
                message: "the lookup `\(definition.name)` has no `valid_on`, and \(table.file) "
                    + "has the column\(days.count > 1 ? "s" : "") \(words): its rows hold for ever"
                    + "\nAdd for example `valid_on: pickup_date`, or `valid_on: null` if that is "
                    + "intended."
            )
        }
    }

    private static func position(_ rule: RuleText) -> String {
        "\(rule.when.file):\(rule.when.line)"
    }

    private static func words(
        _ reach: RuleReach,
        _ rules: [RuleText]
    ) -> (word: String, fault: String?) {
        switch reach {
        case .canDecide: return ("can decide", nil)
        case .notDecided: return ("not decided", nil)
        case .neverHolds: return ("never", "no trip meets its condition and its dates")
        case .alwaysShadowed(let numbers):
            let ids = numbers.map { "`\(rules[$0 - 1].id)`" }.joined(separator: ", ")
            return ("never", "every trip it could decide is decided before it, by \(ids)")
        }
    }

    /// The findings in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    ///   - listsNotes: Whether to list the changes that no example notices; JSON and CSV have them.
    /// - Returns: The answer.
    public func text(
        _ format: OutputFormat,
        on screen: Screen,
        listsNotes: Bool = false
    ) -> String {
        switch format {
        case .json: rowSet.json
        case .csv: rowSet.csv
        case .table: screen.text(lines(on: screen, listsNotes: listsNotes))
        }
    }

    private var rowSet: RowSet {
        var set = RowSet([
            "kind", "place", "message", "subject", "other", "trips", "costed_trips", "cost_cents",
            "trip_ref", "generation",
        ])
        for finding in findings {
            set.add(
                [
                    .text(finding.kind.rawValue), .text(finding.position), .text(finding.message),
                    .text(finding.rule),
                ] + [JSONValue](repeating: .null, count: 6)
            )
        }
        for overlap in warnings?.overlaps ?? [] {
            set.add(
                [
                    .text("possible_overlap"), .null, .text(words(overlap.witness)),
                    .text(rules[overlap.deciding - 1].id), .text(rules[overlap.other - 1].id),
                ] + [JSONValue](repeating: .null, count: 5)
            )
        }
        laboratoryScreen?.add(to: &set)
        return set
    }

    /// The result, then faults, warnings and notes, then tables, and last what examples miss.
    private func lines(on screen: Screen, listsNotes: Bool) -> [String] {
        let counts = [Kind.fault, .warning, .note].map { kind in
            Counted.text(findings.count { $0.kind == kind }, kind.rawValue)
        }
        // Nothing was counted of a pipeline that cannot be compiled.
        let these = findings.count == 1 ? "it is" : "they are"
        var lines = [
            found.rules == nil
                ? "\(counts[0]); the rules are examined once \(these) corrected"
                : (counts + [Counted.text(rules.count, "rule")]).joined(separator: ", ")
        ]
        let shown = [Kind.fault, .warning, .note].flatMap { kind in
            findings.filter { $0.kind == kind && !$0.isAboutExamples }
        }
        if !shown.isEmpty { lines += [""] + shown.flatMap(Self.lines) }
        if !rules.isEmpty {
            var table = TextTable([
                ("rule", .left), ("examples", .right), ("reach", .left),
            ])
            for rule in rules { table.add([rule.id, String(rule.examples), rule.reach]) }
            lines += [""] + table.lines(on: screen) + [""]
            lines += laboratoryScreen?.lines(on: screen) ?? overlaps(on: screen)
        }
        let notes = findings.filter(\.isAboutExamples)
        guard !notes.isEmpty else { return lines }
        let changes = Int64(notes.count)
        return lines + [
            "",
            "\(Counted.text(changes, "change")) of the rules \(changes == 1 ? "is" : "are") noticed "
                + "by no example" + (listsNotes ? "" : "; list them with --notes"),
        ] + (listsNotes ? notes.flatMap(Self.lines) : [])
    }

    private static func lines(_ finding: Finding) -> [String] {
        let message = finding.message.split(separator: "\n").map(String.init)
        return ["\(finding.kind.rawValue)  \(finding.position): \(message.first ?? "")"]
            + message.dropFirst().map { "    " + $0 }
    }

    /// Pairs of rules of different classes that can hold for one trip; real trips show how many do.
    private func overlaps(on screen: Screen) -> [String] {
        let all = warnings?.overlaps ?? []
        guard !all.isEmpty else {
            return ["No trip was found for which two rules of different classes hold"]
        }
        var table = TextTable([
            ("decides", .left), ("holds as well", .left), ("for a trip", .prose),
        ])
        for overlap in all.prefix(Self.shownCount) {
            table.add([
                rules[overlap.deciding - 1].id, rules[overlap.other - 1].id,
                words(overlap.witness),
            ])
        }
        let more = all.count - Self.shownCount
        return ["Both rules can hold, and their classes differ; the first decides"]
            + table.lines(on: screen)
            + (more > 0 ? ["and \(Counted.text(more, "pair")) more"] : [])
            + (found.refusal == nil
                ? ["Count these trips: triptych check PIPELINE --mart DIR"] : [])
    }
}
