import Testing
import TripDomain

@testable import TripMart

/// What a server reads from memory, against SQLite's own sums over the tables.
@Suite struct ServedCubeTests {
    /// A generation with several months, types and regions, of which some are small.
    private static func published(
        _ seed: UInt64,
        count: Int = 900
    ) throws -> (BuiltMart, ServedGeneration) {
        let mart = try BuiltMart()
        try mart.publish(TwinGeneration(seed: seed, count: count))
        return (mart, try ServedGeneration(mart.folder, number: 1))
    }

    /// Every month range, trip type and region, `all` and a value that does not occur among them.
    private static func filters(_ cube: ServedCube) -> [ServedFilter] {
        let ends = cube.months + cube.months.map { Month(monthNumber: $0.monthNumber + 1) }
        let ranges: [ClosedRange<Month>?] =
            [nil] + ends.flatMap { first in ends.filter { $0 >= first }.map { first...$0 } }
        let types: [String?] = [nil, "none"] + cube.tripTypes.map(\.value)
        let regions: [String?] = [nil, "none"] + cube.regions.map(\.value)
        return ranges.flatMap { range in
            types.flatMap { type in
                regions.map { ServedFilter(months: range, tripType: type, region: $0) }
            }
        }
    }

    private static let columns = [
        "trips", "in_house_trips", "contracted_trips", "undetermined_trips", "cost_cents",
        "in_house_cost_cents", "contracted_cost_cents", "undetermined_cost_cents",
        "loaded_miles_hundredths",
    ]

    /// One filter's sums by SQLite; a hidden part hides the sum.
    private static func sums(_ path: String, _ filter: ServedFilter) throws -> [Int64?] {
        let months =
            filter.months.map {
                "month BETWEEN '\($0.lowerBound.text)' AND '\($0.upperBound.text)'"
            } ?? "month = 'all'"
        let sums = columns.map {
            "CASE WHEN count(\($0)) = count(*) THEN coalesce(sum(\($0)), 0) END"
        }
        let rows = try BuiltMart.rows(
            path,
            """
            SELECT \(sums.joined(separator: ", ")) FROM kpi_cube
            WHERE \(months) AND trip_type = '\(filter.tripType ?? "all")'
                AND region = '\(filter.region ?? "all")'
            """
        )
        return rows[0].map { $0.flatMap { Int64($0) } }
    }

    @Test(arguments: [1, 2, 3])
    func everyFilterGivesWhatTheTablesAddUpTo(seed: UInt64) throws {
        let (mart, served) = try Self.published(seed)
        var hidden = 0
        for (cube, path) in [
            (served.whole, mart.folder.generationPath(1)),
            (served.suppressed, mart.folder.kpiPath(1)),
        ] {
            for filter in Self.filters(cube) {
                let cell = cube.cell(filter)
                let found = [
                    cell.trips, cell.inHouseTrips, cell.contractedTrips, cell.undeterminedTrips,
                    cell.costCents, cell.inHouseCostCents, cell.contractedCostCents,
                    cell.undeterminedCostCents, cell.loadedMilesHundredths,
                ]
                let known = try Self.sums(path, filter)
                #expect(found == known, "\(filter)")
                hidden += known.count { $0 == nil }
            }
        }
        #expect(hidden > 0)
    }

    @Test func ratiosAreThoseOfTheViews() throws {
        let (mart, served) = try Self.published(4)
        for (cube, path) in [
            (served.whole, mart.folder.generationPath(1)),
            (served.suppressed, mart.folder.kpiPath(1)),
        ] {
            let rows = try BuiltMart.rows(
                path,
                """
                SELECT month, trip_type, CAST(round(in_house_pct * 100) AS INTEGER),
                    CAST(round(in_house_pct_low * 100) AS INTEGER),
                    CAST(round(in_house_pct_high * 100) AS INTEGER),
                    cost_per_trip_cents, cost_per_mile_cents
                FROM kpi_month_type
                """
            )
            #expect(rows.count > 3)
            for row in rows {
                let month = try #require(row[0].flatMap { Month(text: $0) })
                let cell = cube.cell(ServedFilter(months: month...month, tripType: row[1]))
                #expect(
                    [
                        cell.inHousePercentHundredths, cell.inHousePercentLowHundredths,
                        cell.inHousePercentHighHundredths, cell.costPerTripCents,
                        cell.costPerMileCents,
                    ] == row[2...].map { $0.flatMap { Int64($0) } }
                )
            }
        }
    }

    @Test func listsHoldWhatHasTripsAndWhatMayHaveSome() throws {
        let (_, served) = try Self.published(5)
        for cube in [served.whole, served.suppressed] {
            for filter in Self.filters(cube) {
                let months = cube.byMonth(filter)
                #expect(months.allSatisfy { filter.months?.contains($0.month) ?? true })
                #expect(months.allSatisfy { $0.cell.isSuppressed || $0.cell.trips != 0 })
                let types = cube.byTripType(filter).map(\.label.value)
                #expect(filter.tripType == nil || types.allSatisfy { $0 == filter.tripType })
                let regions = cube.byRegion(filter).map(\.label.value)
                #expect(filter.region == nil || regions.allSatisfy { $0 == filter.region })
                guard !cube.cell(filter).isSuppressed, cube.cell(filter).trips != 0 else {
                    continue
                }
                #expect(!months.isEmpty && !types.isEmpty && !regions.isEmpty)
            }
        }
    }

    @Test func theWholeCubesListsAddUpToItsTotals() throws {
        let (_, served) = try Self.published(6)
        for filter in Self.filters(served.whole) {
            let total = served.whole.cell(filter).trips
            let lists = [
                served.whole.byMonth(filter).map(\.cell.trips),
                served.whole.byTripType(filter).map(\.cell.trips),
                served.whole.byRegion(filter).map(\.cell.trips),
            ]
            for list in lists { #expect(list.reduce(0) { $0 + ($1 ?? 0) } == total) }
        }
    }
}
