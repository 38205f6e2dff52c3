/// Steps that preserve the grand total and every total of one dimension.
///
/// In the base's month, in its trip type and in its region, one cell each takes the opposite
/// adjustment; two further cells take the adjustment itself, so that all sums are preserved:
///
///     + month 1, type 1, region 1   (the base)
///     - month 1, type 2, region 2
///     - month 2, type 1, region 3
///     - month 3, type 3, region 1
///     + month 2, type 2 or 3, region 2 or 3
///     + month 3, the other type, the other region
///
/// Trips that are rare nearly everywhere (such as undetermined ones with a known cost) have such a
/// step where no simpler one exists; it changes totals of two dimensions, but these are small and
/// hidden anyway.
extension AdjustmentSearch {
    /// The number of cells that are tried in each dimension; all of them are combined.
    private static let loopLimit = 4

    private typealias Found = (slot: Int, at: [Int], cost: Int, capacity: Int64)

    mutating func tryLoops(
        _ content: CellAdjustment,
        _ maxAmount: Int64,
        _ table: AlternativeTable
    ) {
        let own = loopCost(base, content, table)
        if isNoBetter(own, maxAmount) { return }
        let lists = (0..<3).map { cells(in: $0, content, maxAmount, table) }
        for first in lists[0] {
            for second in lists[1] where second.at[0] != first.at[0] {
                for third in lists[2] {
                    let cost = own + first.cost + second.cost + third.cost
                    let capacity = min(first.capacity, second.capacity, third.capacity)
                    if isNoBetter(cost, capacity) { continue }
                    close([first, second, third], content, capacity, cost, table)
                }
            }
        }
    }

    /// Finds the two cells that balance the sums.
    private mutating func close(
        _ found: [Found],
        _ content: CellAdjustment,
        _ maxAmount: Int64,
        _ known: Int,
        _ table: AlternativeTable
    ) {
        let strides = table.grid.strides
        let (first, second, third) = (found[0].at, found[1].at, found[2].at)
        for way in 0..<4 {
            let types = way & 1 == 0 ? [first[1], third[1]] : [third[1], first[1]]
            let regions = way & 2 == 0 ? [first[2], second[2]] : [second[2], first[2]]
            let slots = [second[0], third[0]].enumerated().map { number, month in
                month * strides[0] + types[number] * strides[1] + regions[number] * strides[2]
            }
            var (capacity, cost) = (maxAmount, known)
            for slot in slots {
                capacity = min(capacity, table.capacity(slot, taking: content.taken.forwards))
                cost += loopCost(slot, content, table)
            }
            if capacity < 1 || isNoBetter(cost, capacity) { continue }
            // A cell that occurs twice would need twice its capacity.
            if Set(slots + found.map(\.slot) + [base]).count < 6 { continue }
            offer(
                TableAdjustment(
                    cells: [(base, 1)] + found.map { ($0.slot, -1) } + slots.map { ($0, 1) },
                    content: content,
                    amount: capacity,
                    cost: cost
                )
            )
        }
    }

    /// The cells that share only one dimension's value with the base and can take the opposite
    /// adjustment, those with the least information loss.
    private func cells(
        in dimension: Int,
        _ content: CellAdjustment,
        _ maxAmount: Int64,
        _ table: AlternativeTable
    ) -> [Found] {
        var found: [Found] = []
        let around = base + table.grid.rollUps(base)[7 & ~(1 << dimension)]
        for slot in table.grid.finestSlots(within: around) {
            if !table.canGive(slot, content.takenMasks.backwards) { continue }
            let capacity = min(maxAmount, table.capacity(slot, taking: content.taken.backwards))
            let at = table.grid.coordinate(slot)
            if (0..<3).contains(where: { $0 != dimension && at[$0] == coordinate[$0] }) { continue }
            found.append((slot, at, loopCost(slot, content, table), capacity))
        }
        found.sort { ($0.cost * Int($1.capacity), $0.slot) < ($1.cost * Int($0.capacity), $1.slot) }
        return Array(found.prefix(Self.loopLimit))
    }

    /// The information loss of changing a cell and its totals of two dimensions.
    private func loopCost(_ slot: Int, _ content: CellAdjustment, _ table: AlternativeTable) -> Int
    {
        let rollUps = table.grid.rollUps(slot)
        return [0, 1, 2, 4].reduce(0) { $0 + table.price(slot + rollUps[$1], content.shown) }
    }
}
