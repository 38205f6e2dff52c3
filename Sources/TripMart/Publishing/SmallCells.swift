import TripDomain

/// Decides which numbers of the cube are hidden, so that no small count can be worked out.
///
/// A count of 1 to *k* - 1 trips is *small*. Hiding small counts is not enough: a total minus what
/// is visible gives them back. For every small count this type therefore finds a *second table*:
/// one that agrees with every visible number and with every sum, has no negative count, and has a
/// greater number in the place of the small one. All that differs is hidden. Whoever sees the
/// published table cannot tell the two apart, whatever he adds, subtracts or solves. Where it can
/// be had at a fair price, the second table has *k* or more, so that not even the smallness of the
/// count is certain. Where the trips of the small count cost something, their cost has to be open as
/// well (``CellCosts``).
///
/// A second table is made in steps (``MoveStep``), each of which keeps every sum true, and each the
/// one that newly hides least. What is finest is hidden first; the totals that readers look at
/// first are hidden last: where they are small themselves, or where nothing else would do.
/// `docs/decisions/0006-small-cells.md` has the argument in full, 0035 that of costs.
struct SmallCells {
    /// The least count that may be shown; 0 and 1 hide nothing.
    let threshold: Int64
    let grid: CellGrid
    private var table: SecondTable
    private var search = StepSearch()
    private let costs: CellCosts
    /// The places that a second table found before raises already: one is enough.
    private var isRaised: [Bool]
    /// The small counts whose costs no second table has left open so far.
    private var hasKnownCost: [Bool]

    private typealias Plan = (cost: Int, changes: [SecondTable.Change])

    /// How much more may be hidden for a second table that reaches *k* than for one that raises
    /// the count by one; of totals it may hide no more at all.
    private static let priceOfWidth = 4

    /// Decides for a whole cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - threshold: The least count that may be shown.
    ///   - standingForMany: For type and region, a value that stands for many, and for how many.
    /// - Complexity: O(*s*²) for *s* slots: one search, O(*s*) at most, for each small count that no
    ///   earlier second table raises. 19 × 12 × 20 slots take half a second, 20,000 some seconds;
    ///   ``BoundedCube`` sees to it that there are no more.
    init(
        _ cube: [KPICell],
        threshold: Int,
        standingForMany: [(value: String?, count: Int)] = []
    ) {
        self.threshold = Int64(threshold)
        grid = CellGrid(cube)
        let counts = grid.counts(cube)
        let isSmall = counts.map { $0 > 0 && $0 < threshold }
        // Whatever is listed has a trip, as the reader knows.
        var leastTrips = grid.values.map { $0.map { _ in Int64(1) } }
        for (dimension, many) in zip(1..., standingForMany) {
            guard let place = grid.values[dimension].firstIndex(where: { $0 == many.value }) else {
                continue
            }
            leastTrips[dimension][place] = Int64(many.count)
        }
        let costs = CellCosts(cube, grid)
        self.costs = costs
        table = SecondTable(
            grid,
            counts: counts,
            isHidden: isSmall,
            leastTrips: leastTrips,
            costs: costs
        )
        isRaised = counts.map { _ in false }
        hasKnownCost = counts.indices.map { isSmall[$0] && costs.isPaid($0) }
        var small: [[Int]] = [[], [], [], []]
        for place in counts.indices where isSmall[place] {
            small[grid.rolledUpCount(place / CellCounts.size)].append(place)
        }
        // Totals first: what they need hidden cannot be avoided, and serves the details below.
        for places in small.reversed() {
            for place in places where !isRaised[place] || hasKnownCost[place] { protect(place) }
        }
        if isSmall.contains(true) { strengthenLines() }
    }

    /// Whether one count of one cell is hidden; also for counts that are never shown as such.
    func isHidden(slot: Int, count: Int) -> Bool {
        table.isHidden[slot * CellCounts.size + count]
    }

