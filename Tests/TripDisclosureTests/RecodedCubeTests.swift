import TestSupport
import Testing
import TripDomain

@testable import TripDisclosure

@Suite struct RecodedCubeTests {
    @Test func aCubeThatFitsIsUnchanged() {
        let cube = RandomCube.make(seed: 1, trips: 500, months: 4, types: 3, regions: 4)
        let bounded = RecodedCube(cube, slotLimit: 5 * 4 * 5)
        #expect(bounded.cells == cube)
        #expect(bounded.rest == [nil, nil])
        #expect(bounded.merged == [[], []])
    }

    @Test(arguments: [(3, 40, 100), (40, 3, 100), (30, 30, 100), (1, 90, 60), (9, 9, 1)])
    func aLargerCubeIsRecodedToFit(types: Int, regions: Int, limit: Int) {
        let cube = RandomCube.make(seed: 2, trips: 3000, months: 2, types: types, regions: regions)
        let bounded = RecodedCube(cube, slotLimit: limit)
        // Each dimension keeps at least one value and `all`.
        #expect(CellGrid(bounded.cells).slotCount <= max(limit, 3 * 2 * 2))
        #expect(!bounded.merged.joined().isEmpty)
        for merged in bounded.merged { #expect(merged.count != 1) }
        for month in ["m0", "m1", KPICell.all] {
            func total(_ cells: [KPICell]) -> KPISums? {
                cells.first { [$0.month, $0.tripType, $0.region] == [month, "all", "all"] }?.sums
            }
            #expect(total(bounded.cells) == total(cube))
        }
    }

    @Test func valuesWithMostTripsKeepTheirNames() {
        let cube = RandomCube.make(seed: 3, trips: 3000, months: 2, types: 2, regions: 20)
        let bounded = RecodedCube(cube, slotLimit: 3 * 3 * 9)
        let trips = Dictionary(
            uniqueKeysWithValues: cube.filter { $0.month == "all" && $0.tripType == "all" }
                .map { ($0.region, $0.sums.trips) }
        )
        let merged = bounded.merged[1]
        let kept = trips.keys.filter { $0 != KPICell.all && !merged.contains($0) }
        #expect(merged.count == 20 - kept.count && kept.count == 7)
        let least = kept.compactMap { trips[$0] }.min() ?? 0
        for region in merged { #expect(trips[region, default: .max] <= least) }
        let rest = bounded.cells.first {
            [$0.month, $0.tripType, $0.region] == ["all", "all", bounded.rest[1]]
        }
        #expect(rest?.sums.trips == merged.reduce(0) { $0 + trips[$1, default: 0] })
    }

    @Test func textsEqualInUnicodeAreTwoValues() {
        var sums = KPISums()
        for _ in 0..<20 { sums.add(tripClass: .inHouse, cost: 1, miles: 1) }
        let regions = ["Qu\u{E9}bec", "Que\u{301}bec"]
        let cube = regions.map { KPICell(month: "m", tripType: "t", region: $0, sums: sums) }
        #expect(Set(CellGrid(cube).slots).count == 2)
        #expect(CellGrid(cube).values[2].map { Array($0.utf8) }.count == 3)
        let totals = (regions + [KPICell.all]).map {
            KPICell(month: KPICell.all, tripType: KPICell.all, region: $0, sums: sums)
        }
        #expect(RecodedCube(totals, slotLimit: 1).merged[1].count == 2)
    }

    @Test func noMergedRegionWithOneTripIsDisclosed() {
        let full = RandomCube.lonely(14)
        expectNothingDisclosed(full, RecodedCube(full, slotLimit: 2 * 2 * 6))
    }

    @Test(arguments: 0..<4)
    func noSmallCountOfAMergedRegionIsDisclosed(seed: UInt64) {
        let full = RandomCube.make(
            seed: seed,
            trips: 120,
            months: 2,
            types: 2,
            regions: 4,
            free: seed % 2 == 0 ? ["r1"] : []
        )
        let bounded = RecodedCube(full, slotLimit: 3 * 3 * 4)
        #expect(bounded.rest[1] != nil)
        expectNothingDisclosed(full, bounded)
    }

    private func expectNothingDisclosed(_ full: [KPICell], _ bounded: RecodedCube) {
        let cells = CellSuppression(
            bounded.cells,
            threshold: 11,
            combinedValues: bounded.combinedValues
        )
        let positions = Dictionary(
            uniqueKeysWithValues: (0..<cells.grid.slotCount).map { (cells.grid.key($0), $0) }
        )
        let grid = CellGrid(full)
        let cube = GuardedCube(full, threshold: 11) { slot, count in
            let key = grid.key(slot)
            if bounded.merged[1].contains(key[2]) { return true }
            guard let position = positions[key] else { return false }
            return cells.isHidden(slot: position, count: count)
        }
        #expect(!positions.keys.contains { bounded.merged[1].contains($0[2]) })
        #expect(positions.keys.contains { $0[2] == bounded.rest[1] })
        #expect(bounded.merged[0].isEmpty)
        let attack = LinearProgrammeAudit(cube, merged: Set(bounded.merged[1]))
        #expect(attack.disclosed(isWhole: false) == [])
        #expect(CostAudit(cube).disclosed() == [])
    }
}
