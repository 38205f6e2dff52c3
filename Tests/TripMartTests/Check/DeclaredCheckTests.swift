import Testing

@testable import TripMart

/// SQLite's recount of declared measures and dimensions, before a file is published.
@Suite struct DeclaredCheckTests {
    private static func built() throws -> (mart: BuiltMart, path: String) {
        let mart = try BuiltMart()
        let contents = ReferenceGeneration(seed: 6, count: 400).declaredContents()
        return (mart, try mart.writer.write(contents).path)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func finishedFilesAgreeWithTheirTrips(seed: UInt64) throws {
        let mart = try BuiltMart()
        let contents = ReferenceGeneration(seed: seed, count: 900).declaredContents()
        let built = try mart.writer.write(contents)
        #expect(try GenerationChecker.check(built.path, includingIntegrity: true) == [])
    }

    @Test(arguments: [
        "UPDATE kpi_measure SET sum = sum + 1 WHERE measure = 'paid' AND region = '08'",
        "UPDATE kpi_measure SET known_trips = known_trips - 1 WHERE measure = 'seen'",
        "DELETE FROM kpi_measure WHERE measure = 'all_seen' AND region = '10'",
        """
        INSERT INTO kpi_measure
            SELECT measure, '1999-01', trip_type, region, class, basis, 1, 1 FROM kpi_measure LIMIT 1
        """,
        "UPDATE kpi_measure_value SET trips = trips + 1 WHERE value > 100",
        "UPDATE kpi_measure_value SET value = value + 100000 WHERE value % 7 = 3",
        "DELETE FROM kpi_measure_value WHERE value = 1",
        "UPDATE kpi_dimension SET cost_cents = cost_cents + 1 WHERE value = ''",
        "UPDATE kpi_dimension SET costed_trips = costed_trips + 1 WHERE class = 'in_house'",
        "DELETE FROM kpi_dimension WHERE region = 'UNKNOWN'",
        "UPDATE kpi_dimension SET value = 'moved' WHERE value = '512'",
    ])
    func everyFaultIsFound(fault: String) throws {
        let (mart, path) = try Self.built()
        #expect(try GenerationChecker.check(path) == [])
        try BuiltMart.tamper(path, fault)
        expectFailure(.imbalance) { try GenerationChecker.require(path) }
        _ = mart
    }

    /// A pipeline that declares nothing has the tables of before.
    @Test func withoutDeclarationsThereIsNoTable() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 1, count: 50))
        for path in [built.path, built.historyPath, built.kpiPath] {
            let tables = try BuiltMart.rows(
                path,
                """
                SELECT name FROM sqlite_schema
                WHERE name LIKE 'kpi_measure%' OR name IN ('measure', 'dimension', 'kpi_dimension')
                """
            )
            #expect(tables.isEmpty)
        }
    }
}
