/// The true numbers beside a table that agrees with them wherever a number is shown.
///
/// Steps change the second table alone. What has come to differ is forgotten again, and hidden
/// where the second table is needed.
struct SecondTable {
    /// By how much a count differs from the true one.
    struct Change {
        let place: Int
        let amount: Int64
    }

    let grid: CellGrid
    /// The true counts by place.
    let counts: [Int64]
    private(set) var isHidden: [Bool]
    /// The second table's counts.
    private(set) var values: [Int64]
    /// For each slot, the atoms that can be taken from it, as bits: what a search looks at most.
    private var givable: [UInt32]
    /// What no step takes, by place.
    private var stays: [Int64]
    private let stayingTrips: [Int64]
    private let costs: CellCosts
    /// The places in finest cells from which trips with a known cost can be taken.
    private let payers: [Int]
    /// Whether more stays than ``stayingTrips``.
    private var keepsCosts = false
    /// What hiding a count would lose, by place; 0 where it is hidden or differs already.
    private var prices: [Int]
    /// The places that steps changed, each once.
    private var touched: [Int] = []
    private var isTouched: [Bool]
    private let weights: [Int]

    /// Weights of a finest cell, a total over one dimension, over two, and the grand total.
    ///
    /// So far apart that a coarser total is hidden only where it takes the place of some dozens of
    /// finer numbers.
    private static let levelWeights = [1, 256, 65_536, 16_777_216]

    /// What it costs at least to hide a total over two dimensions: a month's, a region's.
    static let totalCost = levelWeights[2]

    /// What it costs at least to hide such a total of trips, or of one class of them.
    static let headlineCost = 24 * levelWeights[2]

    /// Begins with a table that agrees in everything.
    ///
    /// - Parameters:
    ///   - grid: The box of all cells.
    ///   - counts: The true counts by place.
    ///   - isHidden: What is hidden from the start.
    ///   - leastTrips: For each dimension and value, how many trips a reader knows it to have.
    ///   - costs: What the trips cost.
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
        let stays = StayingTrips(grid, counts: counts, leastTrips: leastTrips).places
        (self.stays, stayingTrips, self.costs) = (stays, stays, costs)
        payers = grid.finestSlots(within: grid.slotCount - 1).flatMap { slot in
            CellCounts.costedAtoms.map { slot * CellCounts.size + $0 }
        }.filter { counts[$0] > stays[$0] }
        givable = (0..<grid.slotCount).map { slot in
            (0..<CellCounts.size).reduce(UInt32(0)) { bits, count in
                let place = slot * CellCounts.size + count
                return counts[place] > stays[place] ? bits | 1 << count : bits
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

    /// All that differs.
    var changes: [Change] {
        touched.compactMap { place in
            let amount = values[place] - counts[place]
            return amount == 0 ? nil : Change(place: place, amount: amount)
        }
    }

    /// What hiding all that differs would lose, weighed.
    func cost(_ changes: [Change]) -> Int {
        changes.reduce(0) { isHidden[$1.place] ? $0 : $0 + weights[$1.place] }
    }

    /// How often a change can be made in a finest cell; `.max` where it takes nothing.
    ///
    /// What ``StayingTrips`` says must stay is not taken.
    func capacity(_ slot: Int, taking atoms: [Int]) -> Int64 {
        var least = Int64.max
        for atom in atoms {
            let place = slot * CellCounts.size + atom
            least = min(least, values[place] - stays[place])
        }
        return least
    }

    /// Lets no more trips be taken from a cell than can take along what the cost of a count has to
    /// change by, where that cost is not to be known either.
    mutating func keepCosts(for place: Int, by need: Int64) {
        keepsCosts = true
        for payer in payers {
            let takeable = costs.takeable(payer, for: place, by: need)
            stays[payer] = max(stayingTrips[payer], counts[payer] - takeable)
            note(payer)
        }
    }

    /// Whether a change can be made in a finest cell at all.
    func canGive(_ slot: Int, _ atoms: UInt32) -> Bool { givable[slot] & atoms == atoms }

    /// What changing some counts of a cell would newly hide, weighed.
    func price(_ slot: Int, _ shown: [Int]) -> Int {
        // By index: without optimization, as in tests, an iterator takes a quarter of all the time.
        var (price, index) = (0, 0)
        while index < shown.count {
            price += prices[slot * CellCounts.size + shown[index]]
            index += 1
        }
        return price
    }

    /// Changes the second table in a step's cells and in every total above them.
    mutating func apply(_ step: MoveStep) {
        for cell in step.cells {
            for rollUp in grid.rollUps(cell.slot) {
                for change in step.content.steps {
                    let place = (cell.slot + rollUp) * CellCounts.size + change.count
                    if !isTouched[place] { touched.append(place) }
                    isTouched[place] = true
                    values[place] += Int64(cell.sign * change.sign) * step.amount
                    note(place)
                    let isFree = isHidden[place] || values[place] != counts[place]
                    prices[place] = isFree ? 0 : weights[place]
                }
            }
        }
    }

    private mutating func note(_ place: Int) {
        let (slot, bit) = (place / CellCounts.size, UInt32(1) << (place % CellCounts.size))
        if values[place] > stays[place] { givable[slot] |= bit } else { givable[slot] &= ~bit }
    }

    /// Brings the two tables to agree again.
    mutating func forget() {
        for place in touched {
            isTouched[place] = false
            values[place] = counts[place]
            note(place)
            prices[place] = isHidden[place] ? 0 : weights[place]
        }
        touched.removeAll(keepingCapacity: true)
        if keepsCosts { letCostsGo() }
    }

    private mutating func letCostsGo() {
        keepsCosts = false
        for payer in payers {
            stays[payer] = stayingTrips[payer]
            note(payer)
        }
    }

    /// Hides what has to be hidden for a second table to stay possible.
    mutating func hide(_ changes: [Change]) {
        for change in changes {
            isHidden[change.place] = true
            prices[change.place] = 0
        }
    }
}
