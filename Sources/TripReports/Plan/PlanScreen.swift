import TripDomain
import TripMart
public import TripRuns

/// A plan: the edits, the numbers now and as planned, and what changes.
public struct PlanScreen {
    /// The number of edits, regions and rules that are listed; further ones are only counted.
    private static let shownCount = 10
    private static let cellCount = 5

    private let answer: PlanAnswer
    private var plan: Plan { answer.plan }
    private let tables: PlanTables

    /// Shows a plan.
    ///
    /// - Parameter answer: The plan, with how it is published where the screen names the command.
    public init(_ answer: PlanAnswer) {
        self.answer = answer
        tables = PlanTables(samples: answer.samples, labels: answer.labels)
    }

    /// The plan in one format: as CSV, the moves between rules alone.
    ///
    /// - Parameters:
    ///   - format: The format of the answer.
    ///   - screen: What tables are shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        switch format {
        case .table:
            screen.text(Self.joined(sections(on: screen) + [overrides, publication]))
        case .json: JSONValue.list([object]).json
        case .csv: tables.ruleList.rowSet(plan.rules).csv
        }
    }

    private var publication: [String] {
        guard let publishing = answer.publishing, plan.edits.count > 0 else { return [] }
        // A second person publishes a saved plan, and none was saved.
        guard publishing.path != nil || !publishing.needsApproval else { return [] }
        let words = publishing.arguments + (publishing.needsApproval ? " --approved-by NAME" : "")
        let time = NumberFormat.seconds(publishing.milliseconds)
        return ["Publish: triptych reclassify \(words)   about \(time)"]
            + (publishing.needsApproval ? ["The pipeline requires a second person to do it"] : [])
    }

    /// The lines of a plan that is published.
    func publishedLines(on screen: Screen) -> [String] {
        var head = head("")
        if let approval = answer.approval { head.append("  \(approval.clause)") }
        return Self.joined([head] + sections(on: screen).dropFirst())
    }

    private static func joined(_ sections: [[String]]) -> [String] {
        Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func sections(on screen: Screen) -> [[String]] {
        let head = head(" · nothing published")
        guard answer.hasEdits else { return [head, noEdits] }
        var sections = [head, totals(on: screen)]
        if !plan.changesKPIs {
            sections.append(["No KPI of any month, trip type and region changes."])
        }
        sections += [
            measures.lines([measureGroup], on: screen), classChanges(on: screen),
            cells(on: screen),
        ]
        if plan.changesKPIs {
            sections.append(moved(plan.regions, of: plan.regionCount, .region, on: screen))
            sections.append(moved(plan.tripTypes, of: plan.tripTypeCount, .tripType, on: screen))
        }
        return sections + [relocated, edited(on: screen), rules(on: screen), notes]
    }

    /// What is said in place of tables that would show every number twice.
    private var noEdits: [String] {
        [
            "Rules and reference files are as generation \(plan.header.number) has them: nothing to plan."
        ]
    }

    /// The declared measures; none where none is declared.
    private var measures: MeasureTable {
        MeasureTable(before: ("now", "now"), after: ("planned", "planned"))
    }

    private var measureGroup: MeasureTable.Group {
        MeasureTable.Group(
            trips: (plan.now.trips, plan.planned.trips),
            changes: plan.measures
        )
    }

    private func head(_ state: String) -> [String] {
        var head =
            "Plan \(plan.id) against generation \(plan.header.number)\(state) · "
            + Counted.text(plan.edits.count, "edit")
        if plan.header.isSynthetic { head += " · SYNTHETIC DATA" }
        return [head] + Self.limited(plan.edits.clauses.map { "  " + $0 }, "line")
    }

    private var relocated: [String] {
        guard plan.relocated > 0 else { return [] }
        return [
            "\(Counted.text(plan.relocated, "trip")) \(plan.relocated == 1 ? "belongs" : "belong") "
                + "to another region or trip type\(sample(of: plan.relocatedSamples))"
        ]
    }

    /// The command that explains the first of some trips that has a reference.
    private func sample(of numbers: [Int64]) -> String {
        let ref = tables.sample(numbers)
        return ref.isEmpty ? "" : "   " + explainCommand(ref)
    }

    private func explainCommand(_ ref: String) -> String {
        "triptych explain \(ref)" + (answer.publishing?.path == nil ? "" : " --plan \(plan.id)")
            + answer.martFlags
    }

    /// Decisions made by hand that need attention, independent of the edits.
    private var overrides: [String] { plan.overrideNotes.map { "Note: override \($0)" } }

    private var notes: [String] {
        var notes: [String] = []
        if plan.overflows > 0 {
            notes.append(
                "Note: \(Counted.text(plan.overflows, "result")) of expressions left 64 bits and "
                    + "counted as NULL"
            )
        }
        if answer.samples.isEmpty, !plan.rules.isEmpty {
            notes.append("Note: sample trips are listed where the mart's key file is available")
        }
        return notes
    }

    private func totals(on screen: Screen) -> [String] {
        let (now, planned) = (plan.now, plan.planned)
        var table = tables.totals.table([("now", now), ("planned", planned)], hasCosts: hasCosts)
        var points: Int64?
        if let old = now.inHousePercentHundredths, let new = planned.inHousePercentHundredths {
            points = new - old
        }
        let change = ClassChange(now, planned)
        table.add(
            ["change"]
                + [change.trips, change.inHouse, change.contracted, change.undetermined]
                .map { NumberFormat.change($0) } + [NumberFormat.points(points), ""]
                + (hasCosts
                    ? [
                        NumberFormat.dollarChange(
                            planned.contractedCostCents - now.contractedCostCents
                        )
                    ] : [])
        )
        return table.lines(on: screen)
    }

    /// Whether any cost is known; else their columns would say nothing.
    private var hasCosts: Bool { plan.now.costs.costedTrips + plan.planned.costs.costedTrips > 0 }

    private func classChanges(on screen: Screen) -> [String] {
        guard !plan.bases.isEmpty else { return [] }
        let ofClass = plan.bases.filter(\.changesClass)
        let cents = ofClass.reduce(0) { $0 + $1.sums.costCents }
        let isKnown = ofClass.contains { $0.sums.costedTrips > 0 }
        let trips = ofClass.reduce(0) { $0 + $1.sums.trips }
        let title =
            trips == 0
            ? "The basis alone changes for \(Counted.text(plan.movedTrips, "trip")): "
                + "no class changes"
            : "The class changes for \(Counted.text(trips, "trip"))"
                + (!hasCosts
                    ? ""
                    : isKnown
                        ? " of \(NumberFormat.dollars(cents)) known cost" : " of no known cost")
        return [title] + tables.bases.table(plan.bases, hasCosts: hasCosts).lines(on: screen)
    }

    /// The finest cells with the largest changes, and the months that change.
    private func cells(on screen: Screen) -> [String] {
        guard let first = plan.months.first, let last = plan.months.last else { return [] }
        let table = tables.cells.table(plan.cells.prefix(Self.cellCount), hasCosts: hasCosts)
        let rest = plan.cells.count - Self.cellCount
        let more = rest > 0 ? ["\(Counted.text(rest, "more cell")) moved less"] : []
        return table.lines(on: screen) + more + [
            "\(plan.months.count) of \(Counted.text(plan.monthCount, "month")) move, "
                + PlanTables.span(first, last)
        ]
    }

    /// The values of one dimension that change, and the number of those that do not.
    private func moved(
        _ moves: [Plan.ValueMove],
        of count: Int,
        _ dimension: KPIDimension,
        on screen: Screen
    ) -> [String] {
        let noun = dimension == .region ? "region" : "trip type"
        guard !moves.isEmpty else { return ["No \(noun) moves"] }
        let table = tables.values(dimension, noun, noun)
            .table(moves.prefix(Self.shownCount), hasCosts: hasCosts)
        let rest = moves.count - Self.shownCount
        let more = rest > 0 ? ["\(Counted.text(rest, "more \(noun)")) moved less"] : []
        let still = count - moves.count
        let unmoved = still > 0 ? ["\(Counted.text(still, noun)) of \(count) unmoved"] : []
        return table.lines(on: screen) + more + unmoved
    }

    /// The trips that each edit moves alone, and what several do together; empty where there is one
    /// edit.
    private func edited(on screen: Screen) -> [String] {
        guard plan.edited.count > 1, plan.edited.contains(where: { $0.trips != 0 }) else {
            return []
        }
        let notes = plan.edited.compactMap(\.interplay).map(\.note)
        return tables.edits.table(plan.edited + [plan.together], hasCosts: hasCosts).lines(
            on: screen
        ) + [
            "An edit's row is what it moves alone, in counted trips; the rows sum up to all edits"
        ] + notes
    }

    /// Which rule decides instead of which, with one trip of each pair.
    private func rules(on screen: Screen) -> [String] {
        guard !plan.rules.isEmpty else { return [] }
        let table = tables.rules.table(plan.rules.prefix(Self.shownCount), hasCosts: hasCosts)
        let rest = plan.rules.count - Self.shownCount
        let more = rest > 0 ? ["\(Counted.text(rest, "more pair")) of rules"] : []
        let sample = plan.rules.lazy.map { tables.sample($0.samples) }.first { !$0.isEmpty }
        // Without the column there is no trip to choose from.
        let isListed = table.shows("for example", on: screen)
        return table.lines(on: screen) + more
            + (sample.map { ["A trip of these: " + explainCommand(isListed ? "TRIP" : $0)] } ?? [])
    }

    private static func limited(
        _ lines: [String],
        _ noun: String,
        plural: String? = nil
    ) -> [String] {
        guard lines.count > shownCount else { return lines }
        let rest = lines.count - shownCount
        let more = Counted.noun(Int64(rest), noun, plural: plural)
        return Array(lines.prefix(shownCount)) + ["  and \(NumberFormat.count(rest)) more \(more)"]
    }

    // MARK: - JSON

    /// Everything about the plan; nothing is cut short.
    private var object: JSONValue {
        let relocated = plan.relocatedSamples.compactMap { answer.samples[$0] }
        // Only where it says something, so that other pipelines have the members of before.
        let changes =
            plan.measures.isEmpty ? [] : [("measures", measures.objects(measureGroup))]
        let members: [(String, JSONValue)] = [
            ("plan", .text(plan.id)), ("plan_file", .text(answer.publishing?.path)),
            ("generation", .integer(Int64(plan.header.number))),
            ("synthetic", .truth(plan.header.isSynthetic)),
            ("edit_count", .integer(Int64(plan.edits.count))),
            ("edits", .list(plan.edits.all.map { .text($0) })),
            ("override_notes", .list(plan.overrideNotes.map { .text($0) })),
            ("now", tables.totals.object(("now", plan.now))),
            ("planned", tables.totals.object(("planned", plan.planned))),
            ("grounds", tables.bases.objects(plan.bases)),
            ("rules", tables.rules.objects(plan.rules)),
            ("by_edit", tables.edits.objects(plan.edited)),
            ("cells", tables.cells.objects(plan.cells)),
            ("months", .list(plan.months.map { .text($0) })),
            ("regions", tables.values(.region, "region", "region").objects(plan.regions)),
            (
                "trip_types",
                tables.values(.tripType, "trip type", "trip_type").objects(plan.tripTypes)
            ),
            ("relocated_trips", .integer(plan.relocated)),
            ("relocated_samples", .list(relocated.map { .text($0) })),
            ("overflows", .integer(Int64(plan.overflows))),
        ]
        return .object(members + changes)
    }
}

extension Interplay {
    /// The row in one sentence.
    var note: String {
        switch self {
        case .together: "\(rawValue): what none of the edits does alone"
        case .repeated: "\(rawValue): trips that stand at several edits, taken off to count once"
        case .cancelled: "\(rawValue): what edits do alone and not with all of them, taken off"
        }
    }
}
