public import TripDomain
public import TripRules

/// Trips with the rules they were classified by.
public struct ClassifiedTrips: Sendable {
    /// The trips.
    public let batch: TripBatch
    /// Their columns.
    public let shape: TripShape
    /// The rules, by number.
    public let rules: [RuleEntry]

    /// Takes trips with the rules that decided them.
    ///
    /// - Parameters:
    ///   - batch: The trips, classified.
    ///   - shape: Their columns.
    ///   - rules: The rules, by number.
    public init(_ batch: TripBatch, _ shape: TripShape, _ rules: [RuleEntry]) {
        self.batch = batch
        self.shape = shape
        self.rules = rules
    }

    /// The trips of some rows.
    ///
    /// - Parameter rows: The rows, in the order they are wanted.
    /// - Returns: The trips, with the same rules.
    public func gathered(_ rows: [Int]) -> ClassifiedTrips {
        ClassifiedTrips(batch.gathered(rows), shape, rules)
    }

    /// The class of a trip that counts.
    ///
    /// - Parameter row: The row of the trip.
    /// - Returns: The class; nil where the trip does not count.
    public func tripClass(_ row: Int) -> TripClass? {
        guard batch.counted[row] else { return nil }
        let rule = Int(batch.ruleNumbers[row])
        return rule == 0 ? .undetermined : rules[rule - 1].tripClass
    }

    /// Finds, for each trip whose result changes, the step from which its new result comes.
    ///
    /// - Parameters:
    ///   - planned: The same trips after all steps.
    ///   - classifiers: The classifier after each step but the last.
    /// - Returns: The rows of trips with a change, each with the first step after which its result
    ///   is the final one.
    /// - Complexity: O(*n*) in the trips, and O(*m* *s*) in those that move and the steps.
    public func moves(
        to planned: ClassifiedTrips,
        by classifiers: [TripClassifier]
    ) -> [(row: Int, step: Int)] {
        var results = ClassificationResults()
        let before = results.results(of: batch, shape, rules)
        let after = results.results(of: planned.batch, planned.shape, planned.rules)
        let rows = before.indices.filter { before[$0] != after[$0] }
        guard !rows.isEmpty else { return [] }
        let moving = batch.gathered(rows)
        let between = classifiers.map { classifier in
            results.results(
                of: classifier.reclassify(moving).batch,
                classifier.shape,
                classifier.rules
            )
        }
        return rows.enumerated().map { index, row in
            var step = between.count
            while step > 0, between[step - 1][index] == after[row] { step -= 1 }
            return (row, step)
        }
    }
}
