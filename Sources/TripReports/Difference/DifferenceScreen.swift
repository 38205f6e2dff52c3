import TripDomain
import TripMart
public import TripRuns

/// The way from the numbers of one generation to those of another, cause by cause.
public struct DifferenceScreen {
    /// The number of files that are listed; further ones are only counted.
    private static let shownCount = 5
    /// The number of lines of edits that are listed; further ones are only counted.
    private static let editCount = 10

    let answer: DifferenceAnswer
    var query: KPIQuery { answer.query }
    var table: DifferenceTable { answer.table }

    /// Shows why two generations differ.
    ///
    /// - Parameter answer: The generations and the causes.
    public init(_ answer: DifferenceAnswer) {
        self.answer = answer
    }

    /// The answer in one format.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - screen: What a table is shown on.
    /// - Returns: The answer.
    public func text(_ format: OutputFormat, on screen: Screen) -> String {
        switch format {
        case .table:
            screen.text(
                Array(
                    [
                        [headline] + editLines, lines(on: screen), waterfall(on: screen),
                        measures(on: screen), notes, samples(on: screen),
                    ].filter { !$0.isEmpty }.joined(separator: [""])
                )
            )
        case .json: rowSet.json
        case .csv: rowSet.csv
        }
    }

    /// `Generation 417 → 418 · published … → … · data through … → …`.
    private var headline: String {
        let (first, second) = (answer.first, answer.second)
        var parts = [
            "Generation \(first.number) → \(second.number)",
            "published \(first.publishedAt) → \(second.publishedAt)",
        ]
        if first.isSynthetic || second.isSynthetic { parts.insert("SYNTHETIC DATA", at: 1) }
        if let before = first.dataThrough, let now = second.dataThrough {
            parts.append("data through \(before.text)" + (before == now ? "" : " → \(now.text)"))
        }
        return parts.joined(separator: " · ")
    }

    /// The edits, as a plan lists them.
    private var editLines: [String] {
        let count = Self.editCount
        let rest = answer.editClauses.count - count
        return answer.editClauses.prefix(count).map { "  " + $0 }
            + (rest > 0 ? ["  and \(Counted.text(rest, "more line")) of edits"] : [])
    }

    /// Whether neither generation has a trip that the filters let through.
    private var isEmpty: Bool {
        query.by.isEmpty
            ? table.groups.allSatisfy { $0.parts.isEmpty && $0.start.trips + $0.end.trips == 0 }
            : table.groupCount == 0
    }

    private func lines(on screen: Screen) -> [String] {
        guard !table.groups.isEmpty, !isEmpty else { return [] }
        // Where room is short, costs are left out first, then what the share says as well.
        var numbers = [("moves", 0), ("trips", 0)]
        if !isSplit { numbers += Array(zip(Self.classTitles, [1, 2, 3, 0])) }
        numbers += costTitles.enumerated().map { ($1, $0 + 4) }
        var text = TextTable(
            query.by.map { TextTable.Column(title: $0.rawValue, alignment: .left) }
                + [TextTable.Column(title: "", alignment: .prose)]
                + numbers.map { TextTable.Column(title: $0, alignment: .right, rank: $1) }
        )
        for group in table.groups {
            text.add(shown(group.keys) + state("generation \(answer.first.number)", group.start))
            var before = group.start
            for part in group.parts {
                text.add(group.keys.map { _ in "" } + change(part, from: before))
                before = part.after
            }
            text.add(
                group.keys.map { _ in "" }
                    + state("generation \(answer.second.number)", group.end)
            )
        }
        return text.lines(on: screen)
    }

    /// The same as bars, where there is one group.
    private func waterfall(on screen: Screen) -> [String] {
        guard query.by.isEmpty, !isSplit, let group = table.groups.first else { return [] }
        let names = ("generation \(answer.first.number)", "generation \(answer.second.number)")
        return DifferenceWaterfall.lines(group, names: names, on: screen)
    }

    private func shown(_ keys: [String]) -> [String] {
        keys.map { $0.isEmpty ? "(none)" : $0 }
    }

    private static let classTitles = ["in-house", "contracted", "undet.", "in-house %"]
    private var costTitles: [String] {
        guard hasCosts else { return [] }
        return isSplit ? ["known cost"] : ["known cost", "vendor cost"]
    }

