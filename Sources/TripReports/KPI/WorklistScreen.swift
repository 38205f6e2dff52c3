import TripDomain
import TripMart
import TripRules
public import TripRuns

/// The undetermined trips by their missing values, with what would classify them.
public struct WorklistScreen {
    /// The number of groups that are listed; further ones are only counted.
    private static let shownCount = 10

    private let answer: PublishedWorklist
    private let groups: [(gaps: [Worklist.Gap], group: Worklist.Group)]
    private var header: GenerationHeader { answer.header }
    private var undetermined: UndeterminedTrips { answer.undetermined }
    private var refs: [Int64: String] { answer.refs }

    /// Shows the undetermined trips of a generation.
    ///
    /// - Parameter answer: The trips.
    public init(_ answer: PublishedWorklist) {
        self.answer = answer
        groups = answer.undetermined.worklist.all
    }

    /// The answer in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        switch format {
        case .table: screen.text(lines(on: screen))
        case .json: rowSet.json
        case .csv: rowSet.csv
        }
    }

    private func lines(on screen: Screen) -> [String] {
        let sums = undetermined.worklist.sums
        var head = "Generation \(header.number)"
        if header.isSynthetic { head += " · SYNTHETIC DATA" }
        head +=
            " · \(NumberFormat.count(sums.costs.trips)) of "
            + Counted.text(undetermined.counted, "counted trip")
            + " \(sums.costs.trips == 1 ? "is" : "are") undetermined, "
            + (sums.costs.costedTrips == 0
                ? "no cost known" : "\(NumberFormat.dollars(sums.costs.costCents)) known cost")
        guard undetermined.counted > 0 else {
            let empty = EmptyAnswer.text(header, asked: answer.askedMonths, has: answer.months)
            return [head, "", empty]
        }
        guard sums.costs.trips > 0 else { return [head] }
        let shown = groups.prefix(Self.shownCount)
        let rest = groups.dropFirst(Self.shownCount)
        var table = TextTable([
            TextTable.Column(title: "trips", alignment: .right),
            TextTable.Column(title: "known cost", alignment: .right, rank: 1),
            TextTable.Column(title: "what is missing", alignment: .prose),
            TextTable.Column(title: "what would classify them", alignment: .prose),
            TextTable.Column(title: "classifies", alignment: .right),
        ])
        var hidden = 0
        for (gaps, group) in shown { hidden += add(gaps, group, to: &table) }
        var lines = [head, ""] + table.lines(on: screen)
        if hidden > 0 {
            lines.append("\(Counted.text(hidden, "rule")) that would decide fewer: --format json")
        }
        if !rest.isEmpty {
            let trips = rest.reduce(0) { $0 + $1.group.sums.costs.trips }
            lines.append(
                "\(Counted.text(rest.count, "more group")) of \(Counted.text(trips, "trip")): "
                    + "--format json"
            )
        }
        return lines + [
            "",
            "Tried one at a time, with values that rules compare with; other values may be decided "
                + "differently",
        ] + exportColumns + keys + sampleCommand
    }

    /// What the exports call the blank fields, where their columns have other names.
    private var exportColumns: [String] {
        let gaps = groups.prefix(Self.shownCount).flatMap(\.gaps).filter { $0.kind == .blank }
        var clauses: [String] = []
        for field in gaps.flatMap(\.fields) {
            let columns = undetermined.exportColumns(of: field)
            let clause = "\(field) is \(columns.joined(separator: " or "))"
            guard !columns.isEmpty, columns != [field], !clauses.contains(clause) else { continue }
            clauses.append(clause)
        }
        return clauses.isEmpty ? [] : ["In the exports: " + clauses.joined(separator: ", ")]
    }

    /// The command that lists the keys that a reference file has no row for.
    private var keys: [String] {
        guard answer.isServed, groups.contains(where: { $0.gaps.contains { $0.file != nil } })
        else {
            return []
        }
        // Without the flag, `check` reads no trips.
        let mart = answer.martFlags.isEmpty ? " --mart \(MartFolder.usualPath)" : answer.martFlags
        return ["Keys without a row: triptych check PIPELINE\(mart) --show-keys"]
    }

    /// Adds a group to a table.
    ///
    /// - Returns: The number of rules that are not shown.
    private func add(
        _ gaps: [Worklist.Gap],
        _ group: Worklist.Group,
        to table: inout TextTable
    ) -> Int {
        let missing = gaps.isEmpty ? ["nothing: no rule covers them"] : gaps.map(Self.text)
        let shown = settlements(group)
        var settling = shown.map { entry in
            (text(of: entry.settlement), NumberFormat.count(entry.sums.costs.trips))
        }
        if group.unsettled.costs.trips > 0 {
            let what = Self.isByHand(gaps) ? "an edit or removal of its line" : "none was found"
            settling.append((what, NumberFormat.count(group.unsettled.costs.trips)))
        }
        for line in 0..<max(missing.count, settling.count) {
            let isFirst = line == 0
            table.add([
                isFirst ? NumberFormat.count(group.sums.costs.trips) : "",
                isFirst ? NumberFormat.knownCost(group.sums.costs) : "",
                line < missing.count ? missing[line] : "",
                line < settling.count ? settling[line].0 : "",
                line < settling.count ? settling[line].1 : "",
            ])
        }
        return group.settlements.count - shown.count
    }

    /// For each field or look-up and each class, the rule that would decide most trips, the first
    /// of several.
    private func settlements(
        _ group: Worklist.Group
    ) -> [(settlement: Worklist.Settlement, sums: RuleCoverage.Sums)] {
        var best: [[String]: (settlement: Worklist.Settlement, sums: RuleCoverage.Sums)] = [:]
        for (settlement, sums) in sorted(group) {
            let key = [settlement.source, rule(settlement).tripClass.word]
            if best[key].map({ $0.sums.costs.trips < sums.costs.trips }) ?? true {
                best[key] = (settlement, sums)
            }
        }
        return best.values.sorted { left, right in
            (right.sums.costs.trips, left.settlement.ruleNumber, left.settlement.source)
                < (left.sums.costs.trips, right.settlement.ruleNumber, right.settlement.source)
        }
    }

    private func sorted(
        _ group: Worklist.Group
    ) -> [(key: Worklist.Settlement, value: RuleCoverage.Sums)] {
        group.settlements.sorted { left, right in
            (left.key.ruleNumber, left.key.source) < (right.key.ruleNumber, right.key.source)
        }
    }

    private func rule(_ settlement: Worklist.Settlement) -> RuleEntry {
        undetermined.rules[settlement.ruleNumber - 1]
    }

    /// `fleet.owner = 'VA' → in_house by va-vehicle`.
    private func text(of settlement: Worklist.Settlement) -> String {
        let rule = rule(settlement)
        return "\(condition(settlement)) → \(rule.tripClass.word) by \(rule.id)"
    }

    private func condition(_ settlement: Worklist.Settlement) -> String {
        Self.condition(settlement, undetermined.ruleSet)
    }

    /// The conditions of the rule that read the field or look-up.
    static func condition(_ settlement: Worklist.Settlement, _ ruleSet: RuleSet) -> String {
        let conditions = ruleSet.conditions(
            of: settlement.ruleNumber,
            reading: settlement.source
        )
        // A value that only keeps an earlier rule from deciding has no condition of its own.
        guard !conditions.isEmpty else { return "\(settlement.source) known" }
        return conditions.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .joined(separator: " AND ")
    }

    /// Whether an override leaves the trips without a class.
    private static func isByHand(_ gaps: [Worklist.Gap]) -> Bool {
        gaps.contains { $0.kind == .byHand }
    }

    /// What is missing, in words.
    static func text(_ gap: Worklist.Gap) -> String {
        let fields = gap.fields.joined(separator: ", ")
        switch gap.kind {
        case .byHand: return "nothing: an override decides"
        case .blank: return "\(fields) is blank"
        case .noSuchKey: return "\(fields) not in \(gap.file ?? "")"
        case .notThatDay: return "\(fields) in \(gap.file ?? ""), not on that day"
        }
    }

    /// The command that explains a sample trip.
    private var sampleCommand: [String] {
        let at = (answer.isServed ? "" : " --at \(header.number)") + answer.martFlags
        let shown = groups.prefix(Self.shownCount).compactMap { entry in
            entry.group.sums.sample.flatMap { refs[$0] }
        }
        guard let first = shown.first else { return [] }
        return [
            "One trip: triptych explain \(first)\(at)   (--format json names one of each group)"
        ]
    }

    // MARK: - JSON and CSV

    private var rowSet: RowSet {
        var set = RowSet([
            "group", "trips", "costed_trips", "cost_cents", "blank", "no_such_key",
            "not_that_day", "source", "condition", "rule", "class", "basis", "settled_trips",
            "settled_cost_cents", "sample", "generation",
            "data_through",
        ])
        for (index, entry) in groups.enumerated() {
            let sums = entry.group.sums
            func row(_ settlement: [JSONValue], _ settled: RuleCoverage.Sums) {
                set.add(
                    [
                        .integer(Int64(index + 1)), .integer(sums.costs.trips),
                        .integer(sums.costs.costedTrips), .integer(sums.costs.costCents),
                    ] + Self.values(entry.gaps) + settlement + [
                        .integer(settled.costs.trips), .integer(settled.costs.costCents),
                        .text(settled.sample.flatMap { refs[$0] }),
                        .integer(Int64(header.number)), .text(header.dataThrough?.text),
                    ]
                )
            }
            for (settlement, settled) in sorted(entry.group) {
                let rule = rule(settlement)
                row(
                    [
                        .text(settlement.source), .text(condition(settlement)), .text(rule.id),
                        .text(rule.tripClass.word), .text(rule.basis),
                    ],
                    settled
                )
            }
            if entry.group.unsettled.costs.trips > 0 {
                let source: JSONValue = Self.isByHand(entry.gaps) ? .text(OverrideList.name) : .null
                row([source] + (0..<4).map { _ in .null }, entry.group.unsettled)
            }
        }
        return set
    }

    /// Blank fields; files that have no row of a key, and those that have one of another day, with
    /// the fields of the key.
    private static func values(_ gaps: [Worklist.Gap]) -> [JSONValue] {
        func keys(_ kind: Worklist.Gap.Kind) -> JSONValue {
            .list(
                gaps.filter { $0.kind == kind }.map { gap in
                    .text("\(gap.file ?? ""): \(gap.fields.joined(separator: ", "))")
                }
            )
        }
        let blank = gaps.filter { $0.kind == .blank }.flatMap(\.fields)
        return [.list(blank.map { .text($0) }), keys(.noSuchKey), keys(.notThatDay)]
    }
}
