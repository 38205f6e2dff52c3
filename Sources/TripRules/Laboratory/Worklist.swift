public import TripDomain

/// Trips that no rule gives a class, grouped by what they lack, with what would give them one.
public struct Worklist: Sendable {
    /// A value that a trip lacks.
    public struct Gap: Sendable, Hashable {
        /// Why the value is missing.
        public enum Kind: String, Sendable {
            /// The export left it blank.
            case blank
            /// The reference file has no row of the key.
            case noSuchKey = "no_such_key"
            /// The reference file has rows of the key, but none that is valid on the trip's day.
            case notThatDay = "not_that_day"
            /// An override gives the trip no class.
            case byHand = "by_hand"
        }

        /// Why the value is missing.
        public let kind: Kind
        /// The field that is blank, or those that the key is made of, as rules write them.
        public let fields: [String]
        /// The reference file; nil where a field is blank.
        public let file: String?

        /// The gap of a trip that an override leaves without a class, which no rule can change.
        static let override = Gap(kind: .byHand, fields: [], file: nil)

        /// The gap of a blank field.
        static func blank(_ field: String) -> Gap { Gap(kind: .blank, fields: [field], file: nil) }
    }

    /// A value of one field, or a row of one look-up, with which a rule would give trips a class.
    public struct Settlement: Sendable, Hashable {
        /// The field, or the look-up.
        public let source: String
        /// The rule that would decide.
        public let ruleNumber: Int
    }

    /// Trips that lack the same values.
    public struct Group: Sendable, Hashable {
        /// All trips of the group.
        public fileprivate(set) var sums = RuleCoverage.Sums()
        /// For each settlement, the trips it would give a class.
        public fileprivate(set) var settlements: [Settlement: RuleCoverage.Sums] = [:]
        /// The trips that no single settlement would give a class.
        public fileprivate(set) var unsettled = RuleCoverage.Sums()
    }

    private var groups: [[Gap]: Group] = [:]

    /// No trips.
    public init() {}

    /// The groups, those of most trips first, then those of most known cost.
    public var all: [(gaps: [Gap], group: Group)] {
        groups.map { (gaps: $0, group: $1) }.sorted { left, right in
            let (one, two) = (left.group.sums, right.group.sums)
            if one.costs.trips != two.costs.trips { return one.costs.trips > two.costs.trips }
            if one.costs.costCents != two.costs.costCents {
                return one.costs.costCents > two.costs.costCents
            }
            return (one.sample ?? 0) < (two.sample ?? 0)
        }
    }

    /// All trips.
    public var sums: RuleCoverage.Sums {
        groups.values.reduce(into: RuleCoverage.Sums()) { $0 += $1.sums }
    }

    /// Adds one trip.
    mutating func add(
        _ number: Int64,
        cost: Int64?,
        lacking gaps: [Gap],
        settledBy settlements: [Settlement]
    ) {
        groups[gaps, default: Group()].sums.add(number, cost: cost)
        if settlements.isEmpty { groups[gaps]?.unsettled.add(number, cost: cost) }
        for settlement in settlements {
            groups[gaps]?.settlements[settlement, default: RuleCoverage.Sums()]
                .add(number, cost: cost)
        }
    }

    /// Adds the trips of later batches.
    public mutating func add(_ other: Worklist) {
        for (gaps, group) in other.groups {
            groups[gaps, default: Group()].sums += group.sums
            groups[gaps]?.unsettled += group.unsettled
            for (settlement, sums) in group.settlements {
                groups[gaps]?.settlements[settlement, default: RuleCoverage.Sums()] += sums
            }
        }
    }
}

/// Finds what trips without a class lack, and what would give them one.
///
/// The sources are the fields of the export and the look-ups that rules read. Each source that a
/// trip lacks is tried alone: a field with the values that rules compare it with, a look-up with a
/// row that has such values. The fields that only derived fields read are not tried.
public struct WorklistReader: Sendable {
    private let classifier: TripClassifier
    /// The look-ups that rules read, by their index in the pipeline.
    private let lookups: [Int]
    /// The fields that rules read, by their column.
    private let fields: [Int]
    /// By field or look-up, the values to try, each a set of columns of the flattened scope.
    private let trials: [(source: String, values: [[(column: Int, value: ExpressionValue)]])]

    /// Trips whose values are kept at once: one trip may need hundreds of values.
    private static let tripsAtOnce = 1024