    /// Whether any cost is known; else their columns would say nothing.
    private var hasCosts: Bool {
        table.groups.contains { $0.start.costs.costedTrips + $0.end.costs.costedTrips > 0 }
    }

    /// The known costs of all trips, and those of vendors where a group has trips of all classes.
    private func costs(_ sums: KPISums) -> [Int64] {
        guard hasCosts else { return [] }
        return isSplit ? [sums.costCents] : [sums.costCents, sums.contractedCostCents]
    }

    /// The same costs with the trips they are of.
    private func states(of sums: KPISums) -> [CostSums] {
        guard hasCosts else { return [] }
        let vendors = CostSums(
            trips: sums.contractedTrips,
            costedTrips: sums.contractedCostedTrips,
            costCents: sums.contractedCostCents
        )
        return isSplit ? [sums.costs] : [sums.costs, vendors]
    }

    /// Whether each group has one class, so that columns of classes would say nothing.
    private var isSplit: Bool { query.needsBasis }

    private func state(_ name: String, _ sums: KPISums) -> [String] {
        let classes = [
            NumberFormat.count(sums.inHouseTrips), NumberFormat.count(sums.contractedTrips),
            NumberFormat.count(sums.undeterminedTrips),
            NumberFormat.percent(sums.inHousePercentHundredths),
        ]
        return [name, "", NumberFormat.count(sums.trips)] + (isSplit ? [] : classes)
            + states(of: sums).map(NumberFormat.knownCost)
    }

    private func change(_ part: DifferenceTable.Part, from before: KPISums) -> [String] {
        let change = ClassChange(before, part.after)
        let classes =
            [change.inHouse, change.contracted, change.undetermined]
            .map { NumberFormat.change($0) }
            + [NumberFormat.points(Self.points(before, part.after))]
        let moved = part.trips.map { NumberFormat.count($0) } ?? ""
        let trips = [moved, NumberFormat.change(change.trips)]
        return ["  " + part.cause.name] + trips
            + (isSplit ? [] : classes) + costs(part.change).map { NumberFormat.dollarChange($0) }
    }

    private static func points(_ before: KPISums, _ after: KPISums) -> Int64? {
        guard let old = before.inHousePercentHundredths, let new = after.inHousePercentHundredths
        else { return nil }
        return new - old
    }

    private var notes: [String] {
        var notes: [String] = []
        let unmoved = table.groupCount - table.groups.count
        if !query.by.isEmpty, unmoved > 0 {
            let noun = query.by.count == 1 ? query.by[0].noun : ("group", "groups")
            let all = Int64(table.groupCount)
            notes.append(
                "\(NumberFormat.count(unmoved)) of \(NumberFormat.count(all)) "
                    + "\(Counted.noun(all, noun.0, plural: noun.1)) unmoved"
            )
        }
        if answer.hasDifferentFields {
            notes.append(
                "The fields changed, so that edits cannot be told apart from the reading"
            )
        }
        let exports = [
            ("Exports only in \(answer.second.number)", answer.files.come),
            ("Exports only in \(answer.first.number)", answer.files.gone),
            ("Exports with another content", answer.files.changed),
        ]
        for (what, paths) in exports where !paths.isEmpty {
            notes.append("\(what): \(Self.limited(paths).joined(separator: ", "))")
        }
        guard !isEmpty else {
            return notes + [
                EmptyAnswer.text(
                    answer.first,
                    answer.second,
                    asked: query.months,
                    has: answer.months
                )
            ]
        }
        guard !table.causes.isEmpty else {
            return notes + [hasMovedMeasures ? "No trip moved" : "Nothing moved"]
        }
        if let generation = answer.withoutTrips {
            return notes + [
                "The totals alone: the trips of generation \(generation) are not in the mart, so that no "
                    + "cause can be told from another"
            ]
        }
        let interplays = Interplay.allCases.filter { interplay in
            table.causes.contains { $0.kind == .together && $0.name == interplay.rawValue }
        }
        return notes + [
            "Edits first, each as it is alone; then the data, from their result; the parts sum up"
        ] + interplays.map(\.note)
    }

