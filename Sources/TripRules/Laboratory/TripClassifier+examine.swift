public import TripDomain

extension TripClassifier {
    /// What some trips show about the rules and look-ups.
    public struct Examination: Sendable {
        /// Which rules hold together.
        public var coverage: RuleCoverage
        /// Per look-up, the keys it found no row for.
        public var orphans: [OrphanKeys]

        /// No trips.
        public init(_ classifier: TripClassifier) {
            coverage = RuleCoverage(rules: classifier.rules)
            orphans = classifier.lookups.map { _ in OrphanKeys() }
        }

        /// Adds the trips of later batches.
        public mutating func add(_ other: Examination) {
            coverage.add(other.coverage)
            for (lookup, keys) in other.orphans.enumerated() { orphans[lookup].add(keys) }
        }
    }

    /// Evaluates every rule for stored trips, and counts the keys that every look-up found no row
    /// for.
    ///
    /// - Parameters:
    ///   - batch: The trips as stored; of the fields, ``fieldsRead`` have rows.
    ///   - firstNumber: The number of the first trip.
    /// - Returns: The counts.
    /// - Complexity: O(*n*) in the trips per rule and per look-up.
    public func examine(_ batch: TripBatch, firstNumber: Int64) -> Examination {
        var batch = batch
        batch.columns.removeSubrange(fieldCount...)
        var overflows = 0
        let (frame, _) = prepare(&batch, overflows: &overflows)
        var examination = Examination(self)
        let counted =
            countWhen.map { $0.truths(frame).bytes.map { $0 == Truth.yes.rawValue } }
            ?? [Bool](repeating: true, count: batch.count)
        var holding = ruleSet.holding(frame)
        holding.put(first: overridden(batch))
        examination.coverage.add(
            holding,
            counted: counted,
            cost: shape.costIndex.map { batch.columns[$0].integers },
            firstNumber: firstNumber
        )
        for (index, lookup) in lookups.enumerated() {
            examination.orphans[index].add(
                lookup,
                keys: keyColumns[index].map { batch.columns[$0].texts },
                rows: frame.matches[index].rows
            )
        }
        return examination
    }
}
