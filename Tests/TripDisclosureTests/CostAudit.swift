import TripDomain

@testable import TripDisclosure

/// Audits the published costs by a linear programme: how far the cost of a small count can differ
/// between any two tables of non-negative costs that agree with all shown numbers.
///
/// It does not use the method of suppression, and leaves the counts to ``LinearProgrammeAudit``.
/// Its unknowns are, for each finest cell, the costs of the three classes, and its costs split into
/// those of trips with known miles and those of the others.
struct CostAudit {
    private static let width = 5
    private let cube: GuardedCube
    /// For each finest slot, the index of its first unknown.
    private let order: [Int: Int]
    private let truth: [Double]
    /// The directions that change no shown number, each forwards and backwards.
    private let columns: [[Double]]

    /// A cost that can be bounded to within this share of itself counts as disclosed.
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
                sums[.costWithMilesCents], sums.costCents - sums[.costWithMilesCents],
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
        columns = LinearProgrammeAudit.directions(rows, truth.count).flatMap {
            [$0, $0.map { -$0 }]
        }
        self.cube = cube
        self.order = order
    }

    /// The small counts of trips whose cost it bounds to within a hundredth.
    func disclosed() -> [Int] {
        cube.small.filter { position in
            let (slot, count) = (position / CellCounts.size, position % CellCounts.size)
            guard let classes = Self.classes[count] else { return false }
            let unknowns = cube.grid.finestSlots(within: slot).flatMap { cell in
                classes.map { order[cell, default: 0] + $0 }
            }
            let cost = unknowns.reduce(0) { $0 + truth[$1] }
            if cost == 0 { return false }
            return apart(unknowns, cost) < cost * Self.share * 0.999
        }
    }

    /// The range of a sum, up and down, each at most by its own value.
    private func apart(_ unknowns: [Int], _ most: Double) -> Double {
        [1.0, -1].reduce(0) { apart, sign in
            let goal = columns.map { column in
                unknowns.reduce(0) { $0 + sign * column[$1] }
            }
            let steps = Simplex(
                slack: truth + [most],
                columns: zip(columns, goal).map { $0 + [-$1] },
                goal: goal
            ).solved()
            return apart + zip(goal, steps).reduce(0) { $0 + $1.0 * $1.1 }
        }
    }

    /// For each count of trips with known cost, the unknowns that it adds up.
    private static let classes: [Int: [Int]] = [
        4: [0], 6: [1], 8: [2], CellCounts.costed: [0, 1, 2],
        CellCounts.bothKnown: [3], CellCounts.bothKnown + 1: [4],
    ]
}