    /// Finds the second table that hides least, and hides all that differs.
    private mutating func protect(_ place: Int) {
        guard let narrow = plan(place, by: 1, limit: .max) else {
            preconditionFailure("without a limit there is always a plan")
        }
        guard narrow.cost > 0 else { return accept(narrow) }
        let level = SecondTable.totalCost
        let limit = min(narrow.cost * Self.priceOfWidth, (narrow.cost / level + 1) * level - 1)
        let wide = plan([], place, by: threshold - table.counts[place], limit: limit)
        accept(wide ?? narrow)
    }

    private mutating func accept(_ plan: Plan) {
        table.hide(plan.changes)
        for change in plan.changes where change.amount > 0 { isRaised[change.place] = true }
        for place in costs.open(plan.changes) { hasKnownCost[place] = false }
    }

    /// The cheapest way found to raise a count; nil where all cost more than the limit.
    ///
    /// Where a total would be lost, detours are tried as well. A cell whose only trip is
    /// undetermined cannot get a second one where undetermined trips are rare; but it can get an
    /// in-house trip, whose class then changes with that of a trip elsewhere.
    private mutating func plan(_ place: Int, by need: Int64, limit: Int) -> Plan? {
        var best = plan([], place, by: need, limit: limit)
        let slot = place / CellCounts.size
        for lifting in [true, false] {
            for atom in CellCounts.classAtoms {
                if best?.cost ?? limit < SecondTable.headlineCost { return best }
                let stop = slot * CellCounts.size + atom
                if stop == place { continue }
                let detour = plan(
                    [(stop, lifting)],
                    place,
                    by: need,
                    limit: min(limit, (best?.cost ?? .max) - 1)
                )
                if let detour { best = detour }
            }
        }
        return best
    }

    /// Raises some counts one after the other, the last being the one in question.
    private mutating func plan(
        _ stops: [(place: Int, lifting: Bool)],
        _ place: Int,
        by need: Int64,
        limit: Int
    ) -> Plan? {
        defer { table.forget() }
        if hasKnownCost[place] { table.keepCosts(for: place, by: need) }
        for stop in stops + [(place, false)] {
            if !raise(stop.place, by: need, lifting: stop.lifting, limit: limit) { return nil }
        }
        // What was brought to a stop may have been taken from the very count in question.
        if table.values[place] - table.counts[place] < need { return nil }
        let changes = table.changes
        let cost = table.cost(changes)
        return cost > limit ? nil : (cost, changes)
    }

    /// Raises a count in the second table; false where that costs more than the limit.
    private mutating func raise(
        _ place: Int,
        by need: Int64,
        lifting: Bool,
        limit: Int
    ) -> Bool {
        var (rest, cost) = (need, 0)
        while rest > 0 {
            let step = search.cheapest(raising: place, by: rest, lifting: lifting, in: table)
            table.apply(step)
            rest -= step.amount
            cost += step.cost
            if cost > limit { return false }
        }
        return true
    }

    /// Sees to it that no sum of hidden numbers is itself small: where a visible total less its
    /// visible parts leaves 1 to *k* - 1, a hidden part is raised to *k*, whatever it costs.
    ///
    /// That brings another hidden part into the sum, or hides the total, so that every round mends
    /// what it looks at, and the rounds end.
    private mutating func strengthenLines() {
        let lines = grid.lines() + CellCounts.lines(slotCount: grid.slotCount)
        var isChanged = true
        while isChanged {
            isChanged = false
            for line in lines where isWeak(line) {
                var best: Plan?
                for part in line.parts where table.isHidden[part] && table.counts[part] > 0 {
                    let need = threshold - table.counts[part]
                    let limit = (best?.cost ?? .max) - 1
                    if let plan = plan(part, by: need, limit: limit) { best = plan }
                }
                if let best { accept(best) }
                isChanged = true
            }
        }
    }

    /// Whether the hidden parts of a visible total add up to a small number.
    private func isWeak(_ line: CellLine) -> Bool {
        if table.isHidden[line.total] { return false }
        var sum: Int64 = 0
        for distance in line.distances where table.isHidden[line.start + distance] {
            sum += table.counts[line.start + distance]
        }
        return sum > 0 && sum < threshold
    }
}
