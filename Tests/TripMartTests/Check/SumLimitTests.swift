import TestSupport
import Testing
import TripDomain

@testable import TripDisclosure
@testable import TripMart

/// No number in a cube crashes the program.
@Suite struct SumLimitTests {
    private static let countMax = Int64.max / 100_000
    private static let amountMax = Int64.max / 1_000

    private static func part(trips: Int64, costed: Int64, cents: Int64) -> BasisCell {
        BasisCell(
            month: KPICell.all,
            tripType: KPICell.all,
            region: KPICell.all,
            tripClass: .inHouse,
            basis: "",
            sums: CostSums(trips: trips, costedTrips: costed, costCents: cents)
        )
    }

    @Test func theSumOfAbsoluteValuesIsLimited() {
        func isAllowed(_ rows: [[Int64]]) -> Bool {
            SumLimit.allows(rows.map { Self.part(trips: $0[0], costed: 0, cents: $0[1]) })
                && SumLimit.allows(rows.map { Self.part(trips: 0, costed: $0[0], cents: 0) })
        }
        let (count, amount) = (Self.countMax, Self.amountMax)
        #expect(isAllowed([]))
        #expect(isAllowed([[count, amount]]))
        #expect(isAllowed([[-count, -amount]]))
        #expect(isAllowed([[count - 7, 2], [-7, 2 - amount], [0, -0]]))
        #expect(!isAllowed([[count + 1, 0]]))
        #expect(!isAllowed([[0, amount + 1]]))
        #expect(!isAllowed([[count, 0], [-1, 0]]))
        #expect(!isAllowed([[0, amount], [0, -1]]))
        #expect(!isAllowed([[.max, 0]]))
        #expect(!isAllowed([[0, .min]]))
    }

    /// Every number of a cube is checked.
    @Test func oneNumberIsEnough() {
        for (index, name) in CubeTables.sumColumns.enumerated() {
            let most = name.hasSuffix("trips") ? Self.countMax : Self.amountMax
            var values = CubeTables.sumColumns.map { _ in Int64(0) }
            values[index] = most
            #expect(SumLimit.allows([KPISums(values: values)]))
            values[index] = -most - 1
            #expect(!SumLimit.allows([KPISums(values: values)]), "\(name)")
        }
    }

    /// The largest of every sign, in every column: each ratio of them is a number.
    @Test func allowedSumsHaveRatios() {
        var generator = SeededDice(seed: 1)
        for _ in 0..<20_000 {
            let values = CubeTables.sumColumns.map { name -> Int64 in
                let most = name.hasSuffix("trips") ? Self.countMax : Self.amountMax
                return generator.pick([most, most, -most, 1, 0])
            }
            #expect(SumLimit.allows([KPISums(values: values)]))
            let cell = ServedCell(KPISums(values: values))
            let sums = KPISums(values: values)
            for kpi in KPI.table {
                guard case .ratio(_, let quotient) = kpi.definition else { continue }
                let hasDivisor = quotient.whole.reduce(0) { $0 + sums[$1] } > 0
                #expect((cell.value(kpi) != nil) == hasDivisor, "\(kpi.name)")
            }
        }
    }

    /// Uses a number of trips that is hidden in the suppressed cube, so that no other number
    /// contradicts it.
    @Test func aGenerationWithLargerSumsIsDamaged() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 900))
        let path = mart.folder.generationPath(1)
        let hidden = try BuiltMart.rows(
            mart.folder.kpiPath(1),
            """
            SELECT month, trip_type, region FROM kpi_cube
            WHERE trips IS NULL AND in_house_trips IS NULL AND month <> 'all' LIMIT 1
            """
        )
        let key = try #require(hidden.first).map { "'\($0 ?? "")'" }.joined(separator: ", ")
        func change(_ table: String, _ column: String, _ value: Int64) throws {
            try BuiltMart.tamper(
                path,
                """
                UPDATE \(table) SET \(column) = \(value)
                WHERE (month, trip_type, region) = (\(key))
                """
            )
        }
        let all = KPIQuery(by: [.month, .tripType, .region])
        try change("kpi_cube", "trips", 1_000)
        #expect(try ServedGeneration(mart.folder, number: 1).whole.months.count > 1)
        #expect(try ServedMart.open(mart.folder, generation: 1).kpi(all).rows.count > 1)
        try change("kpi_cube", "in_house_trips", 1_000_000_000_000_000)
        expectFailure(.damaged) { _ = try ServedGeneration(mart.folder, number: 1) }
        expectFailure(.damaged) {
            _ = try ServedMart.open(mart.folder, generation: 1).kpi(all)
        }
        expectFailure(.damaged) { _ = try ServedMart.open(mart.folder, generation: 1).cube() }
        try change("kpi_cube", "in_house_trips", 0)
        #expect(try ServedGeneration(mart.folder, number: 1).whole.months.count > 1)
        try change("kpi_basis", "cost_cents", -10_000_000_000_000_000)
        expectFailure(.damaged) { _ = try ServedGeneration(mart.folder, number: 1) }
    }
}