    private static func limited(_ words: [String]) -> [String] {
        guard words.count > shownCount else { return words }
        return words.prefix(shownCount) + [
            "and \(NumberFormat.count(words.count - shownCount)) more"
        ]
    }

    /// One sample trip of each cause, and the command that explains one.
    private func samples(on screen: Screen) -> [String] {
        var text = TextTable([
            ("sample trip of", .prose), ("trip", .left), ("in generation", .right),
        ])
        let parts = table.groups.flatMap(\.parts)
        for cause in table.causes {
            let found = parts.lazy.filter { $0.cause == cause }.flatMap { answer.samples(of: $0) }
            guard let sample = found.first(where: \.isKept) else { continue }
            text.add([cause.name, sample.ref, String(sample.generation)])
        }
        let command = "triptych explain TRIP --at GENERATION\(answer.martFlags)"
        return text.isEmpty
            ? [] : text.lines(on: screen) + ["One of these: " + command]
    }

    // MARK: - JSON and CSV

    private var rowSet: RowSet {
        var set = RowSet(
            query.by.map(\.rawValue) + [
                "part", "cause", "what", "moved_trips", "trips_change", "in_house_trips_change",
                "contracted_trips_change", "undetermined_trips_change", "cost_cents_change",
                "contracted_cost_cents_change", "in_house_pct_change", "trips", "in_house_trips",
                "contracted_trips", "undetermined_trips", "cost_cents", "contracted_cost_cents",
                "in_house_pct", "from_generation", "generation",
                "data_through", "synthetic", "samples", "edits",
            ] + (table.measures.isEmpty ? [] : Self.measureNames)
        )
        for group in table.groups {
            let keys = group.keys.map { JSONValue.text($0) }
            var (before, number) = (group.start, Int64(0))
            func row(
                _ what: [JSONValue],
                _ change: [JSONValue],
                _ sums: KPISums,
                samples: [String] = [],
                edits: [String] = []
            ) {
                set.add(
                    keys + [.integer(number)] + what + change + Self.values(sums) + generations
                        + [samples, edits].map { .list($0.map { .text($0) }) }
                        + (table.measures.isEmpty ? [] : Self.measureNames).map { _ in .null }
                )
            }
            row(
                [.text("start"), .text("generation \(answer.first.number)"), .null],
                (0..<7).map { _ in .null },
                before,
                edits: answer.allEdits
            )
            for part in group.parts {
                number += 1
                row(
                    [
                        .text(part.cause.kind.rawValue), .text(part.cause.name),
                        part.trips.map { .integer($0) } ?? .null,
                    ],
                    Self.values(ClassChange(before, part.after)) + [
                        .integer(part.change.costCents),
                        .integer(part.change.contractedCostCents),
                        .hundredths(Self.points(before, part.after)),
                    ],
                    part.after,
                    samples: answer.samples(of: part).map(\.ref)
                )
                before = part.after
            }
        }
        for row in measureRows { set.add(row) }
        return set
    }

    private static func values(_ change: ClassChange) -> [JSONValue] {
        [change.trips, change.inHouse, change.contracted, change.undetermined]
            .map { .integer($0) }
    }

    private static func values(_ sums: KPISums) -> [JSONValue] {
        [
            sums.trips, sums.inHouseTrips, sums.contractedTrips, sums.undeterminedTrips,
            sums.costCents, sums.contractedCostCents,
        ].map { .integer($0) } + [.hundredths(sums.inHousePercentHundredths)]
    }

    var generations: [JSONValue] {
        [
            .integer(Int64(answer.first.number)), .integer(Int64(answer.second.number)),
            .text(answer.second.dataThrough?.text),
            .truth(answer.first.isSynthetic || answer.second.isSynthetic),
        ]
    }
}

extension KPIDimension {
    /// The nouns for one of its values, and for several.
    fileprivate var noun: (String, String) {
        switch self {
        case .month: ("month", "months")
        case .tripType: ("trip type", "trip types")
        case .region: ("region", "regions")
        case .tripClass: ("class", "classes")
        case .basis: ("basis", "bases")
        case .fiscalYear: ("fiscal year", "fiscal years")
        case .year: ("year", "years")
        }
    }
}
