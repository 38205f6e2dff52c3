import TestSupport
import Testing
import TripDomain

@testable import TripDisclosure

@Suite struct CellSuppressionTests {
    @Test(arguments: [(UInt64(1), 40), (2, 300), (3, 1200), (4, 5000)])
    func noVisibleNumberAndNoSumOfHiddenOnesIsSmall(seed: UInt64, trips: Int) {
        let cube = GuardedCube(
            RandomCube.make(seed: seed, trips: trips, months: 6, types: 4, regions: 5),
            threshold: 11
        )
        for position in cube.small { #expect(cube.isHidden[position]) }
        for line in cube.lines where !cube.isHidden[line.total] {
            let hidden = line.parts.filter { cube.isHidden[$0] }
            let sum = hidden.reduce(0) { $0 + cube.counts[$1] }
            #expect(sum == 0 || sum >= 11)
            #expect(hidden.count != 1)
        }
    }

    @Test(arguments: [(UInt64(1), 40), (2, 300), (3, 1200), (5, 2500)])
    func boundsOnSmallCountsNeverMeet(seed: UInt64, trips: Int) {
        let cube = GuardedCube(
            RandomCube.make(seed: seed, trips: trips, months: 5, types: 3, regions: 4),
            threshold: 11
        )
        let bounds = BoundsAttack(cube).run()
        for position in cube.small { #expect(bounds[position].lower < bounds[position].upper) }
    }

    @Test(arguments: [(UInt64(1), 30), (2, 90), (3, 200), (4, 500), (6, 900)])
    func noSmallCountFollowsFromTheEquations(seed: UInt64, trips: Int) {
        let cube = GuardedCube(
            RandomCube.make(seed: seed, trips: trips, months: 3, types: 2, regions: 2),
            threshold: 11
        )
        #expect(EquationAttack(cube).solved().isDisjoint(with: cube.small))
    }

    @Test(arguments: 0..<4)
    func everySmallCountIsGreaterInSomeIntegerTable(block: UInt64) {
        for seed in block * 20..<block * 20 + 20 {
            let cube = GuardedCube(
                RandomCube.tiny(seed: seed),
                threshold: [3, 5, 11][Int(seed % 3)]
            )
            #expect(LinearProgrammeAudit(cube).disclosed(isWhole: true) == [], "seed \(seed)")
        }
    }

    @Test(arguments: [(UInt64(21), 120), (22, 400), (23, 1500)])
    func noLinearProgrammeFindsASmallCount(seed: UInt64, trips: Int) {
        let cube = GuardedCube(
            RandomCube.make(seed: seed, trips: trips, months: 3, types: 3, regions: 2),
            threshold: 11
        )
        #expect(LinearProgrammeAudit(cube).disclosed(isWhole: false) == [])
    }

    @Test(arguments: 0..<4)
    func noCostOfASmallCountIsDisclosed(block: UInt64) {
        for seed in block * 12..<block * 12 + 12 {
            let free = [[], ["r1"], ["r0"], ["t0", "r1"]][Int(seed % 4)]
            let cube = GuardedCube(
                RandomCube.tiny(seed: seed, free: Set(free)),
                threshold: [2, 3, 5, 11, 20][Int(seed % 5)]
            )
            #expect(CostAudit(cube).disclosed() == [], "seed \(seed)")
        }
    }

    @Test(arguments: [(UInt64(31), 300, 5), (32, 700, 11), (33, 300, 3), (34, 900, 20)])
    func noCostIsDisclosedWhereOtherRegionsArePaidALumpSum(seed: UInt64, trips: Int, threshold: Int)
    {
        let cells = RandomCube.make(
            seed: seed,
            trips: trips,
            months: 1,
            types: 3,
            regions: 4,
            free: ["r1", "r2"]
        )
        let cube = GuardedCube(cells, threshold: threshold)
        #expect(CostAudit(cube).disclosed() == [])
        #expect(LinearProgrammeAudit(cube).disclosed(isWhole: false) == [])
    }

    @Test func theCostOfOneTripIsProtectedWhereOthersCostNothing() {
        let cells = RandomCube.lumpSum()
        #expect(CostAudit(GuardedCube(cells, threshold: 11)).disclosed() == [])
        // The proof that the attack works: two types in two regions, with the suppressions that the
        // counts need.
        let grid = CellGrid(cells)
        let counted = GuardedCube(cells, threshold: 11) { slot, _ in
            let key = grid.key(slot)
            return ["rare", "often"].contains(key[1]) && key[2] != KPICell.all
        }
        #expect(!CostAudit(counted).disclosed().isEmpty)
    }

    /// With as many regions as trips, each region would have one trip if none could have two.
    @Test(arguments: [(2, 3), (3, 3), (5, 11), (11, 11), (13, 11)])
    func listedValuesDiscloseNoMoreThanOneTrip(count: Int, threshold: Int) {
        let cube = GuardedCube(RandomCube.lonely(count), threshold: threshold)
        #expect(LinearProgrammeAudit(cube).disclosed(isWhole: true) == [])
    }

    @Test func attacksOnTheUnprotectedCubeSucceed() {
        // The proof that the attacks work.
        let cube = GuardedCube(
            unprotected: RandomCube.make(seed: 2, trips: 300, months: 3, types: 2, regions: 2),
            threshold: 11
        )
        #expect(!EquationAttack(cube).solved().isDisjoint(with: cube.small))
        let bounds = BoundsAttack(cube).run()
        #expect(cube.small.contains { bounds[$0].lower == bounds[$0].upper })
        let attack = LinearProgrammeAudit(cube)
        let disclosed = attack.disclosed(isWhole: false)
        #expect(!disclosed.isEmpty)
        for position in disclosed {
            #expect(attack.upperBound(position) < Double(cube.counts[position]) + 1)
        }
    }

    @Test func theLinearProgrammeFindsTheBoundsOfAHandMadeTable() {
        // Two months, one type, one region: of 13 trips one month has 4, and both are hidden. The
        // other month has one trip at least, as it has costs.
        var (early, late) = (KPISums(), KPISums())
        for _ in 0..<4 { early.add(tripClass: .inHouse, cost: 1, miles: 1) }
        for _ in 0..<9 { late.add(tripClass: .inHouse, cost: 1, miles: 1) }
        var both = early
        both += late
        let cube = [("m0", early), ("m1", late), (KPICell.all, both)].flatMap { month, sums in
            ["t0", KPICell.all].flatMap { type in
                ["r0", KPICell.all].map {
                    KPICell(month: month, tripType: type, region: $0, sums: sums)
                }
            }
        }
        let published = GuardedCube(unprotected: cube, threshold: 10)
        let attack = LinearProgrammeAudit(published)
        #expect(attack.disclosed(isWhole: true) == [])
        for position in published.small { #expect(attack.upperBound(position) == 12) }
    }

    @Test func nothingIsHiddenWhereNothingIsSmall() {
        let cube = RandomCube.make(seed: 1, trips: 400, months: 2, types: 2, regions: 2)
        #expect(!GuardedCube(cube, threshold: 1).isHidden.contains(true))
        #expect(!GuardedCube([], threshold: 11).isHidden.contains(true))
    }

    /// In very sparse cubes some are hidden all the same.
    @Test(
        arguments: [
            (UInt64(4), 60_000, 0), (5, 3000, 0), (6, 1500, 0), (7, 900, 0), (6, 700, 3),
            (7, 250, 2),
        ]
    )
    func totalsOfTripsStayVisibleWhereNoneOfThemIsSmall(seed: UInt64, trips: Int, most: Int) {
        var hidden = 0
        let cells = RandomCube.make(seed: seed, trips: trips, months: 6, types: 4, regions: 5)
        let cube = GuardedCube(cells, threshold: 11)
        let all = (0..<3).map { cube.grid.all($0) }
        for dimension in 0..<3 {
            let totals = (0...all[dimension]).map { value in
                let others = (0..<3).filter { $0 != dimension }
                    .reduce(0) { $0 + all[$1] * cube.grid.strides[$1] }
                return (others + value * cube.grid.strides[dimension]) * CellCounts.size
            }
            if totals.contains(where: { 1...10 ~= cube.counts[$0] }) { continue }
            hidden += totals.count { cube.isHidden[$0] }
        }
        #expect(hidden <= most)
    }

    @Test func aGrandTotalThatIsSmallIsHidden() {
        let cells = RandomCube.make(seed: 3, trips: 7, months: 2, types: 2, regions: 2)
        let cube = GuardedCube(cells, threshold: 11)
        #expect(cube.isHidden[(cube.grid.slotCount - 1) * CellCounts.size])
    }
}
