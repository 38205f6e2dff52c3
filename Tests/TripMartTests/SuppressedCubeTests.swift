import Testing
import TripDomain

@testable import TripMart

/// What is published of several months, and of several generations.
@Suite struct SuppressedCubeTests {
    @Test(arguments: 0..<30)
    func nothingFollowsFromTheMonthsAndTheirSums(seed: UInt64) {
        let cube = RandomCube.tiny(seed: seed, free: seed % 3 == 0 ? ["r1"] : [])
        let published = Published(SuppressedCube(cube, threshold: 5))
        let guarded = published.guarded(cube, threshold: 5)
        #expect(ProgrammeAttack(guarded).foundOut(isWhole: true) == [], "seed \(seed)")
        #expect(CostAttack(guarded).foundOut() == [], "seed \(seed)")
    }

    @Test(arguments: [(UInt64(1), 300), (2, 2000)])
    func overMonthsThereIsTheSumOfWhatTheMonthsShow(seed: UInt64, trips: Int) {
        let cells = RandomCube.make(seed: seed, trips: trips, months: 4, types: 3, regions: 3)
        let cube = SuppressedCube(cells, threshold: 11)
        let published = Published(cube)
        let truth = Dictionary(uniqueKeysWithValues: cells.map { ($0.key, $0.sums) })
        var shown = 0
        for row in cube.rowsOverMonths {
            for column in row.values.indices {
                let parts = cube.months.map {
                    published.value([$0.month, row.tripType, row.region], column)
                }
                let key = [KPICell.all, row.tripType, row.region]
                if parts.contains(nil) {
                    #expect(row.values[column] == nil)
                } else {
                    let sum = CubeTables.values(truth[key] ?? KPISums())[column]
                    #expect(row.values[column] == sum)
                    shown += 1
                }
            }
        }
        #expect(shown > 0)
    }

    /// A night adds trips to the last months, of types and regions that are new to the mart too.
    @Test(arguments: 1...6)
    func aMonthThatStaysShowsTheSame(seed: UInt64) {
        let nights = Nights(seed: seed)
        let published = nights.cubes.map { SuppressedCube($0, threshold: 11) }
        for later in published.dropFirst() {
            for (one, other) in zip(published[0].months, later.months).prefix(Nights.settledMonths)
            {
                #expect(one.month == other.month)
                #expect(one.rows.map(\.place) == other.rows.map(\.place))
                #expect(one.rows.map(\.values) == other.rows.map(\.values))
            }
        }
    }

    /// Whoever keeps every night's answers has of a month that stays what one night shows.
    @Test(arguments: 1...6)
    func nothingFollowsFromManyNights(seed: UInt64) {
        let nights = Nights(seed: seed)
        let published = nights.cubes.map { Published(SuppressedCube($0, threshold: 11)) }
        let settled = nights.settled
        let guarded = Published(uniting: published).guarded(settled, threshold: 11)
        #expect(ProgrammeAttack(guarded).foundOut(isWhole: false) == [], "seed \(seed)")
    }

    /// The proof that the attack works: decided for all months at once, as each night would choose anew.
    @Test func manyNightsTellWhereEveryNightDecidesForAllMonths() {
        let foundOut = (1...6).map { seed in
            let nights = Nights(seed: UInt64(seed))
            let published = nights.cubes.map { Published(global: $0, threshold: 11) }
            let guarded = Published(uniting: published).guarded(nights.settled, threshold: 11)
            return ProgrammeAttack(guarded).foundOut(isWhole: false).count
        }
        #expect(foundOut.contains { $0 > 0 })
    }

    @Test func threadsMakeNoDifference() {
        let cells = RandomCube.make(seed: 4, trips: 900, months: 6, types: 3, regions: 4)
        let one = SuppressedCube(cells, threshold: 11, threads: 1)
        let many = SuppressedCube(cells, threshold: 11, threads: 8)
        #expect(one.rowsOverMonths.map(\.values) == many.rowsOverMonths.map(\.values))
        for (left, right) in zip(one.months, many.months) {
            #expect(left.month == right.month)
            #expect(left.rows.map(\.values) == right.rows.map(\.values))
        }
    }
}

