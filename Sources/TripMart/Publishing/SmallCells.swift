import TripDomain

/// Decides which numbers of the cube are hidden, so that no small count can be worked out.
///
/// A count of 1 to *k* - 1 trips is *small*. Hiding small counts is not enough: a total minus what
/// is visible gives them back. For every small count of value *v* this type therefore finds a
/// *move*: a second table that agrees with every visible number and with every sum, in which the
/// count is greater. All that the move touches is hidden. Whoever sees the published table cannot
/// tell the two apart, whatever he adds, subtracts or solves. Where it can be had at a fair price,
/// the second table has *k* or more, so that not even the smallness of the count is certain.
///
/// A move is a product of four simple ones, one per dimension and one within the cell:
///
///     month      2026-01 +   2026-02 -          (a swap: the total stays)
///     trip type  BLS     +   all     +          (a lift: the total moves along)
///     region     08      +   10      -
///     content    in-house with known cost +  contracted with known cost -
///
/// Each factor keeps "all = sum of the values" true in its dimension, hence so does the product.
/// Where the product is negative, the true counts must be large enough to give the difference away.
/// Lifting in every dimension is always possible, so that a move is always found; the search takes
/// the one that hides least. `docs/decisions/0006-small-cells.md` has the argument in full.
struct SmallCells {
    /// The least count that may be shown; 0 and 1 hide nothing.
    let threshold: Int64
    private let grid: CellGrid
    private let counts: [Int64]
    private var isHidden: [Bool]

    /// Swap partners tried in each dimension: more hid little less and took much longer.
    private static let partnerLimit = 3

    /// How much more may be hidden for a move that reaches *k* than for one that raises the count
    /// by one.
    ///
    /// Where no such move comes near, large totals would be lost for it.
    private static let priceOfWidth = 4

    /// Decides for a whole cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - threshold: The least count that may be shown.
    /// - Complexity: O(*s*) in the small counts, with some thousand steps for each.
    init(_ cube: [KPICell], threshold: Int) {
        self.threshold = Int64(threshold)
        grid = CellGrid(cube)
        counts = cube.flatMap { CellCounts.values($0.sums) }
        isHidden = counts.map { $0 > 0 && $0 < threshold }
        for place in counts.indices where counts[place] > 0 && counts[place] < threshold {
            protect(cell: place / CellCounts.size, count: place % CellCounts.size)
        }
        strengthenLines()
    }

    /// Whether one count of one cell is hidden; also for counts that are never shown as such.
    func isHidden(cell: Int, count: Int) -> Bool {
        isHidden[cell * CellCounts.size + count]
    }

    /// Finds the move that hides least, and hides all it touches.
    private mutating func protect(cell: Int, count: Int) {
        let wide = move(cell, count, need: threshold - counts[cell * CellCounts.size + count])
        if wide.cost == 0 { return }
        let narrow = move(cell, count, need: 1)
        hide(wide.cost <= Self.priceOfWidth * narrow.cost ? wide : narrow)
    }

    /// Sees to it that no sum of hidden numbers is itself small: where a visible total less its
    /// visible parts leaves 1 to *k* - 1, a hidden part gets a move that reaches *k*, whatever it
    /// costs.
    ///
    /// Such a move brings another hidden part into each of its sums, or hides the total, so that
    /// every round mends what it looks at, and the rounds end.
    private mutating func strengthenLines() {
        while true {
            var isChanged = false
            for line in grid.lines() + CellCounts.lines(cellCount: grid.coordinates.count) {
                guard let place = weakPart(line) else { continue }
                let (cell, count) = (place / CellCounts.size, place % CellCounts.size)
                hide(move(cell, count, need: max(1, threshold - counts[place])))
                isChanged = true
            }
            if !isChanged { return }
        }
    }

    /// A hidden part with trips of a line whose hidden parts add up to a small number.
    private func weakPart(_ line: CellLine) -> Int? {
        if isHidden[line.total] { return nil }
        var sum: Int64 = 0
        var part: Int?
        for place in line.parts where isHidden[place] {
            sum += counts[place]
            if part == nil, counts[place] > 0 { part = place }
        }
        return sum > 0 && sum < threshold ? part : nil
    }