    /// Prepares the values to try.
    ///
    /// - Parameter classifier: The rules and look-ups.
    public init(_ classifier: TripClassifier) {
        self.classifier = classifier
        let rules = classifier.ruleSet
        var names: [String] = []
        for name in rules.rules.flatMap(\.conjuncts).flatMap(\.program.namesUsed)
        where !names.contains(name) { names.append(name) }
        let scope = classifier.scope
        lookups = classifier.lookups.indices.filter { index in
            names.contains { $0.hasPrefix(classifier.lookups[index].definition.name + ".") }
        }
        fields = names.compactMap { scope.columnIndex($0) }.filter { index in
            index < classifier.fieldCount && scope.columns[index].kind != .patient
        }.sorted()
        let keys = Set(lookups.flatMap { classifier.keyColumns[$0] })
        var trials: [(source: String, values: [[(column: Int, value: ExpressionValue)]])] = []
        // A value of what a derived key reads would select another row, and is not tried.
        let behindKeys = classifier.sourcesOfDerivedKeys
        for lookup in lookups
        where !behindKeys.contains(classifier.lookups[lookup].definition.name) {
            let definition = classifier.lookups[lookup].definition
            let source = definition.name
            let found = ["matched", "match_count"].compactMap { name in
                rules.flatScope.columnIndex("\(source).\(name)").map {
                    (column: $0, value: ExpressionValue.integer(1))
                }
            }
            // A row that is tried has the key of its trip, and is found.
            let fixed = definition.keys.map(\.column) + ["matched", "match_count"]
            let own = names.filter { name in
                name.hasPrefix(source + ".") && !fixed.contains { name == "\(source).\($0)" }
            }
            let values = own.flatMap { rules.valuesToTry($0) }.map { found + [$0] }
            trials.append((source, [found] + values))
        }
        // A key field is tried through its look-up: its value only selects the row.
        for field in fields
        where !keys.contains(field) && !behindKeys.contains(scope.columns[field].name) {
            let name = scope.columns[field].name
            trials.append((name, rules.valuesToTry(name).map { [$0] }))
        }
        self.trials = trials
    }

    /// Adds trips that an override leaves without a class: nothing but the override can change
    /// that.
    ///
    /// - Parameters:
    ///   - batch: Trips that count and that an override leaves undetermined.
    ///   - numbers: Their numbers.
    /// - Returns: The trips, without settlements.
    public func readOverridden(_ batch: TripBatch, numbers: [Int64]) -> Worklist {
        var worklist = Worklist()
        let cost = classifier.shape.costIndex.map { batch.columns[$0].integers }
        for (row, number) in numbers.enumerated() {
            worklist.add(
                number,
                cost: cost?.value(row),
                lacking: [.override],
                settledBy: []
            )
        }
        return worklist
    }

    /// Finds what some trips lack.
    ///
    /// - Parameters:
    ///   - batch: Trips that count and are undetermined by the rules; of the fields,
    ///     ``TripClassifier/fieldsRead`` have rows.
    ///   - numbers: Their numbers.
    /// - Returns: What they lack, and what would give them a class.
    /// - Complexity: O(*n*) in the trips per rule and tried value.
    public func read(_ batch: TripBatch, numbers: [Int64]) -> Worklist {
        var worklist = Worklist()
        guard batch.count > 0 else { return worklist }
        var batch = batch
        batch.columns.removeSubrange(classifier.fieldCount...)
        var overflows = 0
        let (frame, _) = classifier.prepare(&batch, overflows: &overflows)
        let lacks = lacks(batch, frame)
        let settled = settled(frame, lacks.map { Set($0.compactMap(\.source)) })
        let cost = classifier.shape.costIndex.map { batch.columns[$0].integers }
        for row in 0..<batch.count {
            worklist.add(
                numbers[row],
                cost: cost?.value(row),
                lacking: Self.gaps(lacks[row], settled[row]),
                settledBy: settled[row]
            )
        }
        return worklist
    }

    /// The gaps that a trip is grouped by: those that a settlement would fill, or all where there
    /// is no settlement.
    ///
    /// Each gap is listed once, since several look-ups may search one file for one key.
    private static func gaps(
        _ lacks: [Lack],
        _ settlements: [Worklist.Settlement]
    ) -> [Worklist.Gap] {
        let helping = Set(settlements.map(\.source))
        let found = lacks.filter { lack in
            helping.isEmpty || lack.source.map { helping.contains($0) } ?? false
        }
        var gaps: [Worklist.Gap] = []
        for lack in found where !gaps.contains(lack.gap) { gaps.append(lack.gap) }
        return gaps
    }

    /// A gap of a trip with the field or look-up that would fill it; the source is nil where no
    /// value is tried.
    private typealias Lack = (source: String?, gap: Worklist.Gap)

