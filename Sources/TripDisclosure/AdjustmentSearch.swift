/// Finds the step that raises a count with the least new information loss.
struct AdjustmentSearch {
    /// The number of finest cells of a target that are tried as the base of a step, for each
    /// adjustment: more reduced the loss little.
    private static let baseLimit = 12

    /// A cell that can take the opposite adjustment.
    struct Partner {
        let distances: Distances
        let cost: Int
        let capacity: Int64
    }

    // The memory of a search, which is reused so that the next search allocates little.
    private var best: TableAdjustment?
    private var leastCost = Int.max
    private var leastAmount = 1
    private(set) var base = 0
    private(set) var coordinate: [Int] = []
    private(set) var rollUps: [Int] = []
    /// The information loss of the current adjustment at the base and in each total above it.
    private var basePrices: [Int] = []
    /// For each dimension, the cells that differ from the base in it alone.
    var takers: [[Partner]] = [[], [], []]
    /// The dimensions, as bits, whose takers have been searched.
    var takersKnown = 0
    /// For each group of a pattern, the partners to try.
    var partners: [[Partner]] = [[], [], []]

    /// The step with the least new information loss per application of its adjustment.
    ///
    /// - Parameters:
    ///   - position: The count to raise, of a cell of any grouping.
    ///   - rest: The number by which to raise it; a step may do less.
    ///   - lifting: Whether trips must be added, rather than changed.
    ///   - table: The table in which to raise it.
    /// - Returns: The step; adding trips is always possible.
    /// - Complexity: O(*c* *k*³) for *c* finest cells in the target and *k* partners tried in each
    ///   dimension; the search ends at the first step that hides nothing new.
    mutating func cheapest(
        raising position: Int,
        by rest: Int64,
        lifting: Bool,
        in table: AlternativeTable
    ) -> TableAdjustment {
        let (slot, count) = (position / CellCounts.size, position % CellCounts.size)
        let target = table.grid.coordinate(slot)
        let rolledUp = (0..<3).reduce(0) { target[$1] == table.grid.all($1) ? $0 | 1 << $1 : $0 }
        let contents = lifting ? CellAdjustment.lifting[count] : CellAdjustment.raising[count]
        let products = AdjustmentPattern.products[rolledUp]
        let bases = table.grid.finestSlots(within: slot)
        (best, leastCost, leastAmount) = (nil, .max, 1)
        // The simpler adjustments are enough where they preserve the totals.
        for turn in contents.inTurn where leastCost >= AlternativeTable.totalCost {
            for content in turn {
                for slot in cheapest(of: bases, content, table) {
                    select(slot, content, table)
                    let maxAmount = min(rest, table.capacity(slot, taking: content.taken.forwards))
                    for shape in products {
                        tryPartners(shape, content, maxAmount, table)
                        if let best, leastCost == 0 { return best }
                    }
                }
            }
        }
        if leastCost >= AlternativeTable.totalCost {
            tryTogether(contents.all, rolledUp, bases, rest, table)
        }
        guard let best else {
            preconditionFailure("adding a trip takes nothing from any cell, so that it is possible")
        }
        return best
    }

    /// Tries steps that change more cells and fewer totals, because the steps so far lose a total.
    private mutating func tryTogether(
        _ contents: [CellAdjustment],
        _ rolledUp: Int,
        _ bases: [Int],
        _ rest: Int64,
        _ table: AlternativeTable
    ) {
        let shapes = AdjustmentPattern.joint[rolledUp]
        for content in contents {
            guard let maxAmount = selectCheapest(bases, content, rest, table) else { continue }
            for shape in shapes { tryPartners(shape, content, maxAmount, table) }
            // A loop preserves every total over two dimensions, so that it cannot raise one.
            if rolledUp.nonzeroBitCount < 2, leastCost >= AlternativeTable.totalCost {
                tryLoops(content, maxAmount, table)
            }
        }
    }

