public import TripDomain

/// The trips whose result some edits can change, alone or together, so that only these have to be
/// classified once for each edit.
///
/// A trip is reached where a look-up has other rows for its key, where the old or the new condition
/// of an edited rule holds, where it counts otherwise, or where an override decides. Any other trip
/// has the same look-up rows and the same first rule that holds, whichever of the edits are made.
public struct EditReach: Sendable {
    /// The keys of one look-up that have other rows than before.
    private struct ChangedKeys {
        let lookup: Int
        let keys: Set<[UInt8]>
    }

    private let changedKeys: [ChangedKeys]
    /// The conditions of edited rules, before and now, over the trips as they are now.
    private let conditions: [Program]
    /// The numbers above which a rule is that of an override, before and now.
    private let ruleCounts: (before: Int, now: Int)

    /// Compares two classifiers that have the same fields, look-ups and derived fields.
    ///
    /// It is nil where the names that rules use differ, so that any trip may be reached.
    ///
    /// - Parameters:
    ///   - before: The classifier without the edits.
    ///   - now: The classifier with all of them.
    ///   - rules: The ids of the rules that are added, removed, moved, or whose condition, class,
    ///     basis or days differ.
    ///   - files: The reference files that differ.
    /// - Complexity: O(*n*) in the rows of the reference files.
    public init?(
        _ before: TripClassifier,
        _ now: TripClassifier,
        rules: Set<String>,
        files: Set<String>
    ) {
        let tables = (before.lookups.map(\.table), now.lookups.map(\.table))
        guard tables.0.map(\.columnNames) == tables.1.map(\.columnNames),
            tables.0.map(\.columnKinds) == tables.1.map(\.columnKinds),
            before.scope.columns.map(\.name) == now.scope.columns.map(\.name)
        else { return nil }
        let edited = (before.ruleSet.definitions + now.ruleSet.definitions)
            .filter { rules.contains($0.id) }
        var conditions: [Program] = []
        for rule in edited {
            // The names are those with which both classifiers were compiled. Where a text still
            // cannot be compiled, every trip is examined.
            guard let parsed = try? ParsedExpression(parsing: rule.condition),
                let program = try? now.scope.compile(parsed, expecting: .condition)
            else { return nil }
            conditions.append(program)
        }
        self.conditions = conditions
        changedKeys = zip(before.lookups, now.lookups).enumerated().compactMap { index, pair in
            guard files.contains(pair.1.table.file) else { return nil }
            let keys = Self.changedKeys(pair.0, pair.1)
            return keys.isEmpty ? nil : ChangedKeys(lookup: index, keys: keys)
        }
        ruleCounts = (before.ruleSet.rules.count, now.ruleSet.rules.count)
    }

    /// The keys whose rows or days differ between two versions of a look-up.
    private static func changedKeys(_ before: LookupIndex, _ now: LookupIndex) -> Set<[UInt8]> {
        let (old, new) = (rowsByKey(before), rowsByKey(now))
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    }

    private struct ValidRow: Hashable {
        let from: Int32
        let to: Int32
        /// Bytes, since equal texts may be written with different ones.
        let values: [[UInt8]]
    }

    private static func rowsByKey(_ lookup: LookupIndex) -> [[UInt8]: [ValidRow]] {
        let columns = Array(zip(lookup.table.columns, lookup.table.columnKinds))
        return Dictionary(
            lookup.spansByKey.map { key, spans in
                let rows = spans.map { span in
                    ValidRow(
                        from: span.from,
                        to: span.to,
                        values: columns.map {
                            Self.bytes(FlatTrips.value($0, $1, Int(span.row)))
                        }
                    )
                }
                return (key, rows)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private static func bytes(_ value: ExpressionValue) -> [UInt8] {
        switch value {
        case .null: []
        case .text(let text): [1] + text.utf8
        case .integer(let number): [2] + String(number).utf8
        case .real(let number): [3] + String(number.bitPattern).utf8
        }
    }

    /// The rows of a batch that the edits reach.
    ///
    /// - Parameters:
    ///   - stored: The trips as they were classified without the edits.
    ///   - now: The same trips as they are classified with all of them.
    ///   - frame: The values of the latter.
    ///   - keyColumns: For each look-up, the fields its keys are read from.
    /// - Returns: The rows, in order.
    /// - Complexity: O(*n*) in the trips for each edited rule and look-up.
    func rows(
        _ stored: TripBatch,
        _ now: TripBatch,
        _ frame: Frame,
        keyColumns: [[Int]]
    ) -> [Int] {
        var isReached = (0..<now.count).map { row in
            stored.counted[row] != now.counted[row]
                || Int(stored.ruleNumbers[row]) > ruleCounts.before
                || Int(now.ruleNumbers[row]) > ruleCounts.now
        }
        for changed in changedKeys {
            let columns = keyColumns[changed.lookup].map { now.columns[$0].texts }
            let keys = NumberedKeys(columns)
            let isChanged = (0..<UInt32(keys.count)).map { number in
                number != 0 && changed.keys.contains(Array(keys.key(number)))
            }
            for (row, number) in keys.numbers.enumerated() where isChanged[Int(number)] {
                isReached[row] = true
            }
        }
        for condition in conditions {
            let truths = condition.truths(frame).bytes
            for row in truths.indices where truths[row] == Truth.yes.rawValue {
                isReached[row] = true
            }
        }
        return isReached.indices.filter { isReached[$0] }
    }
}

extension TripClassifier {
    /// Classifies stored trips again, and finds those that edits can change.
    ///
    /// - Parameters:
    ///   - batch: The trips as stored; of the fields, ``fieldsRead`` have rows.
    ///   - reach: The trips that the edits reach; nil where it may be any.
    /// - Returns: The batch with its derived columns, rules and marks computed again, and the rows
    ///   that the edits reach.
    /// - Complexity: O(*n*) in the trips.
    public func reclassify(
        _ batch: TripBatch,
        reachedBy reach: EditReach?
    ) -> (outcome: Outcome, rows: [Int]) {
        var fields = batch
        fields.columns.removeSubrange(fieldCount...)
        let (outcome, frame) = classified(fields)
        let rows = reach?.rows(batch, outcome.batch, frame, keyColumns: keyColumns)
        return (outcome, rows ?? Array(0..<batch.count))
    }
}
