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
        "SELECT * FROM trip ORDER BY trip_number", "SELECT * FROM patient ORDER BY patient_ref",
        "SELECT type, name, sql FROM sqlite_schema ORDER BY name",
        "EXPLAIN QUERY PLAN SELECT * FROM trip_row WHERE trip_id = 'T-1'",
        "EXPLAIN QUERY PLAN SELECT trip_number FROM trip_row WHERE trip_type = 1 AND region = 2",
        "PRAGMA integrity_check", "PRAGMA foreign_key_check",
    ]

    @Test(arguments: [0, 1, 2, 60, 3000], [25, 65_536])
    func pagesEqualInsertedRows(count: Int, distinctLimit: Int) throws {
        let reference = ReferenceGeneration(seed: UInt64(count + distinctLimit), count: count)
        try expectEqual(reference, distinctLimit: distinctLimit, leafRunSize: nil)
    }

    /// Leaf runs and blocks of any size give the same result: a block that was used before, one
    /// that is not full, a last leaf run of nearly two.
    @Test(arguments: [2, 7, 64, 1000])
    func leafRunSizeDoesNotChangeTheFile(leafRunSize: Int) throws {
        let reference = ReferenceGeneration(seed: 12, count: leafRunSize == 2 ? 300 : 3000)
        try expectEqual(reference, distinctLimit: 25, leafRunSize: leafRunSize)
    }

    /// Writes pages, replaces the trips in a copy of the file by inserted ones, and compares both.
    private func expectEqual(
        _ reference: ReferenceGeneration,
        distinctLimit: Int,
        leafRunSize: Int?
    ) throws {
        let mart = try BuiltMart()
        var writer = mart.writer
        writer.distinctLimit = distinctLimit
        writer.leafRunSize = leafRunSize
        let contents = reference.contents()
        let built = try writer.write(contents)
        let inserted = mart.temporary.path + "/inserted.sqlite"
        try FileSystem.writeNew(try FileSystem.readAll(built.path), to: inserted, mode: 0o600)
        try InsertedTrips(contents, keys: mart.keys).write(to: inserted)
        for path in [built.path, inserted] {
            for leafCount in [1, 3, 256] {
                #expect(try GenerationChecker.check(path, leafCount: leafCount).isEmpty)
            }
        }
        for question in Self.questions {
            let isEqual =
                try BuiltMart.rows(built.path, question) == BuiltMart.rows(inserted, question)
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
