import Testing
import TripDomain

@testable import TripMart

@Suite struct SmallCellsTests {
    /// A cube of random trips, thin enough to have many small cells.
    private func cube(seed: UInt64, trips: Int, months: Int, types: Int, regions: Int) -> [KPICell]
    {
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

    private func lines(_ cube: [KPICell]) -> [CellLine] {
        CellGrid(cube).lines() + CellCounts.lines(cellCount: cube.count)
    }

    @Test(arguments: [(UInt64(1), 40), (2, 300), (3, 1200), (4, 5000)])
    func noVisibleNumberAndNoSumOfHiddenOnesIsSmall(seed: UInt64, trips: Int) {
        let cube = cube(seed: seed, trips: trips, months: 6, types: 4, regions: 5)
        let cells = SmallCells(cube, threshold: 11)
        let counts = cube.flatMap { CellCounts.values($0.sums) }
        let isHidden = Self.hidden(cells, cube)
        for place in counts.indices where counts[place] > 0 && counts[place] < 11 {
            #expect(isHidden[place])
        }
        for line in lines(cube) where !isHidden[line.total] {
            let hidden = line.parts.filter { isHidden[$0] }
            let sum = hidden.reduce(0) { $0 + counts[$1] }
            #expect(sum == 0 || sum >= 11)
            #expect(hidden.count != 1 || counts[hidden[0]] == 0 || counts[hidden[0]] >= 11)
        }
    }

    @Test(arguments: [(UInt64(1), 40), (2, 300), (3, 1200), (5, 2500)])
    func boundsOnSmallCountsNeverMeet(seed: UInt64, trips: Int) {
        let cube = cube(seed: seed, trips: trips, months: 5, types: 3, regions: 4)
        let counts = cube.flatMap { CellCounts.values($0.sums) }
        let isHidden = Self.hidden(SmallCells(cube, threshold: 11), cube)
        let bounds = BoundsAttack(counts: counts, isHidden: isHidden, lines: lines(cube)).run()
        for place in counts.indices where counts[place] > 0 && counts[place] < 11 {
            #expect(bounds[place].lower < bounds[place].upper)
        }
    }

    @Test(arguments: [(UInt64(1), 30), (2, 90), (3, 200), (4, 500), (6, 900)])
    func noSmallCountFollowsFromTheEquations(seed: UInt64, trips: Int) {
        let cube = cube(seed: seed, trips: trips, months: 3, types: 2, regions: 2)
        let counts = cube.flatMap { CellCounts.values($0.sums) }
        let isHidden = Self.hidden(SmallCells(cube, threshold: 11), cube)
        let solved = EquationAttack(isHidden: isHidden, lines: lines(cube)).solved()
        for place in solved {
            #expect(counts[place] == 0 || counts[place] >= 11)
        }
    }

    @Test func attackOnTheUnprotectedCubeSucceeds() {
        // The proof that the attack can find what it looks for: hide the small counts alone.
        let cube = cube(seed: 2, trips: 300, months: 3, types: 2, regions: 2)
        let counts = cube.flatMap { CellCounts.values($0.sums) }
        let isHidden = counts.map { $0 > 0 && $0 < 11 }
        let solved = EquationAttack(isHidden: isHidden, lines: lines(cube)).solved()
        #expect(solved.contains { counts[$0] > 0 && counts[$0] < 11 })
    }

    @Test func nothingIsHiddenWhereNothingIsSmall() {
        let cube = cube(seed: 1, trips: 400, months: 2, types: 2, regions: 2)
        let cells = SmallCells(cube, threshold: 1)
        #expect(!Self.hidden(cells, cube).contains(true))
    }

    @Test func largeTotalsStayVisible() {
        let cube = cube(seed: 4, trips: 60_000, months: 6, types: 4, regions: 5)
        let cells = SmallCells(cube, threshold: 11)
        for (index, cell) in cube.enumerated() where cell.month == KPICell.all {
            #expect(cell.sums.trips < 1000 || !cells.isHidden(cell: index, count: 0))
        }
    }

    @Test func suppressedFileShowsNullAndSaysSo() throws {
        let mart = try BuiltMart()
        let twin = TwinGeneration(seed: 2, count: 600)
        let built = try mart.build(twin)
        let rows = try BuiltMart.rows(
            built.kpiPath,
            "SELECT * FROM kpi_cube ORDER BY month, trip_type, region"
        )
        let cube = twin.cube()
        let cells = SmallCells(cube, threshold: 11)
        #expect(rows.count == cube.count)
        for (index, row) in rows.enumerated() {
            let values = CubeTables.values(cube[index].sums)
            for (column, counts) in SuppressedCube.countsBehind.enumerated() {
                let isHidden = counts.contains { cells.isHidden(cell: index, count: $0) }
                #expect(row[column + 3] == (isHidden ? nil : "\(values[column])"))
            }
            #expect(row.last == (row.dropLast().contains(nil) ? "1" : "0"))
        }
        #expect(rows.contains { $0.last == "1" })
    }

    private static func hidden(_ cells: SmallCells, _ cube: [KPICell]) -> [Bool] {
        cube.indices.flatMap { cell in
            (0..<CellCounts.size).map { cells.isHidden(cell: cell, count: $0) }
        }
    }
}
