import TripDomain

/// What the trips of each count cost, and how much of it can be thought to be elsewhere.
///
/// Money is no count, but a small count has it: whoever is shown that all trips of one region cost
/// nothing knows in which region the cost of a trip type is. So where a second table takes trips
/// with a known cost from a cell, some of what they cost has to be able to go along.
struct CellCosts {
    /// By place, what the trips with a known cost cost, in cents and without a sign; 0 for counts
    /// that no cost belongs to.
    private let amounts: [Double]
    /// By place, how many cents can leave the trips of one class in a finest cell; without end for
    /// all other counts.
    private let movable: [Double]

    /// A cost that is known to a hundredth of itself is known.
    private static let knownShare = 0.01

    /// Takes them from a cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - grid: Its box.
    init(_ cube: [KPICell], _ grid: CellGrid) {
        let count = grid.slotCount * CellCounts.size
        var amounts = [Double](repeating: 0, count: count)
        var movable = [Double](repeating: .infinity, count: count)
        for slot in grid.finestSlots(within: grid.slotCount - 1) {
            for atom in CellCounts.costedAtoms { movable[slot * CellCounts.size + atom] = 0 }
        }
        for (slot, cell) in zip(grid.slots, cube) {
            let (place, sums) = (slot * CellCounts.size, cell.sums)
            amounts[place + CellCounts.costed] = abs(Double(sums.costCents))
            let parts = [
                sums.inHouseCostCents, sums.contractedCostCents, sums.undeterminedCostCents,
                sums.costWithMilesCents, sums.costCents - sums.costWithMilesCents,
            ]
            for (atom, cents) in zip(CellCounts.costedAtoms, parts) {
                amounts[place + atom] = abs(Double(cents))
                if movable[place + atom] == 0 { movable[place + atom] = max(0, Double(cents)) }
            }
        }
        (self.amounts, self.movable) = (amounts, movable)
    }

    /// Whether a count has trips that cost something.
    func isPaid(_ place: Int) -> Bool { amounts[place] > 0 }

    /// How many trips of a class can be taken from a finest cell to raise another count, and enough
    /// of their cost with them for the cost of that count not to be known.
    ///
    /// - Parameters:
    ///   - place: What they are taken from.
    ///   - target: The count to raise, whose trips cost something.
    ///   - need: By how much it is raised.
    /// - Returns: The number of trips, which may be more than there are.
    func takeable(_ place: Int, for target: Int, by need: Int64) -> Int64 {
        let trips = Double(need) * movable[place] / (amounts[target] * Self.knownShare)
        return trips < 1e12 ? Int64(trips) : .max
    }

    /// Those of some counts whose costs are open where nobody can tell a second table from the true
    /// one: costs may move as its trips do, and the other way round, until a cell has none left.
    func open(_ changes: [SecondTable.Change]) -> [Int] {
        var (there, back) = (Double.infinity, Double.infinity)
        for change in changes {
            let cents = movable[change.place] / Double(change.amount.magnitude)
            if change.amount < 0 { there = min(there, cents) } else { back = min(back, cents) }
        }
        return changes.filter { change in
            let cents = (there + back) * Double(change.amount.magnitude)
            return cents >= amounts[change.place] * Self.knownShare
        }.map(\.place)
    }
}
