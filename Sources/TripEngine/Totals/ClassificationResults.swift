public import TripDomain

/// Classification results in a form that allows comparing several decisions of the same trips.
///
/// Elsewhere rules are numbered per rule set and texts coded per batch; here equal numbers mean
/// equal words in all results.
public struct ClassificationResults {
    /// The classification result of one trip: the deciding rule with class and basis, the region,
    /// the trip type, whether it counts, the cost and the miles.
    public struct ClassificationResult: Sendable, Hashable {
        let rule: UInt32
        let region: UInt32
        let tripType: UInt32
        let isCounted: Bool
        /// Cents and hundredths of a mile; nil where not known.
        let cost: Int64?
        let miles: Int64?
    }

    private var words = TextInterner()

    /// Has no results yet.
    public init() {}

    /// The classification results of the trips of a batch.
    ///
    /// - Parameters:
    ///   - batch: The trips, classified.
    ///   - shape: Their columns.
    ///   - rules: The rules they were decided by.
    /// - Returns: One entry per trip, comparable with those of earlier calls.
    /// - Complexity: O(*n*) in the trips.
    public mutating func results(
        of batch: TripBatch,
        _ shape: TripShape,
        _ rules: [RuleEntry]
    ) -> [ClassificationResult] {
        let decisions =
            [0]
            + rules.map { words.code(of: "\($0.id)\0\($0.tripClass.word)\0\($0.basis)") }
        let regions = numbers(batch.columns[shape.regionIndex].texts)
        let tripTypes = numbers(batch.columns[shape.tripTypeIndex].texts)
        let costs = shape.costIndex.map { batch.columns[$0].integers }
        let miles = shape.milesIndex.map { batch.columns[$0].integers }
        return (0..<batch.count).map { row in
            ClassificationResult(
                rule: decisions[Int(batch.ruleNumbers[row])],
                region: regions[row],
                tripType: tripTypes[row],
                isCounted: batch.counted[row],
                cost: costs?.value(row),
                miles: miles?.value(row)
            )
        }
    }

    /// The number of each row's text; only the entries that rows use are numbered.
    private mutating func numbers(_ column: TextColumn) -> [UInt32] {
        var known = [UInt32?](repeating: nil, count: column.pool.count)
        return column.codes.map { code in
            if let number = known[Int(code)] { return number }
            let number = words.wordCode(column.pool.slice(code))
            known[Int(code)] = number
            return number
        }
    }
}
