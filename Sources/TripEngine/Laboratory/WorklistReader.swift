public import TripDomain

/// Asks of trips without a class what they lack, and what would settle them.
///
/// What could be known is what rules read: a field of the export, or a row of a look-up. Each that a trip lacks is
/// tried by itself: the field with the values that rules compare it with, the look-up with a row that has them. What
/// derived fields are made of is not tried.
public struct WorklistReader: Sendable {
    private let classifier: TripClassifier
    /// The look-ups that rules read, by their place among the pipeline's.
    private let lookups: [Int]
    /// The fields that rules read, by their column.
    private let fields: [Int]
    private let trials: [Trial]

    /// A value in place of what is lacking.
    private struct Trial: Sendable {
        /// The field or the look-up.
        let source: String
        /// The columns of the flattened scope, each with its value.
        let values: [(column: Int, value: ExpressionValue)]
    }

    /// Prepares to ask.
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
        var trials: [Trial] = []
        for lookup in lookups {
            let source = scope.lookups[lookup].name
            let found = ["matched", "match_count"].compactMap { name in
                rules.flatScope.columnIndex("\(source).\(name)").map {
                    (column: $0, value: ExpressionValue.integer(1))
                }
            }
            trials.append(Trial(source: source, values: found))
            for name in names where name.hasPrefix(source + ".") {
                for value in rules.valuesToTry(name) {
                    trials.append(Trial(source: source, values: found + [value]))
                }
            }
        }
        for field in fields {
            let name = scope.columns[field].name
            trials += rules.valuesToTry(name).map { Trial(source: name, values: [$0]) }
        }
        self.trials = trials
    }

    /// Asks about some trips.
    ///
    /// - Parameters:
    ///   - batch: Trips that count and are undetermined; of the fields, `fieldsRead` have rows.
    ///   - numbers: Their numbers.
    /// - Returns: What they lack, and what would settle them.
    /// - Complexity: O(*n*) in the trips per rule and value that is tried.
    public func read(_ batch: TripBatch, numbers: [Int64]) -> Worklist {
        var worklist = Worklist()
        guard batch.count > 0 else { return worklist }
        var batch = batch
        batch.columns.removeSubrange(classifier.fieldCount...)
        var overflows = 0
        let (frame, _) = classifier.prepare(&batch, overflows: &overflows)
        let lacks = lacks(batch, frame)
        let settled = settled(frame, lacks.map(\.sources))
        let cost = classifier.shape.costIndex.map { batch.columns[$0].integers }
        for row in 0..<batch.count {
            worklist.add(
                numbers[row],
                cost: cost?.value(row),
                lacking: lacks[row].gaps,
                settledBy: settled[row]
            )
        }
        return worklist
    }

    /// What each trip lacks, and which fields and look-ups that leaves without a value.
    private func lacks(
        _ batch: TripBatch,
        _ frame: Frame
    ) -> [(gaps: [Worklist.Gap], sources: Set<String>)] {
        var lacks = [(gaps: [Worklist.Gap], sources: Set<String>)](
            repeating: ([], []),
            count: batch.count
        )
        func add(_ row: Int, _ source: String, _ gap: Worklist.Gap) {
            lacks[row].sources.insert(source)
            // Several look-ups may ask one file for one key.
            if !lacks[row].gaps.contains(gap) { lacks[row].gaps.append(gap) }
        }
        for index in lookups {
            let lookup = classifier.lookups[index]
            let names = lookup.definition.keys.map(\.field)
            let keys = classifier.keyColumns[index].map { batch.columns[$0].texts }
            let hasKey = lookup.hasKey(keys)
            for row in 0..<batch.count where frame.matches[index].rows[row] == 0 {
                let source = lookup.definition.name
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

    /// Per trip, what would settle it: each source once for each rule that would decide.
    private func settled(_ frame: Frame, _ lacking: [Set<String>]) -> [[Worklist.Settlement]] {
        let rules = classifier.ruleSet
        let trips = (0..<frame.rowCount).map { FlatTrips.trip(frame, $0, classifier.scope) }
        let flat = FlatTrips.frame(trips, rules.flatScope)
        var settled = [[Worklist.Settlement]](repeating: [], count: frame.rowCount)
        for trial in trials {
            let rows = lacking.indices.filter { lacking[$0].contains(trial.source) }
            guard !rows.isEmpty else { continue }
            var tried = flat
            for (column, value) in trial.values {
                tried.columns[column] = FlatTrips.column(
                    [ExpressionValue](repeating: value, count: frame.rowCount),
                    rules.flatScope.columns[column].kind
                )
            }
            let decisions = rules.classifyFlat(tried).ruleNumbers
            for row in rows {
                let rule = Int(decisions[row])
                guard rule > 0, rules.definitions[rule - 1].tripClass != .undetermined else {
                    continue
                }
                let settlement = Worklist.Settlement(source: trial.source, ruleNumber: rule)
                if !settled[row].contains(settlement) { settled[row].append(settlement) }
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
        rules[rule - 1].conjuncts.filter { conjunct in
            conjunct.program.namesUsed.contains { $0 == source || $0.hasPrefix(source + ".") }
        }.map(\.text)
    }

    /// Values worth trying for a name, with its column: those that rules compare it with, texts that match their
    /// patterns, the neighbours of all these, and one that says no more than that there is a value.
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
