import Testing
import TripDomain

@testable import TripMart

/// Trips written as pages against the same trips inserted row by row through SQLite.
@Suite struct TripPagesTests {
    /// What is asked of both files: all values with their types, and each index by itself.
    static let questions = [
        "SELECT * FROM trip_row ORDER BY trip_number",
        "SELECT typeof(trip_id), typeof(pickup_at), typeof(ratio), typeof(patient_ref) "
            + "FROM trip_row ORDER BY trip_number",
        "SELECT trip_id, trip_number FROM trip_row INDEXED BY trip_row_trip_id ORDER BY trip_id",
        "SELECT trip_type, region, trip_number FROM trip_row INDEXED BY trip_row_type_region "
            + "ORDER BY trip_type, region, trip_number",
        "SELECT * FROM trip ORDER BY trip_number",
        "SELECT type, name, sql FROM sqlite_schema ORDER BY name",
        "EXPLAIN QUERY PLAN SELECT * FROM trip_row WHERE trip_id = 'T-1'",
        "EXPLAIN QUERY PLAN SELECT trip_number FROM trip_row WHERE trip_type = 1 AND region = 2",
        "PRAGMA integrity_check", "PRAGMA foreign_key_check",
    ]

    @Test(arguments: [0, 1, 2, 60, 3000], [25, 65_536])
    func pagesHoldWhatInsertedRowsHold(count: Int, distinctLimit: Int) throws {
        let twin = TwinGeneration(seed: UInt64(count + distinctLimit), count: count)
        try expectEqual(twin, distinctLimit: distinctLimit, portionSizes: [nil, nil])
    }

    /// Portions and blocks of any size hold the same: a block that was used before, one that is not
    /// full, a last portion of nearly two.
    @Test(arguments: [2, 7, 64, 1000])
    func portionsLeaveNoTrace(portionSize: Int) throws {
        let twin = TwinGeneration(seed: 12, count: portionSize == 2 ? 300 : 3000)
        try expectEqual(twin, distinctLimit: 25, portionSizes: [portionSize, nil])
        try expectEqual(twin, distinctLimit: 25, portionSizes: [nil, portionSize])
    }

    /// Writes pages with the first size of portions, and inserts rows with the second.
    private func expectEqual(
        _ twin: TwinGeneration,
        distinctLimit: Int,
        portionSizes: [Int?]
    ) throws {
        let mart = try BuiltMart()
        let answers = try zip([true, false], portionSizes).map { writesPages, portionSize in
            var writer = mart.writer
            writer.distinctLimit = distinctLimit
            writer.writesPages = writesPages
            writer.portionSize = portionSize
            let built = try writer.write(twin.contents())
            for leafCount in [1, 3, 256] {
                #expect(try GenerationChecker.check(built.path, leafCount: leafCount).isEmpty)
            }
            return try Self.questions.map { try BuiltMart.rows(built.path, $0) }
        }
        for (index, question) in Self.questions.enumerated() {
            let isEqual = answers[0][index] == answers[1][index]
            #expect(isEqual, "\(question)")
        }
    }

    @Test func twoTripsOfOneIDAreAnImbalance() throws {
        let mart = try BuiltMart()
        var contents = TwinGeneration(seed: 8, count: 40).contents()
        contents.acceptedOrder.append(contents.acceptedOrder[0])
        let error = #expect(throws: MartError.self) { try mart.writer.write(contents) }
        #expect(error?.code == .imbalance)
    }
}