    private mutating func hide(_ move: Move) {
        for cell in move.cells {
            for step in move.content.steps {
                isHidden[cell.index * CellCounts.size + step.count] = true
            }
        }
    }

    /// The cheapest move that raises a count by a number.
    private func move(_ cell: Int, _ count: Int, need: Int64) -> Move {
        let factors = (0..<3).map { dimension in
            self.factors(cell: cell, dimension: dimension, count: count, need: need)
        }
        var best: Move?
        for month in factors[0] {
            for type in factors[1] {
                for region in factors[2] {
                    guard let cells = grid.product(cell, [month, type, region]) else { continue }
                    improve(&best, cells, count: count, need: need)
                    if let best, best.cost == 0 { return best }
                }
            }
        }
        if best == nil, let cells = grid.product(cell, grid.liftPartners(cell)) {
            improve(&best, cells, count: count, need: need)
        }
        guard let best else {
            preconditionFailure("a cube has all eight groupings, so that every lift is possible")
        }
        return best
    }

    /// A move that was found, and what it newly hides.
    private struct Move {
        let cost: Int
        let cells: [SignedCell]
        let content: ContentMove
    }

    /// Takes the cheapest change within the given cells, if it beats the best so far.
    private func improve(_ best: inout Move?, _ cells: [SignedCell], count: Int, need: Int64) {
        for content in ContentMove.raising[count] {
            let limit = best?.cost ?? Int.max
            if let cost = cost(cells, content, need: need, limit: limit) {
                best = Move(cost: cost, cells: cells, content: content)
            }
        }
    }

    /// What a move newly hides, weighed; nil where it is impossible or not below the limit.
    private func cost(
        _ cells: [SignedCell],
        _ content: ContentMove,
        need: Int64,
        limit: Int
    ) -> Int? {
        var cost = 0
        for cell in cells {
            for step in content.steps {
                let place = cell.index * CellCounts.size + step.count
                // A row that is there has trips: a move must leave it at least one.
                let least = need + (step.count == CellCounts.trips ? 1 : 0)
                if cell.sign * step.sign < 0, counts[place] < least { return nil }
                if !isHidden[place] {
                    cost += weight(cell.index, step.count)
                    if cost >= limit { return nil }
                }
            }
        }
        return cost < limit ? cost : nil
    }

    /// What hiding a number is worth avoiding: totals more than parts, large ones more than small.
    private func weight(_ cell: Int, _ count: Int) -> Int {
        let shown = CellCounts.weights[count]
        if shown == 0 { return 0 }
        let value = counts[cell * CellCounts.size + count]
        let size = Int64.bitWidth - value.leadingZeroBitCount
        return shown * (4 + size) * (1 + 3 * grid.rolledUpCount(cell))
    }

    /// The factors of one dimension worth trying: the lift, and swaps with cells that have enough
    /// to give away, those already hidden first.
    private func factors(cell: Int, dimension: Int, count: Int, need: Int64) -> [Int] {
        let coordinate = grid.coordinates[cell][dimension]
        let all = grid.sizes[dimension]
        if coordinate == all {
            // A total can only be lifted along with one of its parts.
            let parts = (0..<all).filter { grid.cell(cell, dimension, $0) != nil }
            return Array(
                parts.sorted { rank(cell, dimension, $0, count) < rank(cell, dimension, $1, count) }
                    .prefix(Self.partnerLimit)
            )
        }
        let partners = (0..<all).filter { other in
            guard other != coordinate, let index = grid.cell(cell, dimension, other) else {
                return false
            }
            return counts[index * CellCounts.size + count] >= need
        }
        let best = partners.sorted {
            rank(cell, dimension, $0, count) < rank(cell, dimension, $1, count)
        }
        return best.prefix(Self.partnerLimit) + [all]
    }

    private func rank(
        _ cell: Int,
        _ dimension: Int,
        _ value: Int,
        _ count: Int
    ) -> (Int, Int64, Int) {
        guard let index = grid.cell(cell, dimension, value) else { return (2, 0, value) }
        let place = index * CellCounts.size + count
        return (isHidden[place] ? 0 : 1, counts[place], value)
    }
}
