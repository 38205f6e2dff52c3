import Testing
import TripDomain

@testable import TripDisclosure

/// The published numbers of several months, and of several generations.
@Suite struct SuppressedCubeTests {
    @Test(arguments: 0..<30)
    func theMonthsAndTheirSumsDiscloseNothing(seed: UInt64) {
        let cube = RandomCube.tiny(seed: seed, free: seed % 3 == 0 ? ["r1"] : [])
        let published = Published(SuppressedCube(cube, threshold: 5))
        let guarded = published.guarded(cube, threshold: 5)
        #expect(LinearProgrammeAudit(guarded).disclosed(isWhole: true) == [], "seed \(seed)")
        #expect(CostAudit(guarded).disclosed() == [], "seed \(seed)")
    }

    @Test(arguments: [(UInt64(1), 300), (2, 2000)])
    func sumsOverMonthsAreThoseOfTheShownNumbers(seed: UInt64, trips: Int) {
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
                    let sum = (truth[key] ?? KPISums()).values[column]
                    #expect(row.values[column] == sum)
                    shown += 1
                }
            }
        }
        #expect(shown > 0)
    }

    /// Each run adds trips to the last months, also of types and regions that are new to the mart.
    @Test(arguments: 1...6)
    func anUnchangedMonthShowsTheSame(seed: UInt64) {
        let runs = Runs(seed: seed)
        let published = runs.cubes.map { SuppressedCube($0, threshold: 11) }
        for later in published.dropFirst() {
            for (one, other) in zip(published[0].months, later.months).prefix(Runs.settledMonths) {
                #expect(one.month == other.month)
                #expect(one.rows.map(\.key) == other.rows.map(\.key))
                #expect(one.rows.map(\.values) == other.rows.map(\.values))
            }
        }
    }

    /// A reader who keeps the numbers of every run has no more of an unchanged month than one run
    /// shows.
    @Test(arguments: 1...6)
    func manyRunsDiscloseNothing(seed: UInt64) {
        let runs = Runs(seed: seed)
        let published = runs.cubes.map { Published(SuppressedCube($0, threshold: 11)) }
        let settled = runs.settled
        let guarded = Published(uniting: published).guarded(settled, threshold: 11)
        #expect(LinearProgrammeAudit(guarded).disclosed(isWhole: false) == [], "seed \(seed)")
    }

    /// The proof that the attack works: each run suppresses all months together, and so
    /// differently.
    @Test func manyRunsDiscloseWhereEachSuppressesAllMonthsTogether() {
        let disclosed = (1...6).map { seed in
            let runs = Runs(seed: UInt64(seed))
            let published = runs.cubes.map { Published(global: $0, threshold: 11) }
            let guarded = Published(uniting: published).guarded(runs.settled, threshold: 11)
            return LinearProgrammeAudit(guarded).disclosed(isWhole: false).count
        }
        #expect(disclosed.contains { $0 > 0 })
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

/// Four runs of one mart: the first months are unchanged, the others get more trips.
private struct Runs {
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
        cubes = (0..<4).map { run in
            let after = RandomCube.make(
                seed: seed &* 100 &+ UInt64(run),
                trips: 40 * (run + 1),
                months: 2,
                types: 2 + run % 2,
                regions: 3 + run % 2
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

/// The numbers that readers have: for each month, type and region the visible columns.
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

    /// The small counts of all months together, protected by alternative tables over all of them.
    init(global cube: [KPICell], threshold: Int) {
        let cells = CellSuppression(cube, threshold: threshold)
        let sums = Dictionary(uniqueKeysWithValues: cube.map { ($0.key, $0.sums) })
        rows = Dictionary(
            uniqueKeysWithValues: (0..<cells.grid.slotCount).map { slot in
                let key = cells.grid.key(slot)
                let values = (sums[key] ?? KPISums()).values
                return (
                    key,
                    zip(values, SuppressedMonth.countsBehind).map { value, count in
                        count.map { cells.isHidden(slot: slot, count: $0) } ?? true ? nil : value
                    }
                )
            }
        )
    }

    /// The visible numbers of rows that are the same in all runs, where any of them shows one.
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

    /// A cube as an attacker has it who knows these columns of it, and over months the sums that
    /// can be added up.
    func guarded(_ cube: [KPICell], threshold: Int) -> GuardedCube {
        let grid = CellGrid(cube)
        // The indexes of the counts of a cell among the columns; the others follow from these.
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