    /// The finest cells that can take an adjustment; where there are many, those with the least new
    /// information loss.
    private func cheapest(
        of bases: [Int],
        _ content: CellAdjustment,
        _ table: AlternativeTable
    ) -> [Int] {
        let able = bases.filter { table.canGive($0, content.takenMasks.forwards) }
        if able.count <= Self.baseLimit { return able }
        let ranked = able.map { (slot: $0, price: table.price($0, content.shown)) }
        return ranked.sorted { ($0.price, $0.slot) < ($1.price, $1.slot) }
            .prefix(Self.baseLimit).map(\.slot)
    }

    private mutating func select(_ slot: Int, _ content: CellAdjustment, _ table: AlternativeTable)
    {
        base = slot
        coordinate = table.grid.coordinate(slot)
        rollUps = table.grid.rollUps(slot)
        basePrices.removeAll(keepingCapacity: true)
        for rollUp in rollUps { basePrices.append(table.price(base + rollUp, content.shown)) }
        takersKnown = 0
    }

    /// Selects the finest cell that can take an adjustment with the least loss in the totals above
    /// it.
    private mutating func selectCheapest(
        _ bases: [Int],
        _ content: CellAdjustment,
        _ rest: Int64,
        _ table: AlternativeTable
    ) -> Int64? {
        var least: (slot: Int, cost: Int, maxAmount: Int64)?
        for slot in cheapest(of: bases, content, table) {
            let maxAmount = min(rest, table.capacity(slot, taking: content.taken.forwards))
            var cost = 0
            for rollUp in table.grid.rollUps(slot).dropLast() {
                cost += table.price(slot + rollUp, content.shown)
            }
            if cost < least?.cost ?? .max { least = (slot, cost, maxAmount) }
        }
        guard let least else { return nil }
        select(least.slot, content, table)
        return least.maxAmount
    }

    private mutating func tryPartners(
        _ shape: AdjustmentPattern,
        _ content: CellAdjustment,
        _ maxAmount: Int64,
        _ table: AlternativeTable
    ) {
        var cost = 0
        for corner in shape.fixed { cost += basePrices[corner.rolledUp] }
        if isNoBetter(cost, maxAmount) { return }
        for group in shape.groups where group.nonzeroBitCount == 1 {
            let dimension = group.trailingZeroBitCount
            if takersKnown & group == 0 { findTakers(dimension, content, maxAmount, table) }
            if takers[dimension].isEmpty { return }
        }
        for number in 0..<3 {
            partners[number].removeAll(keepingCapacity: true)
            if number < shape.groups.count {
                findPartners(number, shape, content, maxAmount, table)
                if partners[number].isEmpty { return }
            } else {
                partners[number].append(
                    Partner(distances: Distances(), cost: 0, capacity: maxAmount)
                )
            }
        }
        for first in partners[0].indices {
            for second in partners[1].indices {
                for third in partners[2].indices {
                    let (left, middle, right) = (
                        partners[0][first], partners[1][second], partners[2][third]
                    )
                    let all = Partner(
                        distances: left.distances + middle.distances + right.distances,
                        cost: cost + left.cost + middle.cost + right.cost,
                        capacity: min(left.capacity, middle.capacity, right.capacity)
                    )
                    combine(shape, content, all, table)
                }
            }
        }
    }

    /// Adds the cells where two groups or more are at their partner.
    private mutating func combine(
        _ shape: AdjustmentPattern,
        _ content: CellAdjustment,
        _ partner: Partner,
        _ table: AlternativeTable
    ) {
        var (capacity, cost) = (partner.capacity, partner.cost)
        if isNoBetter(cost, capacity) { return }
        for corner in shape.far {
            let slot = base + corner.distance(partner.distances, rollUps)
            if corner.rolledUp == 0 {
                let taken = corner.sign < 0 ? content.taken.backwards : content.taken.forwards
                capacity = min(capacity, table.capacity(slot, taking: taken))
                if capacity < 1 { return }
            }
            cost += table.price(slot, content.shown)
        }
        if isNoBetter(cost, capacity) { return }
        let finest = shape.corners.filter { $0.rolledUp == 0 }
        offer(
            TableAdjustment(
                cells: finest.map { (base + $0.distance(partner.distances, rollUps), $0.sign) },
                content: content,
                amount: capacity,
                cost: cost
            )
        )
    }

