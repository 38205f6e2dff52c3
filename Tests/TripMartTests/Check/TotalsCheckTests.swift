import TestSupport
import Testing
import TripDomain

@testable import TripMart

@Suite struct TotalsCheckTests {
    @Test(arguments: [
        // A cell of the cube changed, dropped or invented, at any height.
        "UPDATE kpi_cube SET trips = trips + 1 WHERE month = 'all' AND region = '08'",
        """
        UPDATE kpi_cube SET loaded_miles_hundredths = loaded_miles_hundredths + 1
        WHERE month <> 'all' AND region = '08' AND trip_type = 'BLS'
        """,
        "DELETE FROM kpi_cube WHERE month = 'all' AND region = '08' AND trip_type = 'all'",
        "DELETE FROM kpi_cube WHERE month <> 'all' AND region = '08' AND trip_type = 'BLS'",
        // The split by class and basis.
        "UPDATE kpi_basis SET cost_cents = cost_cents - 1 WHERE basis = 'contract'",
        "DELETE FROM kpi_basis WHERE class = 'in_house' AND region = 'UNKNOWN'",
        """
        UPDATE kpi_basis SET class = 'contracted', basis = 'other' WHERE basis = 'va_fleet'
        """,
        // The account.
        "UPDATE bridge SET trips = trips + 1 WHERE status = 'cancelled' AND counted = 0",
        "UPDATE bridge SET trips = trips + 1 WHERE counted = 1",
        "UPDATE ledger SET cents = cents + 1 WHERE term = 'read' AND file_number = 2",
        "UPDATE ledger SET items = items + 1 WHERE term IN ('read', 'accepted')",
        "UPDATE ledger SET items = items - 1 WHERE term = 'withdrawn' AND items > 0",
        "UPDATE source_file SET status = 'withdrawn'",
        "DELETE FROM reject WHERE number = 1", "UPDATE reject SET unpriced = 0",
        // The months of the trips.
        "UPDATE trip_location_month SET trips = trips - 1 WHERE trips > 1",
        "DELETE FROM month WHERE month = (SELECT min(month) FROM month)",
        // A trip where none can be.
        "INSERT INTO patient VALUES(1, x'00')",
        "INSERT INTO trip_version VALUES('T', 1, 'duplicate', 1, 1, 1, NULL)",
    ])
    func everyFaultIsFound(fault: String) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 6, count: 400)
        let built = try mart.writer.write(TripLocationTests.contents(reference))
        #expect(try GenerationChecker.check(built.path, includingIntegrity: true) == [])
        try BuiltMart.tamper(built.path, fault)
        expectFailure(.imbalance) { try GenerationChecker.require(built.path) }
    }

    @Test(arguments: [
        "UPDATE kpi_measure SET sum = sum + 1 WHERE measure = 'far'",
        "UPDATE kpi_measure SET known_trips = known_trips + 1000000",
        "DELETE FROM kpi_measure_value WHERE value = (SELECT min(value) FROM kpi_measure_value)",
        "UPDATE kpi_dimension SET trips = trips + 1",
        "DELETE FROM kpi_dimension WHERE value = (SELECT max(value) FROM kpi_dimension)",
    ])
    func everyFaultOfDeclaredSumsIsFound(fault: String) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 7, count: 400)
        var contents = TripLocationTests.contents(reference)
        contents.summary.declared = reference.declaredContents().summary.declared
        let built = try mart.writer.write(contents)
        #expect(try GenerationChecker.check(built.path) == [])
        try BuiltMart.tamper(built.path, fault)
        expectFailure(.imbalance) { try GenerationChecker.require(built.path) }
    }
}
