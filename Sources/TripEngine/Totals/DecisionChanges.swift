public import TripDomain

/// The changes between two decisions of the same trips: which rule decides instead of which.
///
/// Changes are found batch by batch and added up in the order of the batches, so that the samples
/// do not depend on the threads.
public struct DecisionChanges: Sendable {
    /// One change of a decision: the rules and the counting, before and now.
    public struct Transition: Sendable, Hashable, Comparable {
        /// The rule that decided before, by its number there; 0 where none did.
        public let oldRule: Int
        /// The rule that decides now.
        public let newRule: Int
        /// Whether the trips counted before.
        public let wasCounted: Bool
        /// Whether they count now.
        public let isCounted: Bool

        /// Orders changes by old rule, then new rule, then counting.
        public static func < (left: Transition, right: Transition) -> Bool {
            (left.oldRule, left.newRule, left.wasCounted ? 1 : 0, left.isCounted ? 1 : 0)
                < (right.oldRule, right.newRule, right.wasCounted ? 1 : 0, right.isCounted ? 1 : 0)
        }
    }

    /// The trips with the same change.
    public struct Move: Sendable, Hashable {
        /// The change.
        public let transition: Transition
        /// The trips and their known costs.
        public var sums = CostSums()
        /// The numbers of the first of these trips.
        public var samples: [Int64] = []
    }

    /// The number of samples kept of each change.
    public static let sampleCount = 3

    private var moves: [Transition: Move] = [:]
    /// The number of trips whose region or trip type differs from before.
    public private(set) var relocated: Int64 = 0
    /// The numbers of the first of these trips.
    public private(set) var relocatedSamples: [Int64] = []

    /// No trips.
    public init() {}

    /// Adds the trips of one batch.
    ///
    /// - Parameters:
    ///   - old: The trips as they were decided.
    ///   - new: The same trips as they are decided now.
    ///   - firstNumber: The number of the first of them.
    ///   - cost: The column of costs; nil where there is none.
    /// - Complexity: O(*n*) in the trips; memory for the pairs of rules while it runs.
    public mutating func add(
        old: TripBatch,
        new: TripBatch,
        firstNumber: Int64,
        cost: IntegerColumn?
    ) {
        let oldCount = Int(old.ruleNumbers.max() ?? 0) + 1
        let newCount = Int(new.ruleNumbers.max() ?? 0) + 1
        // The index in `found` plus one, by rules and counting; 0 where no trip had the change yet.
        var slots = [UInt32](repeating: 0, count: 4 * oldCount * newCount)
        var found: [Move] = []
        for row in 0..<new.count {
            let rules = Int(old.ruleNumbers[row]) * newCount + Int(new.ruleNumbers[row])
            let slot = 4 * rules + (old.counted[row] ? 2 : 0) + (new.counted[row] ? 1 : 0)
            if slots[slot] == 0 {
                found.append(
                    Move(
                        transition: Transition(
                            oldRule: Int(old.ruleNumbers[row]),
                            newRule: Int(new.ruleNumbers[row]),
                            wasCounted: old.counted[row],
                            isCounted: new.counted[row]
                        )
                    )
                )
                slots[slot] = UInt32(found.count)
            }
            found[Int(slots[slot]) - 1].add(firstNumber + Int64(row), cost: cost?.value(row))
        }
        for move in found { add(move) }
    }

    /// Adds the trips of later batches.
    public mutating func add(_ other: DecisionChanges) {
        relocated += other.relocated
        addRelocatedSamples(other.relocatedSamples)
        for move in other.all { add(move) }
    }

    private mutating func add(_ added: Move) {
        guard var move = moves[added.transition] else {
            moves[added.transition] = added
            return
        }
        move.sums += added.sums
        move.samples += added.samples.prefix(Self.sampleCount - move.samples.count)
        moves[added.transition] = move
    }

    /// Counts the trips of one batch whose region or trip type differs from before.
    ///
    /// - Parameters:
    ///   - columns: The two columns as they were, each with the present one.
    ///   - firstNumber: The number of the first trip.
    /// - Complexity: O(*n*) in the trips and in the distinct texts.
    public mutating func addRelocated(
        _ columns: [(old: TextColumn, new: TextColumn)],
        firstNumber: Int64
    ) {
        var isRelocated = [Bool](repeating: false, count: columns.first?.new.codes.count ?? 0)
        for (old, new) in columns {
            var words = TextInterner()
            let oldWords = words.wordCodes(of: old.pool)
            let newWords = words.wordCodes(of: new.pool)
            for row in isRelocated.indices
            where oldWords[Int(old.codes[row])] != newWords[Int(new.codes[row])] {
                isRelocated[row] = true
            }
        }
        relocated += Int64(isRelocated.count { $0 })
        addRelocatedSamples(
            isRelocated.indices.lazy.filter { isRelocated[$0] }.prefix(Self.sampleCount)
                .map { firstNumber + Int64($0) }
        )
    }

    private mutating func addRelocatedSamples(_ numbers: [Int64]) {
        relocatedSamples += numbers.prefix(Self.sampleCount - relocatedSamples.count)
    }

    /// All trips by change, unchanged ones included, in the order of old and new rule.
    public var all: [Move] {
        moves.values.sorted { $0.transition < $1.transition }
    }
}

extension DecisionChanges.Move {
    /// Adds one trip.
    @inline(__always)
    fileprivate mutating func add(_ number: Int64, cost: Int64?) {
        sums.add(cost: cost)
        if samples.count < DecisionChanges.sampleCount { samples.append(number) }
    }
}

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