    /// Accepts a step that is better than the best so far.
    mutating func offer(_ step: TableAdjustment) {
        (best, leastCost, leastAmount) = (step, step.cost, Int(step.amount))
    }

    /// Whether its information loss per application is no less than the best so far.
    func isNoBetter(_ cost: Int, _ amount: Int64) -> Bool {
        if leastCost == .max { return false }
        let (left, right) = (cost * leastAmount, leastCost * Int(amount))
        return left > right || left == right && amount <= leastAmount
    }
}

/// The cells that are tried to balance an adjustment.
extension AdjustmentSearch {
    /// The number of partners that are tried for each dimension in combinations: more reduced the
    /// loss little.
    private static let partnerLimit = 4
    /// The number for dimensions that are exchanged together, which have many more candidates.
    private static let jointPartnerLimit = 12

    /// Finds the cells that differ from the base in one dimension and can take the opposite
    /// adjustment.
    mutating func findTakers(
        _ dimension: Int,
        _ content: CellAdjustment,
        _ maxAmount: Int64,
        _ table: AlternativeTable
    ) {
        takersKnown |= 1 << dimension
        takers[dimension].removeAll(keepingCapacity: true)
        let stride = table.grid.strides[dimension]
        for value in 0..<table.grid.all(dimension) where value != coordinate[dimension] {
            let distance = (value - coordinate[dimension]) * stride
            if !table.canGive(base + distance, content.takenMasks.backwards) { continue }
            let capacity = table.capacity(base + distance, taking: content.taken.backwards)
            var distances = Distances()
            distances[dimension] = distance
            takers[dimension].append(
                Partner(distances: distances, cost: 0, capacity: min(maxAmount, capacity))
            )
        }
    }

    /// Finds the cells that can take the opposite adjustment with the least information loss.
    mutating func findPartners(
        _ number: Int,
        _ shape: AdjustmentPattern,
        _ content: CellAdjustment,
        _ maxAmount: Int64,
        _ table: AlternativeTable
    ) {
        let group = shape.groups[number]
        let isJoint = group.nonzeroBitCount > 1
        let many = isJoint ? Self.jointPartnerLimit : Self.partnerLimit
        // With one group there are no combinations: the best partner is the result.
        let limit = shape.groups.count == 1 ? 1 : many
        if !isJoint {
            for taker in takers[group.trailingZeroBitCount] {
                insert(taker, number, shape, content, limit: limit, table)
            }
            return
        }
        let grid = table.grid
        for slot in grid.finestSlots(within: base + rollUps[group]) {
            if !table.canGive(slot, content.takenMasks.backwards) { continue }
            let capacity = table.capacity(slot, taking: content.taken.backwards)
            let other = grid.coordinate(slot)
            var distances = Distances()
            for dimension in 0..<3 {
                let difference = other[dimension] - coordinate[dimension]
                distances[dimension] = difference * grid.strides[dimension]
            }
            let isApart = (0..<3).allSatisfy { group >> $0 & 1 == 0 || distances[$0] != 0 }
            if !isApart { continue }
            insert(
                Partner(distances: distances, cost: 0, capacity: min(maxAmount, capacity)),
                number,
                shape,
                content,
                limit: limit,
                table
            )
        }
    }

    /// Keeps a limited number of partners, ordered by information loss.
    private mutating func insert(
        _ taker: Partner,
        _ number: Int,
        _ shape: AdjustmentPattern,
        _ content: CellAdjustment,
        limit: Int,
        _ table: AlternativeTable
    ) {
        var cost = 0
        for corner in shape.near[number] {
            cost += table.price(base + corner.distance(taker.distances, rollUps), content.shown)
        }
        var position = partners[number].count
        while position > 0 {
            let other = partners[number][position - 1]
            let (left, right) = (cost * Int(other.capacity), other.cost * Int(taker.capacity))
            if left > right || left == right && taker.capacity <= other.capacity { break }
            position -= 1
        }
        if position >= limit { return }
        partners[number].insert(
            Partner(distances: taker.distances, cost: cost, capacity: taker.capacity),
            at: position
        )
        if partners[number].count > limit { partners[number].removeLast() }
    }
}
