/// Finds the step that raises a count and newly hides least.
struct StepSearch {
    /// Finest cells of a target that a step may begin in, for each content: more hid little less.
    private static let baseLimit = 12

    /// A cell that can take the opposite change.
    struct Partner {
        let distances: Distances
        let cost: Int
        let capacity: Int64
    }

    // What a search works with; kept so that one search after the other allocates little.
    private var best: MoveStep?
    private var leastCost = Int.max
    private var leastAmount = 1
    private(set) var base = 0
    private(set) var coordinate: [Int] = []
    private(set) var rollUps: [Int] = []
    /// What the content at hand would newly hide at the base and in each total above it.
    private var basePrices: [Int] = []
    /// For each dimension, the cells that differ from the base in it alone.
    var takers: [[Partner]] = [[], [], []]
    /// The dimensions, as bits, whose takers have been looked for.
    var takersKnown = 0
    /// For each group of a shape, the partners tried.
    var partners: [[Partner]] = [[], [], []]

    /// The step that newly hides least for each time the change is made.
    ///
    /// - Parameters:
    ///   - place: The count to raise, of a cell of any grouping.
    ///   - rest: How much it is to be raised; a step may do less.
    ///   - lifting: Whether trips must appear, rather than change.
    ///   - table: Where it is to be raised.
    /// - Returns: The step; there always is one, if only a lift.
    /// - Complexity: O(*c* *k*³) for *c* finest cells in the target and *k* partners tried in each
    ///   dimension; the search ends at the first step that hides nothing new.
    mutating func cheapest(
        raising place: Int,
        by rest: Int64,
        lifting: Bool,
        in table: SecondTable
    ) -> MoveStep {
        let (slot, count) = (place / CellCounts.size, place % CellCounts.size)
        let target = table.grid.coordinate(slot)
        let rolledUp = (0..<3).reduce(0) { target[$1] == table.grid.all($1) ? $0 | 1 << $1 : $0 }
        let contents = lifting ? ContentMove.lifting[count] : ContentMove.raising[count]
        let products = MoveShape.products[rolledUp]
        let bases = table.grid.finestSlots(within: slot)
        (best, leastCost, leastAmount) = (nil, .max, 1)
        // What is simpler is enough where it keeps the totals.
        for turn in contents.inTurn where leastCost >= SecondTable.totalCost {
            for content in turn {
                for slot in cheapest(of: bases, content, table) {
                    settle(slot, content, table)
                    let room = min(rest, table.capacity(slot, taking: content.taken.forwards))
                    for shape in products {
                        tryPartners(shape, content, room, table)
                        if let best, leastCost == 0 { return best }
                    }
                }
            }
        }
        if leastCost >= SecondTable.totalCost {
            tryTogether(contents.all, rolledUp, bases, rest, table)
        }
        guard let best else {
            preconditionFailure("a lift takes nothing from any cell, so that it is possible")
        }
        return best
    }

    /// Goes on to what changes more cells and fewer totals, as some total would be lost.
    private mutating func tryTogether(
        _ contents: [ContentMove],
        _ rolledUp: Int,
        _ bases: [Int],
        _ rest: Int64,
        _ table: SecondTable
    ) {
        let shapes = MoveShape.joint[rolledUp]
        for content in contents {
            guard let room = settleCheapest(bases, content, rest, table) else { continue }
            for shape in shapes { tryPartners(shape, content, room, table) }
            // A loop leaves every total over two dimensions as it is, so that it cannot raise one.
            if rolledUp.nonzeroBitCount < 2, leastCost >= SecondTable.totalCost {
                tryLoops(content, room, table)
            }
        }
    }

