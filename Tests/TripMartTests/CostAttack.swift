import TripDomain

@testable import TripMart

/// Solves what is published of costs as a linear programme: how far what the trips of a small count
/// cost can lie apart in any two tables of costs that are not negative and agree with all that is
/// shown.
///
/// It knows nothing of how the cells were hidden, and leaves the counts to ``ProgrammeAttack``.
/// Its unknowns are, of each finest cell, the costs of the three classes, and of all its costs
/// those of trips with known miles and those of the others.
struct CostAttack {
    private static let width = 5
    private let cube: GuardedCube
    /// For each finest slot, where its unknowns begin.
    private let order: [Int: Int]
    private let truth: [Double]
    /// The directions that change nothing that is shown, each forwards and backwards.
    private let columns: [[Double]]

    /// What must be known at least of a cost for it to be known.
    private static let share = 0.01

    init(_ cube: GuardedCube) {
        let grid = cube.grid
        let finest = grid.finestSlots(within: grid.slotCount - 1)
        let order = Dictionary(
            uniqueKeysWithValues: zip(finest, 0...).map { ($0, $1 * Self.width) }
        )
        truth = finest.flatMap { slot in
            let sums = cube.sums[slot]
            return [
                sums.inHouseCostCents, sums.contractedCostCents, sums.undeterminedCostCents,
                sums.costWithMilesCents, sums.costCents - sums.costWithMilesCents,
            ].map { Double($0) }
        }
        var rows: [[Double]] = []
        func learn(_ slot: Int, _ unknowns: [Int]) {
            var row = [Double](repeating: 0, count: finest.count * Self.width)
            for cell in grid.finestSlots(within: slot) {
                for unknown in unknowns { row[order[cell, default: 0] + unknown] = 1 }
            }
            rows.append(row)
        }
        for slot in 0..<grid.slotCount {
            func shows(_ count: Int) -> Bool { !cube.isHidden[slot * CellCounts.size + count] }
            for number in 0..<3 where shows(CellCounts.ofClass(number, cost: 0)) {
                learn(slot, [number])
            }
            if shows(CellCounts.costed) { learn(slot, [0, 1, 2]) }
            if shows(CellCounts.bothKnown) { learn(slot, [3]) }
        }
        for base in order.values.sorted() {
            var row = [Double](repeating: 0, count: finest.count * Self.width)
            for unknown in 0..<3 { row[base + unknown] = 1 }
            for unknown in 3..<5 { row[base + unknown] = -1 }
            rows.append(row)
        }
        columns = ProgrammeAttack.directions(rows, truth.count).flatMap { [$0, $0.map { -$0 }] }
        self.cube = cube
        self.order = order
    }

    /// The small counts of trips whose cost it knows to a hundredth.
    func foundOut() -> [Int] {
        cube.small.filter { place in
            let (slot, count) = (place / CellCounts.size, place % CellCounts.size)
            guard let classes = Self.classes[count] else { return false }
            let unknowns = cube.grid.finestSlots(within: slot).flatMap { cell in
                classes.map { order[cell, default: 0] + $0 }
            }
            let cost = unknowns.reduce(0) { $0 + truth[$1] }
            if cost == 0 { return false }
            return apart(unknowns, cost) < cost * Self.share * 0.999
        }
    }

    /// How far a sum can rise and fall, each at most by what it is.
    private func apart(_ unknowns: [Int], _ most: Double) -> Double {
        [1.0, -1].reduce(0) { apart, sign in
            let goal = columns.map { column in
                unknowns.reduce(0) { $0 + sign * column[$1] }
            }
            let steps = Simplex(
                room: truth + [most],
                columns: zip(columns, goal).map { $0 + [-$1] },
                goal: goal
            ).solved()
            return apart + zip(goal, steps).reduce(0) { $0 + $1.0 * $1.1 }
        }
    }

    /// For each count of trips with known cost, the unknowns it adds up.
    private static let classes: [Int: [Int]] = [
        4: [0], 6: [1], 8: [2], CellCounts.costed: [0, 1, 2],
        CellCounts.bothKnown: [3], CellCounts.bothKnown + 1: [4],
    ]
}
