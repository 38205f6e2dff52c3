import TripDomain

/// The cost of the trips of each count, and the part of it that another table could move.
///
/// A cost is not a count, but a small count has one: a reader who sees that all trips of one region
/// cost nothing knows in which region the cost of a trip type arose. So where an alternative table
/// takes trips with a known cost from a cell, it must be able to take some of their cost along.
struct CellCosts {
    /// By position, the cost of the trips with a known cost, in cents and without a sign; 0 for
    /// counts without a cost.
    private let amounts: [Double]
    /// By position, the cents that can be taken from the trips of one class in a finest cell;
    /// infinite for all other counts.
    private let movable: [Double]

    /// A cost that a reader can bound to within this share of itself counts as disclosed.
    private static let knownShare = 0.01

    /// Reads the costs from a cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - grid: The grid of its cells.
    init(_ cube: [KPICell], _ grid: CellGrid) {
        let count = grid.slotCount * CellCounts.size
        var amounts = [Double](repeating: 0, count: count)
        var movable = [Double](repeating: .infinity, count: count)
        for slot in grid.finestSlots(within: grid.slotCount - 1) {
            for atom in CellCounts.costedAtoms { movable[slot * CellCounts.size + atom] = 0 }
        }
        for (slot, cell) in zip(grid.slots, cube) {
            let (position, sums) = (slot * CellCounts.size, cell.sums)
            amounts[position + CellCounts.costed] = abs(Double(sums.costCents))
            let parts = [
                sums.inHouseCostCents, sums.contractedCostCents, sums.undeterminedCostCents,
                sums[.costWithMilesCents], sums.costCents - sums[.costWithMilesCents],
            ]
            for (atom, cents) in zip(CellCounts.costedAtoms, parts) {
                amounts[position + atom] = abs(Double(cents))
                if movable[position + atom] == 0 {
                    movable[position + atom] = max(0, Double(cents))
                }
            }
        }
        (self.amounts, self.movable) = (amounts, movable)
    }

    /// Whether the trips of a count have a cost other than zero.
    func isPaid(_ position: Int) -> Bool { amounts[position] > 0 }

    /// The number of trips of a class that can be taken from a finest cell to raise another count,
    /// with enough of their cost that the cost of that count is not disclosed.
    ///
    ///
    /// - Parameters:
    ///   - position: The count that they are taken from.
    ///   - target: The count to raise, whose trips have a cost.
    ///   - need: The number by which it is raised.
    /// - Returns: The number of trips, which may exceed the number in the cell.
    func takeable(_ position: Int, for target: Int, by need: Int64) -> Int64 {
        let trips = Double(need) * movable[position] / (amounts[target] * Self.knownShare)
        return trips < 1e12 ? Int64(trips) : .max
    }

    /// The counts whose costs are protected where a reader cannot distinguish an alternative table
    /// from the true one: costs may move as its trips do, and in the opposite direction, until a
    /// cell has none left.
    func open(_ changes: [AlternativeTable.Change]) -> [Int] {
        var (there, back) = (Double.infinity, Double.infinity)
        for change in changes {
            let cents = movable[change.position] / Double(change.amount.magnitude)
            if change.amount < 0 { there = min(there, cents) } else { back = min(back, cents) }
        }
        return changes.filter { change in
            let cents = (there + back) * Double(change.amount.magnitude)
            return cents >= amounts[change.position] * Self.knownShare
        }.map(\.position)
    }
}