    private func lacks(_ batch: TripBatch, _ frame: Frame) -> [[Lack]] {
        var lacks = [[Lack]](repeating: [], count: batch.count)
        func add(_ row: Int, _ source: String?, _ gap: Worklist.Gap) {
            lacks[row].append((source, gap))
        }
        for index in lookups {
            let lookup = classifier.lookups[index]
            let names = lookup.definition.keys.map(\.field)
            let keys = classifier.keyColumns[index].map { batch.columns[$0].texts }
            let hasKey = lookup.hasKey(keys)
            let days = classifier.validOnColumns[index].map { frame.columns[$0].integers }
            for row in 0..<batch.count where frame.matches[index].rows[row] == 0 {
                let source = lookup.definition.name
                if let days, days.isNull(row) {
                    // Without a day no row is valid.
                    add(row, nil, .blank(lookup.definition.validOn ?? ""))
                    continue
                }
                let blank = zip(names, keys).filter { $1.codes[row] == 0 }.map(\.0)
                for name in blank { add(row, source, .blank(name)) }
                guard blank.isEmpty else { continue }
                let kind: Worklist.Gap.Kind = hasKey[row] ? .notThatDay : .noSuchKey
                add(
                    row,
                    source,
                    Worklist.Gap(kind: kind, fields: names, file: lookup.table.file)
                )
            }
        }
        for field in fields {
            let name = classifier.scope.columns[field].name
            let column = batch.columns[field]
            let kind = classifier.scope.columns[field].kind
            for row in 0..<batch.count where FlatTrips.value(column, kind, row) == .null {
                add(row, name, .blank(name))
            }
        }
        return lacks
    }

    /// Per trip, what would give it a class: each source once for each rule that would decide.
    ///
    /// A value of one source only affects the conditions that read it; all others are evaluated
    /// once.
    private func settled(_ frame: Frame, _ lacking: [Set<String>]) -> [[Worklist.Settlement]] {
        let scope = classifier.ruleSet.flatScope
        let classes = classifier.rules.map(\.tripClass)
        var settled = [[Worklist.Settlement]](repeating: [], count: frame.rowCount)
        for start in stride(from: 0, to: frame.rowCount, by: Self.tripsAtOnce) {
            let rows = start..<min(start + Self.tripsAtOnce, frame.rowCount)
            let trips = rows.map { FlatTrips.trip(frame, $0, classifier.scope) }
            let flat = FlatTrips.frame(trips, scope)
            let whatIf = WhatIfRules(classifier.ruleSet, flat)
            for (source, trials) in trials {
                let wanted = rows.filter { lacking[$0].contains(source) }.map { $0 - start }
                guard !wanted.isEmpty else { continue }
                let rules = whatIf.source(source)
                for values in trials {
                    var tried = flat
                    for (column, value) in values {
                        tried.columns[column] = FlatTrips.column(
                            [ExpressionValue](repeating: value, count: rows.count),
                            scope.columns[column].kind
                        )
                    }
                    for (row, rule) in whatIf.deciders(rules, tried, wanted)
                    where classes[rule - 1] != .undetermined {
                        let settlement = Worklist.Settlement(source: source, ruleNumber: rule)
                        guard !settled[start + row].contains(settlement) else { continue }
                        settled[start + row].append(settlement)
                    }
                }
            }
        }
        return settled
    }
}

extension RuleSet {
    /// The conditions of a rule that read a field or a look-up, as written, in their order.
    ///
    /// - Parameters:
    ///   - rule: The rule's number.
    ///   - source: The field or the look-up.
    /// - Returns: Their texts.
    public func conditions(of rule: Int, reading source: String) -> [String] {
        rules[rule - 1].conjuncts.filter { $0.reads(source) }.map(\.text)
    }

    /// Values to try for a name, with its column.
    ///
    /// They are the values that rules compare the name with, texts that match their patterns, the
    /// neighbours of all these, and one arbitrary value.
    fileprivate func valuesToTry(_ name: String) -> [(column: Int, value: ExpressionValue)] {
        guard let column = flatScope.columnIndex(name) else { return [] }
        let kind = flatScope.columns[column].kind
        let syntaxes = rules.flatMap(\.conjuncts).map(\.syntax)
        let known =
            syntaxes.flatMap { $0.constants(comparedWith: name) }
            + syntaxes.flatMap { $0.textsMatched(against: name) }
        let any: ExpressionValue =
            switch kind {
            case .text, .patient: .text("x")
            case .decimal: .real(1)
            case .date: .text("2000-01-01")
            case .timestamp: .text("2000-01-01 00:00:00")
            case .integer, .boolean, .money, .miles: .integer(1)
            }
        var tried: Set<ExpressionValue> = [.null]
        return (known + known.flatMap { $0.neighbors(kind) } + [any])
            .filter { $0.fits(kind) && tried.insert($0).inserted }.map { (column, $0) }
    }
}
