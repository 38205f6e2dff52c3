/// An adjustment of the counts of one cell that keeps all sums within the cell.
final class CellAdjustment: Sendable {
    /// The counts it changes, each by plus or minus one.
    let steps: [(count: Int, sign: Int)]
    /// The atoms that it decreases, when it is applied forwards or backwards.
    let taken: (forwards: [Int], backwards: [Int])
    /// The decreased atoms as bits.
    let takenMasks: (forwards: UInt32, backwards: UInt32)
    /// The changed counts that a column shows: the ones that have an information loss.
    let shown: [Int]

    /// Whether trips appear or vanish, rather than change.
    let isLift: Bool
    /// Whether it changes both whether the cost and whether the miles are known: such adjustments
    /// are tried only where no simpler one preserves the totals.
    let isTwofold: Bool

    private init(_ steps: [(count: Int, sign: Int)]) {
        self.steps = steps
        isLift = steps[0].count == CellCounts.trips
        let isOfMiles = steps.contains { $0.count == CellCounts.milesKnown }
        let isOfCosts = steps.contains { $0.count == CellCounts.costed }
        isTwofold = !isLift && isOfMiles && isOfCosts
        let atoms = steps.filter { CellCounts.isAtom($0.count) }
        taken = (
            atoms.filter { $0.sign < 0 }.map(\.count), atoms.filter { $0.sign > 0 }.map(\.count)
        )
        takenMasks = (
            taken.forwards.reduce(0) { $0 | 1 << $1 }, taken.backwards.reduce(0) { $0 | 1 << $1 }
        )
        shown = steps.map(\.count).filter { CellCounts.weights[$0] > 0 }
    }

    /// The adjustments that raise a count.
    struct Choice {
        let all: [CellAdjustment]
        /// The same in two stages: those that are tried first, and those that are tried where the
        /// first lose a total.
        let inTurn: [[CellAdjustment]]

        fileprivate init(_ all: [CellAdjustment]) {
            self.all = all
            inTurn = [false, true].map { isTwofold in all.filter { $0.isTwofold == isTwofold } }
        }
    }

    /// For each count, the adjustments that raise it.
    static let raising = (0..<CellCounts.size).map { count in
        Choice(all.filter { $0.raises(count) })
    }
    /// The adjustments among them that add trips.
    static let lifting = raising.map { Choice($0.all.filter(\.isLift)) }

    private func raises(_ count: Int) -> Bool {
        steps.contains { $0.count == count && $0.sign > 0 }
    }

    private static let all: [CellAdjustment] =
        lifts + classSwaps + costSwaps + milesSwaps + trades + milesTrades

    /// Adds one trip of some class, with or without a known cost and known miles.
    private static let lifts: [CellAdjustment] = combinations(3, 2, 2) { number, cost, miles in
        CellAdjustment([
            (CellCounts.trips, 1), (CellCounts.ofClass(number), 1),
            (CellCounts.ofClass(number, cost: cost), 1), (CellCounts.costed + cost, 1),
            (CellCounts.milesKnown + miles, 1), (CellCounts.known(cost: cost, miles: miles), 1),
        ])
    }

    /// Moves a trip from one class to another; its cost stays known or unknown.
    private static let classSwaps: [CellAdjustment] = combinations(3, 2, 2) { number, cost, step in
        let other = (number + 1 + step) % 3
        return CellAdjustment([
            (CellCounts.ofClass(number), 1), (CellCounts.ofClass(number, cost: cost), 1),
            (CellCounts.ofClass(other), -1), (CellCounts.ofClass(other, cost: cost), -1),
        ])
    }

    /// Makes the cost of one trip known, and that of one of another class unknown.
    private static let trades: [CellAdjustment] = combinations(3, 2, 1) { number, step, _ in
        let other = (number + 1 + step) % 3
        return CellAdjustment([
            (CellCounts.ofClass(number, cost: 0), 1), (CellCounts.ofClass(number, cost: 1), -1),
            (CellCounts.ofClass(other, cost: 0), -1), (CellCounts.ofClass(other, cost: 1), 1),
        ])
    }

    /// Makes a trip's cost known or unknown; its class may change with it, and whether its miles
    /// are known.
    private static let costSwaps: [CellAdjustment] = (0..<4).flatMap { both in
        let (miles, before) = (both / 2, both % 2)
        let known = [(CellCounts.milesKnown + miles, 1), (CellCounts.milesKnown + before, -1)]
        return combinations(3, 3, 2) { number, step, cost in
            let other = (number + step) % 3
            let classes = [(CellCounts.ofClass(number), 1), (CellCounts.ofClass(other), -1)]
            return CellAdjustment(
                (step == 0 ? [] : classes) + (miles == before ? [] : known) + [
                    (CellCounts.ofClass(number, cost: cost), 1),
                    (CellCounts.ofClass(other, cost: 1 - cost), -1),
                    (CellCounts.costed + cost, 1), (CellCounts.costed + 1 - cost, -1),
                    (CellCounts.known(cost: cost, miles: miles), 1),
                    (CellCounts.known(cost: 1 - cost, miles: before), -1),
                ]
            )
        }
    }

    /// Makes a trip's miles known or unknown.
    private static let milesSwaps: [CellAdjustment] = combinations(2, 2, 1) { miles, cost, _ in
        CellAdjustment([
            (CellCounts.milesKnown + miles, 1), (CellCounts.milesKnown + 1 - miles, -1),
            (CellCounts.known(cost: cost, miles: miles), 1),
            (CellCounts.known(cost: cost, miles: 1 - miles), -1),
        ])
    }

    /// Exchanges whether the miles are known between a trip of known and one of unknown cost.
    private static let milesTrades: [CellAdjustment] = combinations(2, 1, 1) { miles, _, _ in
        CellAdjustment([
            (CellCounts.known(cost: 0, miles: miles), 1),
            (CellCounts.known(cost: 0, miles: 1 - miles), -1),
            (CellCounts.known(cost: 1, miles: miles), -1),
            (CellCounts.known(cost: 1, miles: 1 - miles), 1),
        ])
    }

    private static func combinations(
        _ first: Int,
        _ second: Int,
        _ third: Int,
        _ make: (Int, Int, Int) -> CellAdjustment
    ) -> [CellAdjustment] {
        (0..<first).flatMap { left in
            (0..<second).flatMap { middle in
                (0..<third).map { right in make(left, middle, right) }
            }
        }
    }
}
