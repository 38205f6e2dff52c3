import Testing
import TripDisclosure
import TripDomain

@testable import TripMart

/// Compares the sums that a server has in memory with SQLite's sums over the tables.
@Suite struct ServedCubeTests {
    /// A generation with several months, types and regions, of which some are small.
    private static func published(
        _ seed: UInt64,
        count: Int = 900
    ) throws -> (BuiltMart, ServedGeneration) {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: seed, count: count))
        return (mart, try ServedGeneration(mart.folder, number: 1))
    }

    /// Every month range, trip type and region, including `all` and a value that does not occur.
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
        "in_house_costed_trips", "contracted_costed_trips", "undetermined_costed_trips",
        "loaded_miles_hundredths",
    ]

    /// A sum; NULL where a part is hidden, and the cost of a class also where most of its costs are
    /// not known.
    private static func sum(_ column: String) -> String {
        let parts =
            switch column {
            case "in_house_cost_cents": [column, "in_house_trips", "in_house_costed_trips"]
            case "contracted_cost_cents": [column, "contracted_trips", "contracted_costed_trips"]
            default: [column]
            }
        let known = parts.map { "count(\($0)) = count(*)" }.joined(separator: " AND ")
        let sums = parts.map { "coalesce(sum(\($0)), 0)" }
        let mostly = sums.count == 3 ? " AND 10 * \(sums[2]) >= 8 * \(sums[1])" : ""
        return "CASE WHEN \(known)\(mostly) THEN \(sums[0]) END"
    }

    /// One filter's sums by SQLite; a hidden part hides the sum.
    private static func sums(_ path: String, _ filter: ServedFilter) throws -> [Int64?] {
        let months =
            filter.months.map {
                "month BETWEEN '\($0.lowerBound.text)' AND '\($0.upperBound.text)'"
            } ?? "month = 'all'"
        let sums = columns.map(sum)
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
    func everyFilterHasTheSumsOfTheTables(seed: UInt64) throws {
        let (mart, served) = try Self.published(seed)
        var hidden = 0
        for (cube, path) in [
            (served.whole, mart.folder.generationPath(1)),
            (served.suppressed, mart.folder.kpiPath(1)),
        ] {
            for filter in Self.filters(cube) {
                let cell = cube.cell(filter)
                let found = Self.columns.map { name in
                    KPI.table.first { $0.name == name }.flatMap { cell.value($0) }
                }
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
                        KPIRatio.inHousePercent, .inHousePercentLow, .inHousePercentHigh,
                        .costPerTrip, .costPerMile,
                    ].map { cell.value($0.kpi) } == row[2...].map { $0.flatMap { Int64($0) } }
                )
            }
        }
    }

    @Test func listsHaveValuesThatHaveOrMayHaveTrips() throws {
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

    /// Each line of a list equals the result of a filter for that line alone, also for some
    /// regions.
    @Test func linesOfListsEqualTheirOwnFilters() throws {
        let (_, served) = try Self.published(5)
        let own = Set(served.whole.regions.prefix(2).map(\.value))
        for cube in [served.whole, served.suppressed] {
            for filter in Self.filters(cube).flatMap({ Self.scoped($0, own) }) {
                func lines<Key>(
                    _ keys: [Key],
                    _ ask: (inout ServedFilter, Key) -> Bool
                ) -> [(Key, ServedCell)] {
                    keys.compactMap { key in
                        var one = filter
                        guard ask(&one, key) else { return nil }
                        let cell = cube.cell(one)
                        return cell.mayHaveTrips ? (key, cell) : nil
                    }
                }
                let months = lines(cube.months) { one, month in
                    one.months = month...month
                    return filter.months?.contains(month) ?? true
                }
                let types = lines(cube.tripTypes) { one, type in
                    one.tripType = type.value
                    return [nil, type.value].contains(filter.tripType)
                }
                let regions = lines(cube.regions) { one, region in
                    one.region = region.value
                    return [nil, region.value].contains(filter.region)
                        && filter.scope?.contains(region.value) ?? true
                }
                #expect(cube.byMonth(filter).elementsEqual(months, by: ==), "\(filter)")
                #expect(cube.byTripType(filter).elementsEqual(types, by: ==), "\(filter)")
                #expect(cube.byRegion(filter).elementsEqual(regions, by: ==), "\(filter)")
            }
        }
    }

    /// The filters of accounts that may see all regions, or some regions without national totals
    /// and with them.
    private static func scoped(_ filter: ServedFilter, _ own: Set<String>) -> [ServedFilter] {
        [nil, (own, false), (own, true)].map { (scope: (Set<String>, Bool)?) in
            guard let (regions, hasTotals) = scope else { return filter }
            return ServedFilter(
                months: filter.months,
                tripType: filter.tripType,
                region: filter.region,
                scope: regions,
                hasNationalTotals: hasTotals
            )
        }
    }

    @Test func listsOfTheUnsuppressedCubeAddUpToItsTotals() throws {
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

    /// An account that sees some regions unsuppressed and national totals can derive no small count
    /// of the others by subtraction: of no month, no range of months and no trip type, nor of the
    /// sum of the trip types that are not shown.
    @Test(arguments: [7, 8, 9], [400, 4_000])
    func nationalTotalsDiscloseNoSmallCountOfOtherRegions(seed: UInt64, count: Int) throws {
        let (_, served) = try Self.published(seed, count: count)
        let (whole, least) = (served.whole, Int64(served.header.suppressBelow))
        var (shown, hidden) = (0, 0)
        for own in whole.regions.map({ Set([$0.value]) }) + [
            Set(whole.regions.dropLast().map(\.value))
        ] {
            let cube = whole.beside(totalsOf: served.suppressed, own: own, showing: Int(least))
            for month in whole.months {
                var filter = ServedFilter(
                    months: month...month,
                    scope: own,
                    hasNationalTotals: true
                )
                var rests: [Int64] = []
                for type in [nil] + whole.tripTypes.map({ Optional($0.value) }) {
                    filter.tripType = type
                    let total = cube.cell(filter)
                    let known = whole.cell(
                        ServedFilter(months: month...month, tripType: type, scope: own)
                    )
                    guard let trips = total.trips, let knownTrips = known.trips else {
                        #expect(total[.inHouseTrips] == nil && total[.costCents] == nil)
                        hidden += 1
                        continue
                    }
                    shown += 1
                    let all = whole.cell(ServedFilter(months: month...month, tripType: type))
                    // A sum that no count protects is hidden in every suppressed cube.
                    #expect(
                        KPISum.allCases.allSatisfy {
                            total[$0] == all[$0] || !CellCounts.protectedSums.contains($0)
                        }
                    )
                    let counts = [
                        (trips, knownTrips), (total[.inHouseTrips], known[.inHouseTrips]),
                        (total[.contractedTrips], known[.contractedTrips]),
                        (total[.undeterminedTrips], known[.undeterminedTrips]),
                        (total[.inHouseCostedTrips], known[.inHouseCostedTrips]),
                        (total[.contractedCostedTrips], known[.contractedCostedTrips]),
                        (Self.uncosted(total), Self.uncosted(known)),
                        (Self.uncostedInHouse(total), Self.uncostedInHouse(known)),
                    ].map { ($0 ?? -1) - ($1 ?? 0) }
                    #expect(counts.allSatisfy { $0 == 0 || $0 >= least }, "\(counts)")
                    rests.append(trips - knownTrips)
                }
                // The month alone, or the month and all its types: no remainder can be derived.
                #expect(rests.count <= 1 || rests[0] == rests.dropFirst().reduce(0, +))
            }
            // A range with a hidden month is hidden.
            let over = ServedFilter(scope: own, hasNationalTotals: true)
            let isEveryMonthShown = whole.months.allSatisfy { month in
                var one = over
                one.months = month...month
                return cube.cell(one).trips != nil
            }
            #expect((cube.cell(over).trips != nil) == isEveryMonthShown)
            // The account's own regions are unsuppressed.
            for region in own {
                let filter = ServedFilter(region: region, scope: own)
                #expect(cube.cell(filter) == whole.cell(filter))
            }
        }
        #expect(hidden > 0)
        #expect(count < 1_000 || shown > 0)
    }

    @Test func cachedNationalTotalsEqualComputedOnes() throws {
        let (_, served) = try Self.published(7, count: 4_000)
        let names = served.whole.regions.map(\.value)
        let sets = (1..<1 << names.count).map { bits in
            Set(names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] } + ["none"])
        }
        for own in sets + sets.reversed() {
            let made = served.whole.beside(
                totalsOf: served.suppressed,
                own: own,
                showing: served.header.suppressBelow
            )
            let kept = served.totals(beside: own)
            for filter in Self.filters(served.whole) {
                #expect(kept.cell(filter) == made.cell(filter))
            }
        }
    }

    /// Trips whose cost is not known: the difference of two shown numbers.
    private static func uncosted(_ cell: ServedCell) -> Int64? {
        guard let trips = cell.trips, let inHouse = cell[.inHouseCostedTrips],
            let contracted = cell[.contractedCostedTrips],
            let undetermined = cell[.undeterminedCostedTrips]
        else { return nil }
        return trips - inHouse - contracted - undetermined
    }

    private static func uncostedInHouse(_ cell: ServedCell) -> Int64? {
        guard let trips = cell[.inHouseTrips], let costed = cell[.inHouseCostedTrips] else {
            return nil
        }
        return trips - costed
    }
}
