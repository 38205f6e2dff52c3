import Testing
import TripDomain

@testable import TripMart

/// Answers on declared measures and dimensions against loops over all trips.
@Suite struct DeclaredReadingTests {
    private static let groupings: [[KPIDimension]] = [
        [], [.month], [.year], [.fiscalYear], [.region, .tripType], [.tripClass, .basis],
        [.month, .region, .tripClass],
    ]

    private static func key(_ trip: ReferenceTrip, _ dimension: KPIDimension) -> String {
        switch dimension {
        case .month: trip.month.text
        case .tripType: trip.tripType
        case .region: trip.region
        case .tripClass: trip.tripClass.word
        case .basis: trip.basis
        case .fiscalYear: "\(trip.month.fiscalYear)"
        case .year: "\(trip.month.year)"
        }
    }

    /// A query with the trips that it lets through.
    private static func filtered(
        _ reference: ReferenceGeneration,
        _ filter: Int,
        by dimensions: [KPIDimension]
    ) throws -> (KPIQuery, [ReferenceTrip]) {
        var (query, trips) = (KPIQuery(by: dimensions), reference.trips.filter(\.isCounted))
        if filter == 1 {
            query.regions = ["08", "UNKNOWN"]
            trips.removeAll { $0.region == "10" }
        }
        if filter == 2 {
            let month = try #require(reference.trips.last?.month)
            query.months = month...month
            trips.removeAll { $0.month != month }
        }
        if filter == 3 {
            query.classes = [.contracted]
            query.tripTypes = ["BLS"]
            trips.removeAll { $0.tripClass != .contracted || $0.tripType != "BLS" }
        }
        return (query, trips)
    }

    @Test(arguments: 0..<4)
    func everyGroupHasTheValuesOfItsTrips(filter: Int) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 5, count: 500)
        let served = try mart.publishDeclared(reference)
        let published = try PublishedCube.open(mart.folder, generation: 1)
        for dimensions in Self.groupings {
            let (query, trips) = try Self.filtered(reference, filter, by: dimensions)
            let table = try served.kpi(query)
            #expect(try published.kpi(query) == table)
            #expect(table.measures == ReferenceGeneration.measured.map(\.measure))
            for row in table.rows + [table.total] {
                let own = trips.filter { trip in
                    row.keys.isEmpty || dimensions.map { Self.key(trip, $0) } == row.keys
                }
                let expected = ReferenceGeneration.measured.map {
                    ReferenceGeneration.value($0, own)
                }
                #expect(row.measures == expected, "\(row.keys) \(filter)")
            }
        }
    }

    @Test(arguments: 0..<4)
    func everyValueOfADimensionHasItsTrips(filter: Int) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 8, count: 500)
        let served = try mart.publishDeclared(reference)
        for dimensions in Self.groupings {
            var (query, trips) = try Self.filtered(reference, filter, by: dimensions)
            query.declared = ReferenceGeneration.dimension.name
            let table = try served.kpi(query)
            let groups = Dictionary(grouping: trips) { trip in
                dimensions.map { Self.key(trip, $0) } + [trip.station ?? ""]
            }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            #expect(table.rows.map(\.keys) == groups.map(\.key))
            for (row, group) in zip(table.rows, groups) {
                let sums = ReferenceGeneration.sums(group.value)
                for sum in KPISum.allCases where row.known.contains(sum) {
                    #expect(row.sums[sum] == sums[sum], "\(sum) of \(row.keys)")
                }
            }
            let all = ReferenceGeneration.sums(trips)
            #expect(table.total.sums.trips == all.trips)
            #expect(table.total.known == KPISumSet.ofBases && table.measures.isEmpty)
        }
    }

    @Test func declarationsAreReadAsTheyWereWritten() throws {
        let mart = try BuiltMart()
        let served = try mart.publishDeclared(ReferenceGeneration(seed: 1, count: 60))
        #expect(try served.declaredMeasures() == ReferenceGeneration.measured.map(\.measure))
        #expect(try served.declaredDimensions() == [ReferenceGeneration.dimension])
        let columns = served.shape.declared
        #expect(
            columns.measures.map { served.shape.columns[$0.index].name }.first == "miles_hundredths"
        )
        #expect(columns.dimensions.map { served.shape.columns[$0.index].name } == ["station"])
    }

    /// Fiscal years that begin in July, in the table of months and in answers by them.
    @Test func aFiscalYearBeginsWhereThePipelineSays() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 2, count: 300)
        var contents = reference.contents()
        contents.summary.fiscalYearStart = 7
        try Publication(mart.folder).publish(try mart.writer.write(contents))
        let served = try ServedMart.open(mart.folder)
        #expect(try served.fiscalYearStart() == 7)
        let counted = reference.trips.filter(\.isCounted)
        let years = Dictionary(grouping: counted) { "\($0.month.fiscalYear(from: 7))" }
        let rows = try served.kpi(KPIQuery(by: [.fiscalYear])).rows
        #expect(rows.map(\.keys) == years.keys.sorted().map { [$0] })
        for row in rows { #expect(Int(row.sums.trips) == years[row.keys[0]]?.count) }
    }

    @Test func withoutAWordFiscalYearsAreTheFederalOnes() throws {
        let mart = try BuiltMart()
        let served = try mart.publish(ReferenceGeneration(seed: 1, count: 20))
        #expect(try served.fiscalYearStart() == 10)
        let keys = try BuiltMart.rows(mart.folder.generationPath(1), "SELECT key FROM meta")
        #expect(!keys.contains { $0[0] == "fiscal_year_start" })
    }
}
