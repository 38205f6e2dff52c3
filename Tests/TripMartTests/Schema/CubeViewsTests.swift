import Testing
import TripDomain

@testable import TripMart

@Suite struct CubeViewsTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func ratiosEqualThoseOfPlainIntegers(seed: UInt64) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: seed, count: 700)
        let built = try mart.build(reference)
        let header = reference.header(number: 1)
        for (view, key, isIn) in Self.views {
            let expected = reference.cube().filter(isIn).map { cell -> [String?] in
                let names = key.map { Self.value($0, of: cell) }
                let open =
                    cell.month == KPICell.all
                    ? true : Month(text: cell.month).map(header.isOpen) ?? false
                return names + Self.row(cell.sums) + [open ? "1" : "0"]
            }
            let order = (1...key.count).map(String.init).joined(separator: ",")
            let rows = try BuiltMart.rows(built.path, "SELECT * FROM \(view) ORDER BY \(order)")
            #expect(!rows.isEmpty)
            #expect(rows == expected)
        }
    }

    @Test func fiscalYearsAddUpTheirMonths() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 3, count: 700)
        let built = try mart.build(reference)
        let years = Dictionary(
            grouping: reference.trips.filter(\.isCounted),
            by: \.month.fiscalYear
        )
        let expected = years.sorted { $0.key < $1.key }.map { year, trips -> [String?] in
            let isOpen = trips.contains { reference.header(number: 1).isOpen($0.month) }
            return ["\(year)"] + Self.row(ReferenceGeneration.sums(trips)) + [isOpen ? "1" : "0"]
        }
        let rows = try BuiltMart.rows(
            built.path,
            "SELECT * FROM kpi_fiscal_year ORDER BY fiscal_year"
        )
        #expect(rows == expected)
    }

    @Test(arguments: [
        (0, 0, 0, nil, nil, nil), (1, 0, 0, "100.0", "100.0", "100.0"),
        (0, 0, 5, nil, "0.0", "100.0"), (1, 2, 0, "33.33", "33.33", "33.33"),
        (2, 1, 1, "66.67", "50.0", "75.0"), (1, 7, 0, "12.5", "12.5", "12.5"),
        (1, 1999, 0, "0.05", "0.05", "0.05"), (1, 15_999, 0, "0.01", "0.01", "0.01"),
        (1, 39_999, 0, "0.0", "0.0", "0.0"),
    ])
    func percentIsRoundedHalfUpToTwoDecimals(
        inHouse: Int64,
        contracted: Int64,
        undetermined: Int64,
        value: String?,
        low: String?,
        high: String?
    ) throws {
        var sums = KPISums()
        sums[.trips] = inHouse + contracted + undetermined
        sums[.inHouseTrips] = inHouse
        sums[.contractedTrips] = contracted
        sums[.undeterminedTrips] = undetermined
        let row = try Self.view(of: sums)
        #expect(row.prefix(3) == [value, low, high])
    }

    @Test(arguments: [
        (Int64(5), Int64(2), "3"), (-5, 2, "-2"), (7, 3, "2"), (-7, 3, "-2"), (-1, 2, "0"),
        (-3, 2, "-1"), (0, 4, "0"),
    ])
    func costPerTripIsRoundedHalfUpAlsoBelowZero(
        cost: Int64,
        trips: Int64,
        expected: String
    ) throws {
        var sums = KPISums()
        (sums[.trips], sums[.inHouseTrips], sums[.inHouseCostedTrips]) = (trips, trips, trips)
        (sums[.costCents], sums[.inHouseCostCents]) = (cost, cost)
        #expect(try Self.view(of: sums)[3] == expected)
        #expect(sums.costPerTripCents.map { "\($0)" } == expected)
    }

    /// The ratios in `kpi_month` for one cell.
    private static func view(of sums: KPISums) throws -> [String?] {
        let mart = try BuiltMart()
        var contents = ReferenceGeneration(seed: 1, count: 0).contents(suppressBelow: 0)
        contents.summary.cube = [
            KPICell(month: "2026-01", tripType: KPICell.all, region: KPICell.all, sums: sums)
        ]
        let built = try mart.writer.write(contents)
        let row = try #require(
            try BuiltMart.rows(
                built.path,
                """
                SELECT in_house_pct, in_house_pct_low, in_house_pct_high, cost_per_trip_cents
                FROM kpi_month
                """
            ).first
        )
        return row
    }

    private static let views: [(String, [String], @Sendable (KPICell) -> Bool)] = [
        ("kpi_month", ["month"], { isCell($0, [true, false, false]) }),
        ("kpi_month_type", ["month", "trip_type"], { isCell($0, [true, true, false]) }),
        ("kpi_month_region", ["month", "region"], { isCell($0, [true, false, true]) }),
        ("kpi_type_region", ["trip_type", "region"], { isCell($0, [false, true, true]) }),
    ]

    private static func isCell(_ cell: KPICell, _ isValue: [Bool]) -> Bool {
        [cell.month, cell.tripType, cell.region].map { $0 != KPICell.all } == isValue
    }

    private static func value(_ name: String, of cell: KPICell) -> String {
        name == "month" ? cell.month : name == "region" ? cell.region : cell.tripType
    }

    private static func row(_ sums: KPISums) -> [String?] {
        let values = sums.values.map { "\($0)" as String? }
        let ratios = KPI.table.filter(\.isRatio).map { kpi in
            kpi.value(sums).map {
                kpi.unit == .hundredthsOfPercent ? "\(Double($0) / 100)" : "\($0)"
            }
        }
        return values + ratios
    }
}
