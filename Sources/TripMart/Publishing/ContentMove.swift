/// A change within a cell that keeps its own sums true.
final class ContentMove: Sendable {
    /// Each count it changes, and whether by one more or by one less.
    let steps: [(count: Int, sign: Int)]
    /// The atoms among those it takes from a cell, by whether it is made forwards or backwards.
    let taken: (forwards: [Int], backwards: [Int])
    /// The same as bits.
    let takenMasks: (forwards: UInt32, backwards: UInt32)
    /// The counts it changes that a column shows: what a price is asked for.
    let shown: [Int]

    /// Whether trips appear or vanish, rather than change.
    let isLift: Bool
    /// Whether both what is known of the cost and what is known of the miles change: looked at where
    /// nothing simpler leaves the totals alone.
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

    /// The changes that raise a count.
    struct Choice {
        let all: [ContentMove]
        /// The same, those that are looked at first and those that are looked at where these lose a total.
        let inTurn: [[ContentMove]]

        fileprivate init(_ all: [ContentMove]) {
            self.all = all
            inTurn = [false, true].map { isTwofold in all.filter { $0.isTwofold == isTwofold } }
        }
    }

    /// For each count, the changes that raise it.
    static let raising = (0..<CellCounts.size).map { count in
        Choice(all.filter { $0.raises(count) })
    }
    /// Those among them with which trips appear.
    static let lifting = raising.map { Choice($0.all.filter(\.isLift)) }

    private func raises(_ count: Int) -> Bool {
        steps.contains { $0.count == count && $0.sign > 0 }
    }

    private static let all: [ContentMove] =
        lifts + classSwaps + costSwaps + milesSwaps + trades + milesTrades

    /// One trip more, of some class, with or without a known cost and known miles.
    private static let lifts: [ContentMove] = combinations(3, 2, 2) { number, cost, miles in
        ContentMove([
            (CellCounts.trips, 1), (CellCounts.ofClass(number), 1),
            (CellCounts.ofClass(number, cost: cost), 1), (CellCounts.costed + cost, 1),
            (CellCounts.milesKnown + miles, 1), (CellCounts.known(cost: cost, miles: miles), 1),
        ])
    }

    /// A trip of one class becomes one of another; its cost stays known or unknown.
    private static let classSwaps: [ContentMove] = combinations(3, 2, 2) { number, cost, step in
        let other = (number + 1 + step) % 3
        return ContentMove([
            (CellCounts.ofClass(number), 1), (CellCounts.ofClass(number, cost: cost), 1),
            (CellCounts.ofClass(other), -1), (CellCounts.ofClass(other, cost: cost), -1),
        ])
    }

    /// A trip's cost becomes known, and one of another class becomes unknown.
    private static let trades: [ContentMove] = combinations(3, 2, 1) { number, step, _ in
        let other = (number + 1 + step) % 3
        return ContentMove([
            (CellCounts.ofClass(number, cost: 0), 1), (CellCounts.ofClass(number, cost: 1), -1),
            (CellCounts.ofClass(other, cost: 0), -1), (CellCounts.ofClass(other, cost: 1), 1),
        ])
    }

    /// A trip's cost becomes known, or unknown; its class may change with it, and whether its miles
    /// are known.
    private static let costSwaps: [ContentMove] = (0..<4).flatMap { both in
        let (miles, before) = (both / 2, both % 2)
        let known = [(CellCounts.milesKnown + miles, 1), (CellCounts.milesKnown + before, -1)]
        return combinations(3, 3, 2) { number, step, cost in
            let other = (number + step) % 3
            let classes = [(CellCounts.ofClass(number), 1), (CellCounts.ofClass(other), -1)]
            return ContentMove(
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

    /// A trip's miles become known, or unknown.
    private static let milesSwaps: [ContentMove] = combinations(2, 2, 1) { miles, cost, _ in
        ContentMove([
            (CellCounts.milesKnown + miles, 1), (CellCounts.milesKnown + 1 - miles, -1),
            (CellCounts.known(cost: cost, miles: miles), 1),
            (CellCounts.known(cost: cost, miles: 1 - miles), -1),
        ])
    }

    /// Two trips, of known cost or not, trade whether their miles are known.
    private static let milesTrades: [ContentMove] = combinations(2, 1, 1) { miles, _, _ in
        ContentMove([
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
        _ make: (Int, Int, Int) -> ContentMove
    ) -> [ContentMove] {
        (0..<first).flatMap { left in
            (0..<second).flatMap { middle in
                (0..<third).map { right in make(left, middle, right) }
            }
        }
    }
}
