/// Which cells are tried to make a change good.
extension StepSearch {
    /// Partners tried for each dimension where they must be combined: more hid little less.
    private static let partnerLimit = 4
    /// The same for dimensions swapped together, of which there are many more.
    private static let jointPartnerLimit = 12

    /// The cells that differ from the base in one dimension and can take the opposite change.
    mutating func findTakers(
        _ dimension: Int,
        _ content: ContentMove,
        _ room: Int64,
        _ table: SecondTable
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
                Partner(distances: distances, cost: 0, capacity: min(room, capacity))
            )
        }
    }

    /// The cells that can take the opposite change, the cheapest of them.
    mutating func findPartners(
        _ number: Int,
        _ shape: MoveShape,
        _ content: ContentMove,
        _ room: Int64,
        _ table: SecondTable
    ) {
        let group = shape.groups[number]
        let isJoint = group.nonzeroBitCount > 1
        let many = isJoint ? Self.jointPartnerLimit : Self.partnerLimit
        // Nothing is combined where there is one group: the cheapest is the answer.
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
                Partner(distances: distances, cost: 0, capacity: min(room, capacity)),
                number,
                shape,
                content,
                limit: limit,
                table
            )
        }
    }

    /// Keeps the partners in order, cheapest first, and few.
    private mutating func insert(
        _ taker: Partner,
        _ number: Int,
        _ shape: MoveShape,
        _ content: ContentMove,
        limit: Int,
        _ table: SecondTable
    ) {
        var cost = 0
        for corner in shape.near[number] {
            cost += table.price(base + corner.distance(taker.distances, rollUps), content.shown)
        }
        var place = partners[number].count
        while place > 0 {
            let other = partners[number][place - 1]
            let (left, right) = (cost * Int(other.capacity), other.cost * Int(taker.capacity))
            if left > right || left == right && taker.capacity <= other.capacity { break }
            place -= 1
        }
        if place >= limit { return }
        partners[number].insert(
            Partner(distances: taker.distances, cost: cost, capacity: taker.capacity),
            at: place
        )
        if partners[number].count > limit { partners[number].removeLast() }
    }
}
