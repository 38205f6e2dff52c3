import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Compares the cube with sums over all trips, group by group.
@Suite struct CubeTests {
    struct Trip {
        let month: Int
        let type: String
        let region: String
        let rule: UInt16
        let counted: Bool
        let cost: Int64?
    }

    static let rules = [
        RuleEntry(
            number: 1,
            id: "own",
            tripClass: .inHouse,
            basis: "va_fleet",
            because: "",
            condition: "",
            validFrom: nil,
            validTo: nil
        ),
        RuleEntry(
            number: 2,
            id: "vendor",
            tripClass: .contracted,
            basis: "contract",
            because: "",
            condition: "",
            validFrom: nil,
            validTo: nil
        ),
        RuleEntry(
            number: 3,
            id: "other",
            tripClass: .contracted,
            basis: "noncontract_vendor",
            because: "",
            condition: "",
            validFrom: nil,
            validTo: nil
        ),
    ]

    static func batch(_ trips: [Trip]) -> PackedBatch { PackedBatch(unpacked(trips)) }

    /// Trips as a classified batch.
    static func unpacked(_ trips: [Trip]) -> TripBatch {
        func text(_ values: [String]) -> Column {
            let pool = Array(Set(values)).sorted()
            return .text(
                TextColumn(
                    codes: values.map { UInt32((pool.firstIndex(of: $0) ?? 0) + 1) },
                    pool: TextPool(pool)
                )
            )
        }
        let pickups = trips.map { trip in
            Int64(Month(year: 2026, month: trip.month).firstDay.dayNumber) * 86_400
        }
        var batch = TripBatch(
            fileIndex: 0,
            columns: [
                text(trips.indices.map { "T-\($0)" }), .integer(IntegerColumn(values: pickups)),
                .integer(IntegerColumn(values: pickups)),
                .integer(
                    IntegerColumn(
                        values: trips.map { $0.cost ?? 0 },
                        nulls: trips.map { $0.cost == nil }
                    )
                ),
                text(trips.map { _ in "" }), text(trips.map(\.region)), text(trips.map(\.type)),
            ],
            recordNumbers: trips.indices.map { UInt32($0 + 1) },
            lineNumbers: trips.indices.map { UInt32($0 + 2) }
        )
        batch.ruleNumbers = trips.map(\.rule)
        batch.counted = trips.map(\.counted)
        return batch
    }

    static func trips(seed: UInt64, count: Int) -> [Trip] {
        var random = SeededDice(seed: seed)
        return (0..<count).map { _ in
            Trip(
                month: 1 + random.below(3),
                type: ["BLS", "ALS1"][random.below(2)],
                region: ["01", "08", "UNKNOWN"][random.below(3)],
                rule: UInt16(random.below(4)),
                counted: random.below(5) > 0,
                cost: random.below(3) == 0 ? nil : Int64(random.below(100_000)) - 500
            )
        }
    }

    private func cube(
        _ batches: [PackedBatch],
        threadCount: Int,
        valueMax: Int? = nil
    ) throws -> Cube {
        try Cube(
            batches: batches,
            accepted: AcceptedTrips(of: batches),
            shape: try #require(TripResolutionTests.shape),
            rules: Self.rules,
            threadCount: threadCount,
            valueMax: valueMax
        )
    }

    @Test func moreValuesThanAreGroupedByLeaveTheTotalAlone() throws {
        let batches = [Self.batch(Self.trips(seed: 4, count: 500))]
        let whole = try cube(batches, threadCount: 2, valueMax: 3)
        #expect(whole.isWhole && whole.cells.count == 4 * 3 * 4)
        let narrow = try cube(batches, threadCount: 2, valueMax: 2)
        #expect(!narrow.isWhole && narrow.cells.map(\.region) == [KPICell.all])
        #expect(narrow.total == whole.total && narrow.regions == whole.regions)
    }

    @Test func everyCellIsTheSumOfItsTrips() throws {
        let trips = Self.trips(seed: 4, count: 500)
        let cube = try cube([Self.batch(trips)], threadCount: 2)
        expectSums(cube, of: trips)
        // 3 months, 2 types, 3 regions, each with `all`: all combinations occur in 500 trips.
        #expect(cube.cells.count == 4 * 3 * 4)
    }

