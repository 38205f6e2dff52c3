import TripDomain
import TripMart

/// The screen of a plan: the edits, the numbers now and as planned, and what changes.
struct PlanScreen {
    /// The number of edits, regions and rules that are listed; further ones are only counted.
    private static let shownCount = 10
    private static let cellCount = 5

    private let plan: Plan
    private let options: RunOptions
    /// The references of samples, by trip number.
    private let samples: [Int64: String]
    /// How it is published; nil where the screen does not name the command.
    private let publishing: Planning.Publishing?

    /// - Parameters:
    ///   - plan: The plan.
    ///   - options: Where pipeline, reference files and mart are.
    ///   - samples: The references of samples, by trip number.
    ///   - publishing: How it is published; nil where the screen does not name the command.
    init(
        _ plan: Plan,
        _ options: RunOptions,
        samples: [Int64: String],
        publishing: Planning.Publishing? = nil
    ) {
        self.plan = plan
        self.options = options
        self.samples = samples
        self.publishing = publishing
    }

    /// The plan in one format.
    ///
    /// - Parameter format: The format of the answer.
    /// - Returns: The answer.
    func text(_ format: OutputFormat) -> String {
        let rows = PlanRows(plan, samples: samples, path: publishing?.path)
        switch format {
        case .table:
            return Self.joined(sections + [overrides, publication]).joined(separator: "\n")
        case .json: return rows.json
        case .csv: return rows.csv
        }
    }

    private var publication: [String] {
        guard let publishing, plan.edits.count > 0 else { return [] }
        // A second person publishes a saved plan, and none was saved.
        guard publishing.path != nil || !publishing.needsApproval else { return [] }
        var words = publishing.path.map { options.planWords($0) } ?? options.pipelineWords
        if publishing.needsApproval { words += " --approved-by NAME" }
        let time = NumberFormat.seconds(publishing.publishingMilliseconds)
        return ["Publish: triptych reclassify \(words)   about \(time)"]
            + (publishing.needsApproval ? ["The pipeline requires a second person to do it"] : [])
    }

    /// The plan while it is published.
    ///
    /// - Parameter approval: Author and approver; nil where none is named.
    /// - Returns: The lines.
    func publishedLines(by approval: ChangeApproval?) -> [String] {
        var head = head("")
        if let approval { head.append("  \(approval.clause)") }
        return Self.joined([head] + sections.dropFirst())
    }