/// Four nights of one mart: the first months stay as they are, the others get more trips.
private struct Nights {
    static let settledMonths = 3
    let cubes: [[KPICell]]
    /// The cells of the months that stay, with the sums over them.
    let settled: [KPICell]

    init(seed: UInt64) {
        let before = RandomCube.make(
            seed: seed,
            trips: 160,
            months: Self.settledMonths,
            types: 2,
            regions: 3
        )
        settled = before
        cubes = (0..<4).map { night in
            let after = RandomCube.make(
                seed: seed &* 100 &+ UInt64(night),
                trips: 40 * (night + 1),
                months: 2,
                types: 2 + night % 2,
                regions: 3 + night % 2
            )
            var cells: [[String]: KPISums] = [:]
            for cell in before { cells[cell.key, default: KPISums()] += cell.sums }
            for cell in after {
                let month = cell.month == KPICell.all ? cell.month : "n" + cell.month
                cells[[month, cell.tripType, cell.region], default: KPISums()] += cell.sums
            }
            return cells.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                KPICell(month: $0.key[0], tripType: $0.key[1], region: $0.key[2], sums: $0.value)
            }
        }
    }
}

/// What readers have: for each month, type and region the columns they see.
private struct Published {
    // By key and column; nil where a number is hidden. A key without a row has no trips.
    private let rows: [[String]: [Int64?]]

    init(_ cube: SuppressedCube) {
        let months = cube.months.flatMap { month in
            month.rows.map { ([month.month, $0.tripType, $0.region], $0.values) }
        }
        let over = cube.rowsOverMonths.map { ([KPICell.all, $0.tripType, $0.region], $0.values) }
        rows = Dictionary(uniqueKeysWithValues: months + over)
    }

    /// The small counts of all months together protected by second tables over all of them.
    init(global cube: [KPICell], threshold: Int) {
        let cells = SmallCells(cube, threshold: threshold)
        let sums = Dictionary(uniqueKeysWithValues: cube.map { ($0.key, $0.sums) })
        rows = Dictionary(
            uniqueKeysWithValues: (0..<cells.grid.slotCount).map { slot in
                let key = cells.grid.key(slot)
                let values = CubeTables.values(sums[key] ?? KPISums())
                return (
                    key,
                    zip(values, SuppressedMonth.countsBehind).map { value, counts in
                        counts.contains { cells.isHidden(slot: slot, count: $0) } ? nil : value
                    }
                )
            }
        )
    }

    /// What is seen of rows that are the same in all of them, if any of them shows it.
    init(uniting all: [Published]) {
        var rows: [[String]: [Int64?]] = [:]
        for published in all {
            for (key, values) in published.rows where key[0] != KPICell.all {
                let known = rows[key] ?? values
                rows[key] = zip(known, values).map { $0 ?? $1 }
            }
        }
        self.rows = rows
    }

    func value(_ key: [String], _ column: Int) -> Int64? {
        rows[key].map { $0[column] } ?? 0
    }

    /// A cube as an attacker has it who knows these columns of it, and over months what he can add up.
    func guarded(_ cube: [KPICell], threshold: Int) -> GuardedCube {
        let grid = CellGrid(cube)
        // Where the counts of a cell stand among the columns; the others follow from these.
        let columns = [0: 0, 1: 1, 2: 2, 3: 3, 4: 8, 6: 9, 8: 10, CellCounts.costed: 4, 12: 12]
        return GuardedCube(cube, threshold: threshold) { slot, count in
            let key = grid.key(slot)
            guard let column = columns[count], rows[key] != nil || key[0] != KPICell.all else {
                return true
            }
            return value(key, column) == nil
        }
    }
}

extension KPICell {
    fileprivate var key: [String] { [month, tripType, region] }
}