    /// The finest cells that can make a change; where there are many, those alone in which it would
    /// newly hide least.
    private func cheapest(
        of bases: [Int],
        _ content: ContentMove,
        _ table: SecondTable
    ) -> [Int] {
        let able = bases.filter { table.canGive($0, content.takenMasks.forwards) }
        if able.count <= Self.baseLimit { return able }
        let ranked = able.map { (slot: $0, price: table.price($0, content.shown)) }
        return ranked.sorted { ($0.price, $0.slot) < ($1.price, $1.slot) }
            .prefix(Self.baseLimit).map(\.slot)
    }

    private mutating func settle(_ slot: Int, _ content: ContentMove, _ table: SecondTable) {
        base = slot
        coordinate = table.grid.coordinate(slot)
        rollUps = table.grid.rollUps(slot)
        basePrices.removeAll(keepingCapacity: true)
        for rollUp in rollUps { basePrices.append(table.price(base + rollUp, content.shown)) }
        takersKnown = 0
    }

    /// Settles on the finest cell that can make a change and has the cheapest totals above it.
    private mutating func settleCheapest(
        _ bases: [Int],
        _ content: ContentMove,
        _ rest: Int64,
        _ table: SecondTable
    ) -> Int64? {
        var least: (slot: Int, cost: Int, room: Int64)?
        for slot in cheapest(of: bases, content, table) {
            let room = min(rest, table.capacity(slot, taking: content.taken.forwards))
            var cost = 0
            for rollUp in table.grid.rollUps(slot).dropLast() {
                cost += table.price(slot + rollUp, content.shown)
            }
            if cost < least?.cost ?? .max { least = (slot, cost, room) }
        }
        guard let least else { return nil }
        settle(least.slot, content, table)
        return least.room
    }

    private mutating func tryPartners(
        _ shape: MoveShape,
        _ content: ContentMove,
        _ room: Int64,
        _ table: SecondTable
    ) {
        var cost = 0
        for corner in shape.fixed { cost += basePrices[corner.rolledUp] }
        if isTooDear(cost, room) { return }
        for group in shape.groups where group.nonzeroBitCount == 1 {
            let dimension = group.trailingZeroBitCount
            if takersKnown & group == 0 { findTakers(dimension, content, room, table) }
            if takers[dimension].isEmpty { return }
        }
        for number in 0..<3 {
            partners[number].removeAll(keepingCapacity: true)
            if number < shape.groups.count {
                findPartners(number, shape, content, room, table)
                if partners[number].isEmpty { return }
            } else {
                partners[number].append(Partner(distances: Distances(), cost: 0, capacity: room))
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

    /// Completes a step by the cells where two groups or more stand at their partner.
    private mutating func combine(
        _ shape: MoveShape,
        _ content: ContentMove,
        _ partner: Partner,
        _ table: SecondTable
    ) {
        var (capacity, cost) = (partner.capacity, partner.cost)
        if isTooDear(cost, capacity) { return }
        for corner in shape.far {
            let slot = base + corner.distance(partner.distances, rollUps)
            if corner.rolledUp == 0 {
                let taken = corner.sign < 0 ? content.taken.backwards : content.taken.forwards
                capacity = min(capacity, table.capacity(slot, taking: taken))
                if capacity < 1 { return }
            }
            cost += table.price(slot, content.shown)
        }
        if isTooDear(cost, capacity) { return }
        let finest = shape.corners.filter { $0.rolledUp == 0 }
        offer(
            MoveStep(
                cells: finest.map { (base + $0.distance(partner.distances, rollUps), $0.sign) },
                content: content,
                amount: capacity,
                cost: cost
            )
        )
    }

    /// Takes a step that is not too dear.
    mutating func offer(_ step: MoveStep) {
        (best, leastCost, leastAmount) = (step, step.cost, Int(step.amount))
    }

    /// Whether it hides no less for each time the change is made than the best so far.
    func isTooDear(_ cost: Int, _ amount: Int64) -> Bool {
        if leastCost == .max { return false }
        let (left, right) = (cost * leastAmount, leastCost * Int(amount))
        return left > right || left == right && amount <= leastAmount
    }
}
