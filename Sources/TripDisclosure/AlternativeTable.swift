/// The true table, and an alternative table that agrees with it in every shown number.
///
/// Steps change the alternative table alone. The differences are either discarded, or suppressed
/// where the alternative table is needed.
struct AlternativeTable {
    /// The difference of a count from the true one.
    struct Change {
        let position: Int
        let amount: Int64
    }

    let grid: CellGrid
    /// The true counts by position.
    let counts: [Int64]
    private(set) var isHidden: [Bool]
    /// The alternative table's counts.
    private(set) var values: [Int64]
    /// For each slot, the atoms that can be taken from it, as bits: the data that a search reads
    /// most.
    private var givable: [UInt32]
    /// The number of trips that no step takes, by position.
    private var stays: [Int64]
    private let knownLowerBounds: [Int64]
    private let costs: CellCosts
    /// The positions in finest cells from which trips with a known cost can be taken.
    private let payers: [Int]
    /// Whether `stays` is currently larger than `knownLowerBounds`, to protect costs.
    private var keepsCosts = false
    /// The information loss of suppressing a count, by position; 0 where it is suppressed or
    /// differs already.
    private var prices: [Int]
    /// The positions that steps changed, each once.
    private var touched: [Int] = []
    private var isTouched: [Bool]
    private let weights: [Int]

    /// The weights of a finest cell, a total over one dimension, over two, and the grand total.
    ///
    /// They are so far apart that a coarser total is suppressed only where it replaces some dozens
    /// of finer numbers.
    private static let levelWeights = [1, 256, 65_536, 16_777_216]

    /// The minimum loss of suppressing a total over two dimensions: a month's, a region's.
    static let totalCost = levelWeights[2]

    /// The minimum loss of suppressing such a total of trips, or of one class of them.
    static let headlineCost = 24 * levelWeights[2]

    /// Creates an alternative table that equals the true one.
    ///
    /// - Parameters:
    ///   - grid: The grid of all cells.
    ///   - counts: The true counts by position.
    ///   - isHidden: The primary suppressions.
    ///   - leastTrips: For each dimension and value, the number of trips that a reader knows it to
    ///     have.
    ///   - costs: The costs of the trips.
    init(
        _ grid: CellGrid,
        counts: [Int64],
        isHidden: [Bool],
        leastTrips: [[Int64]],
        costs: CellCosts
    ) {
        self.grid = grid
        self.counts = counts
        self.isHidden = isHidden
        values = counts
        isTouched = counts.map { _ in false }
        let stays = KnownLowerBounds(grid, counts: counts, leastTrips: leastTrips).leastCounts
        (self.stays, knownLowerBounds, self.costs) = (stays, stays, costs)
        payers = grid.finestSlots(within: grid.slotCount - 1).flatMap { slot in
            CellCounts.costedAtoms.map { slot * CellCounts.size + $0 }
        }.filter { counts[$0] > stays[$0] }
        givable = (0..<grid.slotCount).map { slot in
            (0..<CellCounts.size).reduce(UInt32(0)) { bits, count in
                let position = slot * CellCounts.size + count
                return counts[position] > stays[position] ? bits | 1 << count : bits
            }
        }
        weights = (0..<grid.slotCount).flatMap { slot in
            let level = Self.levelWeights[grid.rolledUpCount(slot)]
            return (0..<CellCounts.size).map { count in
                let value = counts[slot * CellCounts.size + count]
                let bits = Int64.bitWidth - value.leadingZeroBitCount
                return CellCounts.weights[count] * (4 + bits) * level
            }
        }
        prices = zip(weights, isHidden).map { $1 ? 0 : $0 }
    }

    /// All differences.
    var changes: [Change] {
        touched.compactMap { position in
            let amount = values[position] - counts[position]
            return amount == 0 ? nil : Change(position: position, amount: amount)
        }
    }

    /// The weighted information loss of suppressing some differences.
    func cost(_ changes: [Change]) -> Int {
        changes.reduce(0) { isHidden[$1.position] ? $0 : $0 + weights[$1.position] }
    }

    /// The number of times an adjustment can be applied in a finest cell; `.max` where it takes
    /// nothing.
    ///
    /// It does not take the trips that ``KnownLowerBounds`` keeps.
    func capacity(_ slot: Int, taking atoms: [Int]) -> Int64 {
        var least = Int64.max
        for atom in atoms {
            let position = slot * CellCounts.size + atom
            least = min(least, values[position] - stays[position])
        }
        return least
    }