    private static func joined(_ sections: [[String]]) -> [String] {
        Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private var sections: [[String]] {
        var sections = [head(" · nothing published"), totals]
        sections.append(
            plan.changesKPIs ? [] : ["No KPI of any month, trip type and region changes."]
        )
        sections += [classChanges, cells]
        if plan.changesKPIs {
            sections.append(moved(plan.regions, of: plan.regionCount, "region"))
            sections.append(moved(plan.tripTypes, of: plan.tripTypeCount, "trip type"))
        }
        return sections + [relocated, edited, rules, notes]
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
        guard let ref = numbers.lazy.compactMap({ samples[$0] }).first else { return "" }
        let plan = publishing?.path == nil ? "" : " --plan \(plan.id)"
        return "   triptych explain \(ref)\(plan)"
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
        if samples.isEmpty, !plan.rules.isEmpty {
            notes.append("Note: sample trips are listed where the mart's key file is available")
        }
        return notes
    }

    private var totals: [String] {
        var table = TextTable(
            [("", .left)]
                + ["trips", "in-house", "contracted", "undet.", "in-house %", "if undet. fall"]
                .map { ($0, .right) } + [("vendor cost", .right)]
        )
        table.add(row("now", plan.now))
        table.add(row("planned", plan.planned))
        let (now, planned) = (plan.now, plan.planned)
        var points: Int64?
        if let old = now.inHousePercentHundredths, let new = planned.inHousePercentHundredths {
            points = new - old
        }
        table.add(
            ["change"] + ClassChange(now, planned).cells + [
                NumberFormat.points(points), "",
                NumberFormat.dollarChange(planned.contractedCostCents - now.contractedCostCents),
            ]
        )
        return table.lines
    }

    private func row(_ name: String, _ sums: KPISums) -> [String] {
        [name] + Self.columns.map { $0.text(sums) }
    }

    /// The columns that `kpi` prints too.
    private static let columns =
        [
            KPISum.trips.kpi, KPISum.inHouseTrips.kpi, KPISum.contractedTrips.kpi,
            KPISum.undeterminedTrips.kpi, KPIRatio.inHousePercent.kpi,
            KPIRatio.inHousePercentLow.kpi, KPISum.contractedCostCents.kpi,
        ]

    private var classChanges: [String] {
        guard !plan.grounds.isEmpty else { return [] }
        let ofClass = plan.grounds.filter(\.changesClass)
        let cents = ofClass.reduce(0) { $0 + $1.sums.costCents }
        let trips = ofClass.reduce(0) { $0 + $1.sums.trips }
        let title =
            trips == 0
            ? "The basis alone changes for \(Counted.text(plan.movedTrips, "trip")): "
                + "no class changes"
            : "The class changes for \(Counted.text(trips, "trip")) of "
                + "\(NumberFormat.dollars(cents)) known cost"
        return [title] + classTable.lines
    }

    /// The finest cells with the largest changes, and the months that change.
    private var cells: [String] {
        guard let first = plan.months.first, let last = plan.months.last else { return [] }
        var table = TextTable(
            [("month", .left), ("trip type", .left), ("region", .left)]
                + ["trips", "in-house", "contracted", "undet."].map { ($0, .right) }
        )
        for move in plan.cells.prefix(Self.cellCount) {
            table.add([move.month, move.tripType, move.region] + move.change.cells)
        }
        let span = first == last ? first : "\(first) to \(last)"
        let rest = plan.cells.count - Self.cellCount
        let more = rest > 0 ? ["\(Counted.text(rest, "more cell")) moved less"] : []
        return table.lines + more + [
            "\(plan.months.count) of \(Counted.text(plan.monthCount, "month")) move, \(span)"
        ]
    }

    private var classTable: TextTable {
        var table = TextTable([
            ("old", .left), ("new", .left), ("trips", .right), ("known cost", .right),
        ])
        for move in plan.grounds {
            table.add([
                move.from, move.to, NumberFormat.count(move.sums.trips),
                NumberFormat.dollars(move.sums.costCents),
            ])
        }
        return table
    }

    /// The values of one dimension that change, and the number of those that do not.
    private func moved(_ moves: [Plan.ValueMove], of count: Int, _ noun: String) -> [String] {
        guard !moves.isEmpty else { return ["No \(noun) moves"] }
        var table = TextTable([
            (noun, .left), ("months", .left), ("trips", .right), ("in-house", .right),
            ("contracted", .right), ("undet.", .right), ("in-house % by month", .right),
        ])
        for move in moves.prefix(Self.shownCount) {
            let (first, last) = (move.months.lowerBound, move.months.upperBound)
            table.add(
                [move.value, first == last ? first : "\(first) to \(last)"] + move.change.cells
                    + [Self.points(move.points)]
            )
        }
        let rest = moves.count - Self.shownCount
        let more = rest > 0 ? ["\(Counted.text(rest, "more \(noun)")) moved less"] : []
        let still = count - moves.count
        let unmoved = still > 0 ? ["\(Counted.text(still, noun)) of \(count) unmoved"] : []
        return table.lines + more + unmoved
    }

    private static func points(_ range: ClosedRange<Int64>?) -> String {
        guard let range else { return "–" }
        let (least, most) = (range.lowerBound, range.upperBound)
        return least == most
            ? NumberFormat.points(least)
            : "\(least > 0 ? "+" : "")\(NumberFormat.percent(least)) to \(NumberFormat.points(most))"
    }

    /// The trips that each edit moves; empty where all edits are taken together.
    private var edited: [String] {
        guard plan.edited.count > 1, plan.edited.contains(where: { $0.sums.trips > 0 }) else {
            return []
        }
        var table = TextTable(
            [("by edit", .left)]
                + ["moves", "in-house", "contracted", "undet.", "known cost"].map { ($0, .right) }
        )
        for edit in plan.edited {
            let sums = edit.sums
            table.add([
                edit.name, NumberFormat.count(sums.trips), NumberFormat.change(sums.inHouse),
                NumberFormat.change(sums.contracted), NumberFormat.change(sums.undetermined),
                NumberFormat.dollars(sums.costCents),
            ])
        }
        return table.lines + [
            "Each trip counts at the edit that brings it to its planned result, in this order"
        ]
    }

    private var rules: [String] {
        let lines = plan.rules.map { move in
            let (from, to) = (move.from ?? "no rule", move.to ?? "no rule")
            let still =
                move.changesClassOrBasis ? "with another class or basis" : "counted differently"
            let what =
                from == to ? "\(to) still decides, \(still)" : "\(to) decides instead of \(from)"
            let rest = move.trips - move.countedTrips
            let uncounted = rest > 0 ? ", \(NumberFormat.count(rest)) of them not counted" : ""
            let trips = Counted.text(move.trips, "trip")
            return "\(what): \(trips)\(uncounted)\(sample(of: move.samples))"
        }
        return Self.limited(lines, "pair of rules", plural: "pairs of rules")
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
}
