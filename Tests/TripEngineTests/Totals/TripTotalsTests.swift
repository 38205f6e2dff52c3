import Testing
import TripDomain

@testable import TripEngine

/// Compares totals that are added up slice by slice with the cube of trips that are all kept.
@Suite struct TripTotalsTests {
    private func totals(_ trips: [CubeTests.Trip]) throws -> TripTotals {
        TripTotals(
            CubeTests.unpacked(trips),
            shape: try #require(TripResolutionTests.shape),
            rules: CubeTests.rules
        )
    }

    private func kept(_ trips: [CubeTests.Trip]) throws -> Cube {
        let batches = [CubeTests.batch(trips)]
        return try Cube(
            batches: batches,
            accepted: AcceptedTrips(of: batches),
            shape: try #require(TripResolutionTests.shape),
            rules: CubeTests.rules,
            threadCount: 1
        )
    }

    private func expectEqual(_ cube: Cube, _ other: Cube) {
        #expect(cube.cells == other.cells)
        #expect(cube.basisCells == other.basisCells)
        #expect(cube.total == other.total)
        #expect(cube.regions == other.regions)
        #expect(cube.tripTypes == other.tripTypes)
        #expect(cube.lastPickup == other.lastPickup)
    }

    @Test(arguments: [1, 3, 16, 400])
    func anyCutAndOrderGivesTheCubeOfKeptTrips(size: Int) throws {
        let trips = CubeTests.trips(seed: 11, count: 400)
        let expected = try kept(trips)
        // Small cuts number regions and trip types in many ways.
        var parts = stride(from: 0, to: trips.count, by: size).map {
            Array(trips[$0..<min($0 + size, trips.count)])
        }
        for _ in 0..<2 {
            var sum = TripTotals(rules: CubeTests.rules)
            for part in parts { sum.add(try totals(part)) }
            expectEqual(try Cube(sum), expected)
            #expect(sum.counted == expected.total)
            #expect(sum.amount.items == 400)
            #expect(sum.amount.cents == trips.reduce(0) { $0 + ($1.cost ?? 0) })
            parts.reverse()
        }
    }

    @Test func tripsThatDoNotCountStillShowTheirRegion() throws {
        let trips = CubeTests.trips(seed: 3, count: 1).map {
            CubeTests.Trip(
                month: $0.month,
                type: "BLS",
                region: "23",
                rule: 1,
                counted: false,
                cost: 7
            )
        }
        var sum = TripTotals(rules: CubeTests.rules)
        sum.add(try totals(trips))
        let cube = try Cube(sum)
        #expect(cube.regions == ["23"])
        #expect(cube.total == KPISums())
        #expect(sum.amount == LedgerAmount(items: 1, cents: 7))
    }

    @Test(arguments: [1, 3, 16, 400])
    func partsHandedOverGiveTheCubeOfKeptTrips(size: Int) throws {
        let trips = CubeTests.trips(seed: 12, count: 400)
        let shape = try #require(TripResolutionTests.shape)
        var sum = TripTotals(rules: CubeTests.rules)
        for start in stride(from: 0, to: trips.count, by: size) {
            let part = try totals(Array(trips[start..<min(start + size, trips.count)])).finest
            let taken = TripTotals.of(part, rules: CubeTests.rules, declared: shape.declared)
            let read = try #require(taken)
            #expect(read.finest == part)
            sum.add(read)
        }
        expectEqual(try Cube(sum), try kept(trips))
        #expect(sum.finest == (try totals(trips)).finest)
    }

    @Test func packedTripsAreAddedUpAsUnpackedOnesAre() throws {
        let trips = CubeTests.trips(seed: 13, count: 90)
        let packed = TripTotals(
            [CubeTests.batch(trips)],
            leavingOut: { _ in [] },
            shape: try #require(TripResolutionTests.shape),
            rules: CubeTests.rules
        )
        #expect(packed.finest == (try totals(trips)).finest)
        let none = TripTotals(
            [CubeTests.batch(trips)],
            leavingOut: { _ in [Bool](repeating: true, count: 90) },
            shape: try #require(TripResolutionTests.shape),
            rules: CubeTests.rules
        )
        #expect(none.finest.cells.isEmpty)
        #expect(none.amount == LedgerAmount())
    }

    @Test func aCellOfOtherRulesIsNotTaken() throws {
        var part = try totals(CubeTests.trips(seed: 14, count: 40)).finest
        let cell = try #require(part.cells.first)
        let group = cell.group
        part.cells[0] = FinestCell(
            group: DeclaredGroup(
                month: group.month,
                tripType: group.tripType,
                region: group.region,
                tripClass: group.tripClass,
                basis: "no rule's"
            ),
            sums: cell.sums
        )
        let taken = TripTotals.of(part, rules: CubeTests.rules, declared: DeclaredColumns())
        #expect(taken == nil)
    }

    @Test func noTripsGiveTheCellOfAll() throws {
        expectEqual(try Cube(TripTotals(rules: CubeTests.rules)), try kept([]))
    }

    @Test func aSumThatLeaves64BitsIsRefused() throws {
        let trip = CubeTests.Trip(
            month: 1,
            type: "BLS",
            region: "01",
            rule: 1,
            counted: true,
            cost: .max / 4 * 3
        )
        var sums = CellSums(classTable: ClassAndBasisTable(rules: CubeTests.rules))
        let one = try totals([trip])
        sums.merge(one.sums, tripTypes: [0, 1], regions: [0, 1])
        #expect(!sums.hasOverflowed)
        sums.merge(one.sums, tripTypes: [0, 1], regions: [0, 1])
        #expect(sums.hasOverflowed)
    }
}
