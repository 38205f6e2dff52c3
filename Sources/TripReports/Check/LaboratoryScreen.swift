import TripDomain
import TripRules
import TripRuns

/// The effect of a folder's rules on the trips of a generation.
struct LaboratoryScreen {
    /// The number of pairs that are listed; further ones are only counted.
    private static let shownCount = 10
    private static let keyCount = 3
    /// The number of keys of a look-up that JSON and CSV list; further ones are only counted.
    private static let listedKeyCount = 1_000

    private let laboratory: Laboratory
    private var rules: [RuleEntry] { laboratory.rules }
    private var lookups: [LookupDefinition] { laboratory.lookups }

    init(_ laboratory: Laboratory) {
        self.laboratory = laboratory
    }

    private var coverage: RuleCoverage { laboratory.coverage }

    /// The tables, one below the other.
    func lines(on screen: Screen) -> [String] {
        let counted = coverage.all(isCounted: true).costs.trips
        let others = coverage.all(isCounted: false).costs.trips
        let synthetic = laboratory.header.isSynthetic ? " · SYNTHETIC DATA" : ""
        let head =
            "Generation \(laboratory.header.number) · \(Counted.text(counted, "trip")) that "
            + "\(counted == 1 ? "counts" : "count"), \(NumberFormat.count(others)) that "
            + "\(others == 1 ? "does" : "do") not\(synthetic)"
        return [head, ""] + coverageTable.lines(on: screen) + section(overlaps(on: screen))
            + section(neighbours(on: screen)) + section(sampleHint(on: screen))
            + section(orphans(on: screen)) + section(explanation)
    }

    private func section(_ lines: [String]) -> [String] { lines.isEmpty ? [] : [""] + lines }

    private func id(_ rule: Int) -> String { rule == 0 ? "(no rule)" : rules[rule - 1].id }

    private func ref(_ sums: RuleCoverage.Sums) -> String {
        sums.sample.flatMap { laboratory.refs[$0] } ?? ""
    }

    /// The command that explains a trip of the tables above it.
    private func sampleHint(on screen: Screen) -> [String] {
        let refs = [coverage.overlaps, coverage.orderedNeighbours]
            .flatMap { $0.prefix(Self.shownCount) }.map { ref($0.sums) }
        guard let first = refs.first(where: { !$0.isEmpty }) else { return [] }
        // Without the column there is no trip to choose from.
        let isListed = [overlapTable, neighbourTable].allSatisfy { table in
            table.isEmpty || table.shows(Self.sample, on: screen)
        }
        let trip = isListed ? "TRIP" : first
        return ["A trip of these: triptych explain \(trip)\(laboratory.martFlags)"]
    }

    /// How a trip is explained by rules that are not published.
    private var explanation: [String] {
        laboratory.hasEdits
            ? [
                "The folder has edits. To explain a trip by its rules: "
                    + "`triptych plan PIPELINE\(laboratory.martFlags)`, then "
                    + "`triptych explain TRIP --plan ID\(laboratory.martFlags)`"
            ]
            : []
    }

    private var coverageTable: TextTable {
        var table = TextTable([
            TextTable.Column(title: "rule", alignment: .left),
            TextTable.Column(title: "class", alignment: .left, rank: 1),
            TextTable.Column(title: "decides", alignment: .right),
            TextTable.Column(title: "share", alignment: .right, rank: 3),
            TextTable.Column(title: "known cost", alignment: .right, rank: 4),
            TextTable.Column(title: "holds for", alignment: .right, rank: 2),
            TextTable.Column(title: "without it change class", alignment: .right),
            TextTable.Column(title: "cost", alignment: .right, rank: 5),
        ])
        let numbers = (Array(1...max(1, rules.count)) + [0]).filter { $0 <= rules.count }
        let shares = NumberFormat.wholePercents(
            numbers.map { coverage.decided(by: $0).costs.trips }
        )
        for (number, share) in zip(numbers, shares) {
            let decided = coverage.decided(by: number).costs
            let holding = coverage.holding(number).costs
            let changed = number == 0 ? nil : coverage.changed(without: number).costs
            table.add([
                id(number), number == 0 ? "undetermined" : rules[number - 1].tripClass.word,
                NumberFormat.count(decided.trips),
                share, NumberFormat.knownCost(decided),
                changed == nil ? "–" : NumberFormat.count(holding.trips),
                changed.map { NumberFormat.count($0.trips) } ?? "–",
                changed.map(NumberFormat.knownCost) ?? "–",
            ])
        }
        return table
    }

    private func overlaps(on screen: Screen) -> [String] {
        let pairs = coverage.overlaps
        guard !pairs.isEmpty else { return ["No two rules of different classes hold for one trip"] }
        return ["Overlaps: both rules hold, and their classes differ; the first decides"]
            + lines(overlapTable, of: pairs.count, on: screen)
    }

    private func neighbours(on screen: Screen) -> [String] {
        let pairs = coverage.orderedNeighbours
        guard !pairs.isEmpty else {
            return ["Neighbouring rules can be exchanged: no class or basis changes"]
        }
        return ["Order: neighbours that cannot be exchanged without changing class or basis"]
            + lines(neighbourTable, of: pairs.count, on: screen)
    }

