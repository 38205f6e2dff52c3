import TestSupport
import TripDomain

@testable import TripDisclosure

/// Cubes of random trips, sparse enough to have many small cells.
enum RandomCube {
    /// One large region, and others of one trip each, none with a known cost or known miles.
    static func lonely(_ count: Int) -> [KPICell] {
        var cells: [[String]: KPISums] = [:]
        let regions = (0..<60).map { _ in "big" } + (0..<count).map { "r\($0 + 10)" }
        for region in regions {
            add(["m", "t", region], .inHouse, cost: nil, miles: nil, to: &cells)
        }
        return sorted(cells)
    }

    /// A trip type with one trip in one region, which has a cost, and many in another, whose trips
    /// each cost nothing because the region is paid a lump sum.
    static func lumpSum() -> [KPICell] {
        var cells: [[String]: KPISums] = [:]
        for (type, region, cost, trips) in [
            ("rare", "r0", Int64(43_117), 1), ("rare", "r1", 0, 24),
            ("often", "r0", 21_000, 60), ("often", "r1", 0, 70),
            ("other", "r0", 34_000, 40), ("other", "r1", 0, 55),
        ] {
            for _ in 0..<trips {
                add(["m", type, region], .contracted, cost: cost, miles: 10, to: &cells)
            }
        }
        return sorted(cells)
    }

    /// Makes a cube; trips of the types and regions in `free` cost nothing.
    static func make(
        seed: UInt64,
        trips: Int,
        months: Int,
        types: Int,
        regions: Int,
        free: Set<String> = []
    ) -> [KPICell] {
        var generator = SeededDice(seed: seed)
        var cells: [[String]: KPISums] = [:]
        for trip in 0..<trips {
            // Squares make a few values frequent and the others rare, as in real exports.
            func skewed(_ count: Int) -> Int {
                let draw = Int.random(in: 0..<(count * count), using: &generator)
                return (0..<count).first { ($0 + 1) * ($0 + 1) > draw } ?? 0
            }
            let key = ["m\(skewed(months))", "t\(skewed(types))", "r\(skewed(regions))"]
            let tripClass =
                generator.oneIn(12)
                ? TripClass.undetermined : generator.pick([.inHouse, .contracted])
            let paid = free.isDisjoint(with: key) ? 8000 + Int64(trip) * 3701 % 82_000 : 0
            let cost: Int64? = generator.oneIn(4) ? nil : paid
            let miles: Int64? = generator.oneIn(5) ? nil : 10
            add(key, tripClass, cost: cost, miles: miles, to: &cells)
        }
        return sorted(cells)
    }

    /// Adds a trip to its cell and to all totals of it.
    private static func add(
        _ key: [String],
        _ tripClass: TripClass,
        cost: Int64?,
        miles: Int64?,
        to cells: inout [[String]: KPISums]
    ) {
        for mask in 0..<8 {
            var cell = key
            for dimension in 0..<3 where mask >> dimension & 1 == 1 {
                cell[dimension] = KPICell.all
            }
            cells[cell, default: KPISums()].add(tripClass: tripClass, cost: cost, miles: miles)
        }
    }

    private static func sorted(_ cells: [[String]: KPISums]) -> [KPICell] {
        cells.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            KPICell(month: $0.key[0], tripType: $0.key[1], region: $0.key[2], sums: $0.value)
        }
    }

    /// A small cube whose shape and number of trips also come from the seed.
    static func tiny(seed: UInt64, free: Set<String> = []) -> [KPICell] {
        var generator = SeededDice(seed: seed &+ 7_000)
        return make(
            seed: seed,
            trips: Int.random(in: 5...80, using: &generator),
            months: Int.random(in: 2...3, using: &generator),
            types: Int.random(in: 1...2, using: &generator),
            regions: Int.random(in: 1...2, using: &generator),
            free: free
        )
    }
}

/// A published cube as an attacker has it, and the true table to check the result.
struct GuardedCube {
    let grid: CellGrid
    let counts: [Int64]
    /// The sums of each slot.
    let sums: [KPISums]
    let isHidden: [Bool]
    /// The counts from 1 up to the threshold, not included.
    let small: [Int]

    init(_ cube: [KPICell], threshold: Int) {
        let cells = CellSuppression(cube, threshold: threshold)
        self.init(cube, threshold: threshold) { cells.isHidden(slot: $0, count: $1) }
    }

    /// Applies primary suppression alone, which the attacks must be able to undo.
    init(unprotected cube: [KPICell], threshold: Int) {
        let counts = CellGrid(cube).counts(cube)
        self.init(cube, threshold: threshold) { slot, count in
            let value = counts[slot * CellCounts.size + count]
            return value > 0 && value < threshold
        }
    }

    init(_ cube: [KPICell], threshold: Int, isHidden: (Int, Int) -> Bool) {
        grid = CellGrid(cube)
        let counts = grid.counts(cube)
        self.counts = counts
        var sums = [KPISums](repeating: KPISums(), count: grid.slotCount)
        for (slot, cell) in zip(grid.slots, cube) { sums[slot] = cell.sums }
        self.sums = sums
        self.isHidden = counts.indices.map { position in
            isHidden(position / CellCounts.size, position % CellCounts.size)
        }
        small = counts.indices.filter { counts[$0] > 0 && counts[$0] < threshold }
    }

    var lines: [CellLine] { grid.lines() + CellCounts.lines(slotCount: grid.slotCount) }
}
