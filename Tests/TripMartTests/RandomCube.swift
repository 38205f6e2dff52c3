import TripDomain

@testable import TripMart

/// Cubes of random trips, thin enough to have many small cells.
enum RandomCube {
    /// One large region, and others of one trip each, none with a known cost or known miles.
    static func lonely(_ count: Int) -> [KPICell] {
        var cells: [[String]: KPISums] = [:]
        let regions = (0..<60).map { _ in "big" } + (0..<count).map { "r\($0 + 10)" }
        for region in regions {
            for month in ["m", KPICell.all] {
                for type in ["t", KPICell.all] {
                    for place in [region, KPICell.all] {
                        cells[[month, type, place], default: KPISums()]
                            .add(tripClass: .inHouse, cost: nil, miles: nil)
                    }
                }
            }
        }
        return cells.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            KPICell(month: $0.key[0], tripType: $0.key[1], region: $0.key[2], sums: $0.value)
        }
    }

    static func make(seed: UInt64, trips: Int, months: Int, types: Int, regions: Int) -> [KPICell] {
        var generator = SplitMix64(seed: seed)
        var cells: [[String]: KPISums] = [:]
        for _ in 0..<trips {
            // Squares make a few values frequent and the others rare, as in real exports.
            func skewed(_ count: Int) -> Int {
                let draw = Int.random(in: 0..<(count * count), using: &generator)
                return (0..<count).first { ($0 + 1) * ($0 + 1) > draw } ?? 0
            }
            let key = ["m\(skewed(months))", "t\(skewed(types))", "r\(skewed(regions))"]
            let tripClass =
                generator.oneIn(12)
                ? TripClass.undetermined : generator.pick([.inHouse, .contracted])
            let cost: Int64? = generator.oneIn(4) ? nil : 100
            let miles: Int64? = generator.oneIn(5) ? nil : 10
            for mask in 0..<8 {
                var cell = key
                for dimension in 0..<3 where mask >> dimension & 1 == 1 {
                    cell[dimension] = KPICell.all
                }
                cells[cell, default: KPISums()].add(tripClass: tripClass, cost: cost, miles: miles)
            }
        }
        return cells.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            KPICell(month: $0.key[0], tripType: $0.key[1], region: $0.key[2], sums: $0.value)
        }
    }

    /// A small one whose shape and number of trips come from the seed as well.
    static func tiny(seed: UInt64) -> [KPICell] {
        var generator = SplitMix64(seed: seed &+ 7_000)
        return make(
            seed: seed,
            trips: Int.random(in: 5...80, using: &generator),
            months: Int.random(in: 2...3, using: &generator),
            types: Int.random(in: 1...2, using: &generator),
            regions: Int.random(in: 1...2, using: &generator)
        )
    }
}

/// A published cube as an attacker has it, and the truth to judge him by.
struct GuardedCube {
    let grid: CellGrid
    let counts: [Int64]
    let isHidden: [Bool]
    /// The counts from 1 up to the threshold, not included.
    let small: [Int]

    init(_ cube: [KPICell], threshold: Int) {
        let cells = SmallCells(cube, threshold: threshold)
        self.init(cube, threshold: threshold) { cells.isHidden(slot: $0, count: $1) }
    }

    /// Hides the small counts alone: what the attacks must be able to undo.
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
        self.isHidden = counts.indices.map { place in
            isHidden(place / CellCounts.size, place % CellCounts.size)
        }
        small = counts.indices.filter { counts[$0] > 0 && counts[$0] < threshold }
    }

    var lines: [CellLine] { grid.lines() + CellCounts.lines(slotCount: grid.slotCount) }
}