    private var overlapTable: TextTable { table(coverage.overlaps, "decides", "holds as well") }
    private var neighbourTable: TextTable { table(coverage.orderedNeighbours, "first", "then") }

    private func lines(_ table: TextTable, of count: Int, on screen: Screen) -> [String] {
        let more = count - Self.shownCount
        return table.lines(on: screen)
            + (more > 0 ? ["and \(Counted.text(more, "pair")) more"] : [])
    }

    /// The title of the trips that can be explained.
    private static let sample = "for example"

    private func table(
        _ pairs: [RuleCoverage.Pair],
        _ first: String,
        _ second: String
    ) -> TextTable {
        var table = TextTable([
            TextTable.Column(title: first, alignment: .left),
            TextTable.Column(title: second, alignment: .left),
            TextTable.Column(title: "trips", alignment: .right),
            TextTable.Column(title: "known cost", alignment: .right, rank: 3),
            TextTable.Column(title: "changes", alignment: .left, rank: 2),
            TextTable.Column(title: Self.sample, alignment: .left, rank: 1),
        ])
        for pair in pairs.prefix(Self.shownCount) {
            table.add([
                id(pair.deciding), id(pair.other), NumberFormat.count(pair.sums.costs.trips),
                NumberFormat.knownCost(pair.sums.costs),
                coverage.differInClass(pair) ? "class" : "basis", ref(pair.sums),
            ])
        }
        return table
    }

    private func orphans(on screen: Screen) -> [String] {
        var table = TextTable([
            ("look-up", .left), ("trips with a key", .right), ("no such key", .right),
            ("not that day", .right), ("keys", .right),
            (laboratory.showsKeys ? "most often" : "", .prose),
        ])
        for (lookup, keys) in zip(lookups, laboratory.orphans) {
            let entries = keys.entries
            let often = shown(lookup, entries).prefix(Self.keyCount).map { entry in
                "\(entry.key.joined(separator: "/")) (\(NumberFormat.count(entry.trips)))"
            }
            table.add([
                lookup.name, NumberFormat.count(keys.keyed),
                NumberFormat.count(entries.reduce(0) { $0 + $1.unknown }),
                NumberFormat.count(entries.reduce(0) { $0 + $1.notThatDay }),
                NumberFormat.count(entries.count), often.joined(separator: ", "),
            ])
        }
        guard !table.isEmpty else { return [] }
        return ["Look-ups: keys without a row, of all trips, counted or not"]
            + table.lines(on: screen)
            + (laboratory.showsKeys ? [] : ["List the keys: --show-keys"])
    }

    /// The keys that may be shown: none where the key is a trip id, and else only on request, since
    /// a key may be any value of an export.
    private func shown(
        _ lookup: LookupDefinition,
        _ entries: [OrphanKeys.Entry]
    ) -> [OrphanKeys.Entry] {
        let isOfTrip = lookup.keys.contains { $0.field == "trip_id" }
        return laboratory.showsKeys && !isOfTrip ? entries : []
    }

    /// Adds everything to the rows of the findings.
    func add(to set: inout RowSet) {
        for number in Array(1...max(1, rules.count)) + [0] where number <= rules.count {
            add(to: &set, "coverage", id(number), nil, coverage.decided(by: number))
            guard number > 0 else { continue }
            add(to: &set, "holds", id(number), nil, coverage.holding(number))
            add(to: &set, "without", id(number), nil, coverage.changed(without: number))
        }
        for pair in coverage.overlaps {
            add(to: &set, "overlap", id(pair.deciding), id(pair.other), pair.sums)
        }
        for pair in coverage.orderedNeighbours {
            add(to: &set, "order", id(pair.deciding), id(pair.other), pair.sums)
        }
        for (lookup, keys) in zip(lookups, laboratory.orphans) {
            let entries = keys.entries
            for (kind, trips) in [
                ("orphans", entries.reduce(0) { $0 + $1.unknown }),
                ("orphans_that_day", entries.reduce(0) { $0 + $1.notThatDay }),
            ] {
                var sums = RuleCoverage.Sums()
                sums.costs.trips = trips
                add(to: &set, kind, lookup.name, nil, sums, hasCost: false)
            }
            for entry in shown(lookup, entries).prefix(Self.listedKeyCount) {
                for (kind, trips) in [
                    ("orphan", entry.unknown), ("orphan_that_day", entry.notThatDay),
                ] where trips > 0 {
                    var sums = RuleCoverage.Sums()
                    sums.costs.trips = trips
                    add(
                        to: &set,
                        kind,
                        lookup.name,
                        entry.key.joined(separator: "/"),
                        sums,
                        hasCost: false
                    )
                }
            }
        }
    }

    private func add(
        to set: inout RowSet,
        _ kind: String,
        _ subject: String,
        _ other: String?,
        _ sums: RuleCoverage.Sums,
        hasCost: Bool = true
    ) {
        set.add([
            .text(kind), .null, .null, .text(subject), .text(other), .integer(sums.costs.trips),
            .integer(hasCost ? sums.costs.costedTrips : nil),
            .integer(hasCost ? sums.costs.costCents : nil),
            .text(sums.sample.flatMap { laboratory.refs[$0] }),
            .integer(Int64(laboratory.header.number)),
        ])
    }
}