    /// Limits the trips that can be taken from a cell, so that their cost can change the cost of a
    /// count enough to protect it.
    mutating func keepCosts(for position: Int, by need: Int64) {
        keepsCosts = true
        for payer in payers {
            let takeable = costs.takeable(payer, for: position, by: need)
            stays[payer] = max(knownLowerBounds[payer], counts[payer] - takeable)
            note(payer)
        }
    }

    /// Whether an adjustment can be applied in a finest cell at all.
    func canGive(_ slot: Int, _ atoms: UInt32) -> Bool { givable[slot] & atoms == atoms }

    /// The weighted information loss of changing some counts of a cell.
    func price(_ slot: Int, _ shown: [Int]) -> Int {
        // A loop by index: without optimization, as in tests, an iterator takes a quarter of the
        // whole time.
        var (price, index) = (0, 0)
        while index < shown.count {
            price += prices[slot * CellCounts.size + shown[index]]
            index += 1
        }
        return price
    }

    /// Applies a step to the alternative table, in its cells and in every total above them.
    mutating func apply(_ step: TableAdjustment) {
        for cell in step.cells {
            for rollUp in grid.rollUps(cell.slot) {
                for change in step.content.steps {
                    let position = (cell.slot + rollUp) * CellCounts.size + change.count
                    if !isTouched[position] { touched.append(position) }
                    isTouched[position] = true
                    values[position] += Int64(cell.sign * change.sign) * step.amount
                    note(position)
                    let isFree = isHidden[position] || values[position] != counts[position]
                    prices[position] = isFree ? 0 : weights[position]
                }
            }
        }
    }

    private mutating func note(_ position: Int) {
        let (slot, bit) = (position / CellCounts.size, UInt32(1) << (position % CellCounts.size))
        if values[position] > stays[position] {
            givable[slot] |= bit
        } else {
            givable[slot] &= ~bit
        }
    }

    /// Resets the alternative table to the true one.
    mutating func forget() {
        for position in touched {
            isTouched[position] = false
            values[position] = counts[position]
            note(position)
            prices[position] = isHidden[position] ? 0 : weights[position]
        }
        touched.removeAll(keepingCapacity: true)
        if keepsCosts { releaseCosts() }
    }

    private mutating func releaseCosts() {
        keepsCosts = false
        for payer in payers {
            stays[payer] = knownLowerBounds[payer]
            note(payer)
        }
    }

    /// Suppresses the differences, so that the alternative table is possible.
    mutating func hide(_ changes: [Change]) {
        for change in changes {
            isHidden[change.position] = true
            prices[change.position] = 0
        }
    }
}

/// The trips that every alternative table keeps, because a reader knows of them (lower external
/// bounds).
///
/// Where trips have costs or miles, one of them stays in the finest cell, so that their sum can
/// stay as well. And at least one trip stays of every listed month, type and region, since a value
/// is listed only where it has trips: of eleven regions with eleven trips together, each would have
/// one. A combined value keeps as many trips as it has members.
struct KnownLowerBounds {
    /// By position, the number of trips that stay.
    private(set) var leastCounts: [Int64]

    /// Chooses the trips.
    ///
    /// - Parameters:
    ///   - grid: The grid of all cells.
    ///   - counts: The true counts by position.
    ///   - leastTrips: For each dimension and value, the number of trips that a reader knows it to
    ///     have; it has at least as many.
    /// - Complexity: O(*s* log *s*) for *s* slots.
    init(_ grid: CellGrid, counts: [Int64], leastTrips: [[Int64]]) {
        leastCounts = counts.indices.map {
            counts[$0] > 0 && CellCounts.hasAmount[$0 % CellCounts.size] ? 1 : 0
        }
        for dimension in 0..<3 {
            for value in 0..<grid.all(dimension) {
                let slot =
                    grid.slotCount - 1
                    - (grid.all(dimension) - value) * grid.strides[dimension]
                keep(leastTrips[dimension][value], of: grid.finestSlots(within: slot), counts)
            }
        }
    }

    /// Keeps a number of trips in the finest cells of a value: in the cells that have most.
    private mutating func keep(_ least: Int64, of slots: [Int], _ counts: [Int64]) {
        let atoms = slots.flatMap { slot in
            CellCounts.classAtoms.map { slot * CellCounts.size + $0 }
        }
        var missing = least - atoms.reduce(0) { $0 + leastCounts[$1] }
        guard missing > 0 else { return }
        let order = atoms.filter { counts[$0] > leastCounts[$0] }
            .sorted { (counts[$1], $0) < (counts[$0], $1) }
        for position in order where missing > 0 {
            let added = min(missing, counts[position] - leastCounts[position])
            leastCounts[position] += added
            missing -= added
        }
    }
}
