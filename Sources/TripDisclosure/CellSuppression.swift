import TripDomain

/// Cell suppression for the cube, a frequency table: decides which numbers are hidden, so that no
/// small count can be derived.
///
/// A count of 1 to *k* - 1 trips is *small*. Hiding small counts is not enough: a total minus what
/// is visible gives them back. For every small count this type therefore finds a *second table*:
/// one that agrees with every visible number and with every sum, has no negative count, and has a
/// greater number in the place of the small one. All that differs is hidden. A reader who sees the
/// published table cannot tell the two apart, whatever he adds, subtracts or solves. Where it can
/// be had at a fair price, the second table has *k* or more, so that not even the smallness of the
/// count is certain. Where the trips of the small count cost something, their cost has to be open
/// as well (``CellCosts``).
///
/// A second table is made in steps (``TableAdjustment``), each of which keeps every sum true, and
/// each the one that newly hides least. What is finest is hidden first; the totals that readers
/// look at first are hidden last: where they are small themselves, or where nothing else would do.
/// `docs/decisions/0027-small-counts-cannot-be-derived.md` has the argument in full.
struct CellSuppression {
    /// The smallest count that may be shown; 0 and 1 hide nothing.
    let threshold: Int64
    let grid: CellGrid
    private var table: AlternativeTable
    private var search = AdjustmentSearch()
    private let costs: CellCosts
    /// The positions that an earlier alternative table already raises: one is enough.
    private var isRaised: [Bool]
    /// The small counts whose costs no alternative table has protected so far.
    private var hasKnownCost: [Bool]

    private typealias Plan = (cost: Int, changes: [AlternativeTable.Change])

    /// The factor by which the information loss of an alternative table that reaches *k* may exceed
    /// that of one that raises the count by one; it may not hide more totals.
    private static let priceOfWidth = 4

    /// Computes the suppressions of a whole cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - threshold: The smallest count that may be shown.
    ///   - combinedValues: For type and region, a combined value, and the number of its members.
    /// - Complexity: O(*s*²) for *s* slots: one search, O(*s*) at most, for each small count that
    ///   no earlier alternative table raises. 19 × 12 × 20 slots take half a second, 20,000 some
    ///   seconds; ``RecodedCube`` limits their number.
    init(
        _ cube: [KPICell],
        threshold: Int,
        combinedValues: [(value: String?, count: Int)] = []
    ) {
        self.threshold = Int64(threshold)
        grid = CellGrid(cube)
        let counts = grid.counts(cube)
        let isSmall = counts.map { $0 > 0 && $0 < threshold }
        // Readers know that every listed value has a trip.
        var leastTrips = grid.values.map { $0.map { _ in Int64(1) } }
        for (dimension, many) in zip(1..., combinedValues) {
            guard let value = grid.values[dimension].firstIndex(where: { $0 == many.value }) else {
                continue
            }
            leastTrips[dimension][value] = Int64(many.count)
        }
        let costs = CellCosts(cube, grid)
        self.costs = costs
        table = AlternativeTable(
            grid,
            counts: counts,
            isHidden: isSmall,
            leastTrips: leastTrips,
            costs: costs
        )
        isRaised = counts.map { _ in false }
        hasKnownCost = counts.indices.map { isSmall[$0] && costs.isPaid($0) }
        var small: [[Int]] = [[], [], [], []]
        for position in counts.indices where isSmall[position] {
            small[grid.rolledUpCount(position / CellCounts.size)].append(position)
        }
        // Totals first: their suppressions cannot be avoided, and also protect the details below
        // them.
        for positions in small.reversed() {
            for position in positions where !isRaised[position] || hasKnownCost[position] {
                protect(position)
            }
        }
        if isSmall.contains(true) { strengthenLines() }
    }

    /// Whether one count of one cell is hidden; also for counts that no column shows.
    func isHidden(slot: Int, count: Int) -> Bool {
        table.isHidden[slot * CellCounts.size + count]
    }

    /// Finds the alternative table with the least information loss, and hides all differences.
    private mutating func protect(_ position: Int) {
        guard let narrow = plan(position, by: 1, limit: .max) else {
            preconditionFailure("without a limit there is always a plan")
        }
        guard narrow.cost > 0 else { return accept(narrow) }
        let level = AlternativeTable.totalCost
        let limit = min(narrow.cost * Self.priceOfWidth, (narrow.cost / level + 1) * level - 1)
        let wide = plan([], position, by: threshold - table.counts[position], limit: limit)
        accept(wide ?? narrow)
    }

    private mutating func accept(_ plan: Plan) {
        table.hide(plan.changes)
        for change in plan.changes where change.amount > 0 { isRaised[change.position] = true }
        for position in costs.open(plan.changes) { hasKnownCost[position] = false }
    }

    /// The best way found to raise a count; nil where all exceed the limit of information loss.
    ///
    /// Where a total would be lost, detours are tried as well. A cell whose only trip is
    /// undetermined cannot get a second one where undetermined trips are rare; but it can get an
    /// in-house trip, whose class then changes with that of a trip elsewhere.
    private mutating func plan(_ position: Int, by need: Int64, limit: Int) -> Plan? {
        var best = plan([], position, by: need, limit: limit)
        let slot = position / CellCounts.size
        for lifting in [true, false] {
            for atom in CellCounts.classAtoms {
                if best?.cost ?? limit < AlternativeTable.headlineCost { return best }
                let stop = slot * CellCounts.size + atom
                if stop == position { continue }
                let detour = plan(
                    [(stop, lifting)],
                    position,
                    by: need,
                    limit: min(limit, (best?.cost ?? .max) - 1)
                )
                if let detour { best = detour }
            }
        }
        return best
    }

    /// Raises some counts one after the other; the last one is the small count.
    private mutating func plan(
        _ stops: [(position: Int, lifting: Bool)],
        _ position: Int,
        by need: Int64,
        limit: Int
    ) -> Plan? {
        defer { table.forget() }
        if hasKnownCost[position] { table.keepCosts(for: position, by: need) }
        for stop in stops + [(position, false)] {
            if !raise(stop.position, by: need, lifting: stop.lifting, limit: limit) { return nil }
        }
        // The trips that were moved to a stop may have been taken from the small count itself.
        if table.values[position] - table.counts[position] < need { return nil }
        let changes = table.changes
        let cost = table.cost(changes)
        return cost > limit ? nil : (cost, changes)
    }

    /// Raises a count in the alternative table; false where that exceeds the limit.
    private mutating func raise(
        _ position: Int,
        by need: Int64,
        lifting: Bool,
        limit: Int
    ) -> Bool {
        var (rest, cost) = (need, 0)
        while rest > 0 {
            let step = search.cheapest(raising: position, by: rest, lifting: lifting, in: table)
            table.apply(step)
            rest -= step.amount
            cost += step.cost
            if cost > limit { return false }
        }
        return true
    }

    /// Ensures that no sum of hidden numbers is itself small: where a visible total minus its
    /// visible parts leaves 1 to *k* - 1, a hidden part is raised to *k*, at any information loss.
    ///
    /// That adds another hidden part to the sum, or hides the total, so that every round repairs
    /// the lines that it checks, and the rounds end.
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
