public import TripDomain

/// How the decisions of some trips differ from the ones before: which rule decides instead of which.
///
/// Made batch by batch and added up in the order of the batches, so that the samples do not depend on
/// the threads.
public struct DecisionChanges: Sendable {
    /// The trips that go one way.
    public struct Move: Sendable, Hashable {
        /// The rule that decided before, by its number there; 0 where none did.
        public let oldRule: Int
        /// The rule that decides now.
        public let newRule: Int
        /// Whether the trips counted before.
        public let wasCounted: Bool
        /// Whether they count now.
        public let isCounted: Bool
        /// How many.
        public var trips: Int64 = 0
        /// Those whose cost is known.
        public var costedTrips: Int64 = 0
        /// The known costs.
        public var costCents: Int64 = 0
        /// The numbers of the first of them.
        public var samples: [Int64] = []
    }

    /// Samples kept of each way.
    public static let sampleCount = 3

    private let newRuleCount: Int
    /// The place among the moves plus one, by rules and marks; 0 where no trip goes that way.
    private var slots: [UInt32]
    private var moves: [Move] = []
    /// Trips that belong to another region or are of another type than before.
    public private(set) var relocated: Int64 = 0

    /// No trips.
    ///
    /// - Parameters:
    ///   - oldRuleCount: The rules before.
    ///   - newRuleCount: The rules now.
    public init(oldRuleCount: Int, newRuleCount: Int) {
        self.newRuleCount = newRuleCount
        slots = [UInt32](repeating: 0, count: 4 * (oldRuleCount + 1) * (newRuleCount + 1))
    }

    /// Adds the trips of one batch.
    ///
    /// - Parameters:
    ///   - old: The trips as they were decided.
    ///   - new: The same trips as they are decided now.
    ///   - firstNumber: The number of the first of them.
    ///   - cost: The column of costs; nil where there is none.
    /// - Precondition: Rule numbers lie within the two sets of rules.
    public mutating func add(
        old: TripBatch,
        new: TripBatch,
        firstNumber: Int64,
        cost: IntegerColumn?
    ) {
        for row in 0..<new.count {
            let place = place(
                Int(old.ruleNumbers[row]),
                Int(new.ruleNumbers[row]),
                wasCounted: old.counted[row],
                isCounted: new.counted[row]
            )
            moves[place].trips += 1
            if let cents = cost?.value(row) {
                moves[place].costedTrips += 1
                moves[place].costCents += cents
            }
            if moves[place].samples.count < Self.sampleCount {
                moves[place].samples.append(firstNumber + Int64(row))
            }
        }
    }

    /// Adds the trips of later batches.
    public mutating func add(_ other: DecisionChanges) {
        relocated += other.relocated
        for added in other.moves {
            let place = place(
                added.oldRule,
                added.newRule,
                wasCounted: added.wasCounted,
                isCounted: added.isCounted
            )
            moves[place].trips += added.trips
            moves[place].costedTrips += added.costedTrips
            moves[place].costCents += added.costCents
            let room = Self.sampleCount - moves[place].samples.count
            moves[place].samples += added.samples.prefix(room)
        }
    }

    /// Counts the trips of one batch whose region or type is another text than before.
    ///
    /// - Parameter columns: The two columns before, each with the one of now.
    /// - Complexity: O(*n*) in the trips and in the distinct texts.
    public mutating func addRelocated(_ columns: [(old: TextColumn, new: TextColumn)]) {
        var isRelocated = [Bool](repeating: false, count: columns.first?.new.codes.count ?? 0)
        for (old, new) in columns {
            var words = WordNumbers()
            let oldWords = words.numbers(of: old.pool)
            let newWords = words.numbers(of: new.pool)
            for row in isRelocated.indices
            where oldWords[Int(old.codes[row])] != newWords[Int(new.codes[row])] {
                isRelocated[row] = true
            }
        }
        relocated += Int64(isRelocated.count { $0 })
    }

    /// The ways that trips go, those that stay as they are among them, by old and new rule.
    public var all: [Move] {
        moves.sorted { left, right in
            (left.oldRule, left.newRule, left.wasCounted ? 1 : 0, left.isCounted ? 1 : 0)
                < (right.oldRule, right.newRule, right.wasCounted ? 1 : 0, right.isCounted ? 1 : 0)
        }
    }

    /// The place of a way among the moves, which grow by it where it is new.
    @inline(__always)
    private mutating func place(
        _ oldRule: Int,
        _ newRule: Int,
        wasCounted: Bool,
        isCounted: Bool
    ) -> Int {
        let rules = oldRule * (newRuleCount + 1) + newRule
        let slot = 4 * rules + (wasCounted ? 2 : 0) + (isCounted ? 1 : 0)
        if slots[slot] == 0 {
            moves.append(
                Move(
                    oldRule: oldRule,
                    newRule: newRule,
                    wasCounted: wasCounted,
                    isCounted: isCounted
                )
            )
            slots[slot] = UInt32(moves.count)
        }
        return Int(slots[slot]) - 1
    }
}
