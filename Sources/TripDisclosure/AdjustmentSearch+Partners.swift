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
