import TripDomain
import TripEngine

/// What `check` found: faults to mend, doubts to look at, and what every rule can do.
public struct CheckFindings {
    /// How grave a finding is.
    enum Kind: String {
        case fault
        case warning
    }

    /// One finding.
    struct Finding {
        let kind: Kind
        let place: String
        let message: String
    }

    private var findings: [Finding]
    private var rules: [(id: String, examples: Int, reach: String)] = []

    /// Whether something must be mended.
    public var hasFaults: Bool { findings.contains { $0.kind == .fault } }

    /// The findings of a pipeline that cannot be compiled.
    init(faults: [PipelineFault]) {
        findings = faults.map { fault in
            var place = fault.file
            if fault.line > 0 { place += ":\(fault.line)" }
            let message =
                fault.suggestion.isEmpty
                ? fault.message : fault.message + "\n" + fault.suggestion
            return Finding(kind: .fault, place: place, message: message)
        }
    }

    /// Examines a pipeline that compiles: its rules' examples, and rules that can never decide.
    init(_ compiled: CompiledPipeline) {
        findings = Self.undatedLookups(compiled)
        let texts = compiled.pipeline.rules
        let ruleSet = compiled.classifier.ruleSet
        findings += compiled.exampleFaults.map { fault in
            Finding(kind: .fault, place: "\(fault.file):\(fault.line)", message: fault.message)
        }
        for (rule, reach) in zip(texts, ruleSet.reach()) {
            let examples = rule.decides.count + rule.leaves.count
            if examples == 0 {
                findings.append(
                    Finding(
                        kind: .warning,
                        place: Self.place(rule),
                        message: "the rule `\(rule.id)` has no example; nothing protects it"
                    )
                )
            }
            let (word, fault) = Self.words(reach, texts)
            rules.append((rule.id, examples, word))
            if let fault {
                findings.append(
                    Finding(
                        kind: .fault,
                        place: Self.place(rule),
                        message: "the rule `\(rule.id)` can never decide: \(fault)"
                    )
                )
            }
        }
    }

    /// Look-ups whose file has days that nobody asked to be heeded.
    private static func undatedLookups(_ compiled: CompiledPipeline) -> [Finding] {
        compiled.lookups.compactMap { lookup in
            let (definition, table) = (lookup.definition, lookup.table)
            let days = [definition.fromColumn, definition.toColumn].filter {
                table.columnNames.contains($0)
            }
            guard definition.validOn == nil, !days.isEmpty,
                !compiled.pipeline.undatedLookups.contains(definition.name),
                let place = compiled.pipeline.lookupPlaces[definition.name]
            else { return nil }
            let words = days.map { "'\($0)'" }.joined(separator: " and ")
            return Finding(
                kind: .warning,
                place: "\(place.file):\(place.line)",
                message: "the lookup `\(definition.name)` has no `valid_on`, and \(table.file) has "
                    + "the column\(days.count > 1 ? "s" : "") \(words): its rows hold for ever\nAdd for example "
                    + "`valid_on: pickup_date`, or `valid_on: null` to say that it is meant."
            )
        }
    }

    private static func place(_ rule: RuleText) -> String {
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
        case .alwaysTaken(let numbers):
            let ids = numbers.map { "`\(rules[$0 - 1].id)`" }.joined(separator: ", ")
            return ("never", "every trip it could decide is decided before it, by \(ids)")
        }
    }

    /// The findings in one format.
    public func text(_ format: OutputFormat) -> String {
        var set = RowSet(["kind", "place", "message"])
        for finding in findings {
            set.add([
                .text(finding.kind.rawValue), .text(finding.place), .text(finding.message),
            ])
        }
        switch format {
        case .json: return set.json
        case .csv: return set.csv
        case .table: return lines.joined(separator: "\n")
        }
    }

    private var lines: [String] {
        var lines: [String] = []
        for finding in findings {
            let message = finding.message.split(separator: "\n").map(String.init)
            lines.append("\(finding.kind.rawValue)  \(finding.place): \(message.first ?? "")")
            lines += message.dropFirst().map { "    " + $0 }
        }
        if !rules.isEmpty {
            var table = TextTable([
                ("rule", .left), ("examples", .right), ("reach", .left),
            ])
            for rule in rules { table.add([rule.id, String(rule.examples), rule.reach]) }
            if !lines.isEmpty { lines.append("") }
            lines += table.lines + [""]
        }
        let faults = findings.count { $0.kind == .fault }
        let warnings = findings.count - faults
        lines.append(
            [(faults, "fault"), (warnings, "warning"), (rules.count, "rule")]
                .map { Counted.text($0, $1) }.joined(separator: ", ")
        )
        return lines
    }
}
