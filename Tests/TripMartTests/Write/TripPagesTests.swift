import Testing
import TripDomain

@testable import TripMart

/// Compares trips written as pages with the same trips inserted row by row through SQLite.
@Suite struct TripPagesTests {
    /// The queries of both files: all values with their types, and each index by itself.
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
    func pagesEqualInsertedRows(count: Int, distinctLimit: Int) throws {
        let reference = ReferenceGeneration(seed: UInt64(count + distinctLimit), count: count)
        try expectEqual(reference, distinctLimit: distinctLimit, portionSizes: [nil, nil])
    }

    /// Leaf runs and blocks of any size give the same result: a block that was used before, one
    /// that is not full, a last leaf run of nearly two.
    @Test(arguments: [2, 7, 64, 1000])
    func leafRunSizeDoesNotChangeTheFile(leafRunSize: Int) throws {
        let reference = ReferenceGeneration(seed: 12, count: leafRunSize == 2 ? 300 : 3000)
        try expectEqual(reference, distinctLimit: 25, portionSizes: [leafRunSize, nil])
        try expectEqual(reference, distinctLimit: 25, portionSizes: [nil, leafRunSize])
    }

    /// Writes pages with the first size of leaf runs, and inserts rows with the second.
    private func expectEqual(
        _ reference: ReferenceGeneration,
        distinctLimit: Int,
        portionSizes: [Int?]
    ) throws {
        let mart = try BuiltMart()
        let answers = try zip([true, false], portionSizes).map { writesPages, leafRunSize in
            var writer = mart.writer
            writer.distinctLimit = distinctLimit
            writer.writesPages = writesPages
            writer.leafRunSize = leafRunSize
            let built = try writer.write(reference.contents())
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

    @Test func twoTripsWithOneIDAreAnImbalance() throws {
        let mart = try BuiltMart()
        var contents = ReferenceGeneration(seed: 8, count: 40).contents()
        contents.acceptedOrder.append(contents.acceptedOrder[0])
        let error = #expect(throws: MartError.self) { try mart.writer.write(contents) }
        #expect(error?.code == .imbalance)
    }
}