    /// A cube that reading would refuse is not made: an amount is counted in eight cells, and in
    /// their sum.
    @Test func amountsThatCannotBeAddedUpAreRefused() throws {
        func made(_ cost: Int64, beside other: Int64 = 0) throws -> Cube {
            let trips = [(UInt16(2), cost), (3, other)].map { rule, cost in
                Trip(
                    month: 1,
                    type: "BLS",
                    region: "01",
                    rule: rule,
                    counted: true,
                    cost: cost
                )
            }
            return try cube([Self.batch(trips)], threadCount: 1)
        }
        let most = Int64.max / 1_000 / 8
        #expect(try made(most).total.costCents == most)
        #expect(try made(-most).total.costCents == -most)
        let error = #expect(throws: SumOverflow.self) { try made(most + 1) }
        #expect(error != nil)
        // Two bases of one class, whose sum is 0 where they are not distinguished.
        #expect(try made(most / 2, beside: -most / 2).total.costCents == 0)
        let split = #expect(throws: SumOverflow.self) { try made(most, beside: -most) }
        #expect(split != nil)
    }

    /// Enough pairs of type and region that they are no longer looked up by position.
    @Test func dimensionsOfManyValuesAddUpAsWell() throws {
        let trips = (0..<400).map { number in
            Trip(
                month: 1 + number / 150,
                type: "T\(number % 300)",
                region: "R\(number * 7 % 300)",
                rule: UInt16(number % 4),
                counted: number % 5 > 0,
                cost: Int64(number)
            )
        }
        expectSums(try cube([Self.batch(trips)], threadCount: 2), of: trips)
    }

    private func expectSums(_ cube: Cube, of trips: [Trip]) {
        for cell in cube.cells {
            var expected = KPISums()
            for trip in trips where trip.counted {
                let month = Month(year: 2026, month: trip.month).text
                guard [month, KPICell.all].contains(cell.month),
                    [trip.type, KPICell.all].contains(cell.tripType),
                    [trip.region, KPICell.all].contains(cell.region)
                else { continue }
                let tripClass =
                    trip.rule == 0 ? .undetermined : Self.rules[Int(trip.rule) - 1].tripClass
                expected.add(tripClass: tripClass, cost: trip.cost, miles: nil)
            }
            #expect(cell.sums == expected, "\(cell.month) \(cell.tripType) \(cell.region)")
        }
    }

    @Test func theBasisCellsAddUpToTheCube() throws {
        let cube = try cube([Self.batch(Self.trips(seed: 9, count: 300))], threadCount: 1)
        for cell in cube.cells {
            let split = cube.basisCells.filter {
                ($0.month, $0.tripType, $0.region) == (cell.month, cell.tripType, cell.region)
            }
            #expect(split.reduce(0) { $0 + $1.sums.trips } == cell.sums.trips)
            #expect(split.reduce(0) { $0 + $1.sums.costCents } == cell.sums.costCents)
        }
    }

    @Test(arguments: [1, 2, 3, 8])
    func neitherThreadsNorBatchesChangeACell(threadCount: Int) throws {
        let trips = Self.trips(seed: 2, count: 400)
        let whole = try cube([Self.batch(trips)], threadCount: 1)
        for size in [1, 7, 64] {
            let parts = stride(from: 0, to: trips.count, by: size).map {
                Self.batch(Array(trips[$0..<min($0 + size, trips.count)]))
            }
            let cube = try cube(parts, threadCount: threadCount)
            #expect(cube.cells == whole.cells)
            #expect(cube.basisCells == whole.basisCells)
        }
    }

    @Test func aSumThatLeaves64BitsIsRefused() throws {
        let trips = (0..<10).map { _ in
            Trip(month: 1, type: "BLS", region: "01", rule: 1, counted: true, cost: .max / 4)
        }
        #expect(throws: SumOverflow.self) { try cube([Self.batch(trips)], threadCount: 1) }
    }

    @Test func noTripsStillGiveTheCellOfAll() throws {
        let cube = try cube([], threadCount: 1)
        #expect(cube.cells.map(\.month) == [KPICell.all])
        #expect(cube.cells[0].sums == KPISums())
    }
}
