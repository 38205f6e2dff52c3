import Testing
import TripDomain

@testable import TripMart

@Suite struct GenerationChangesTests {
    private static func sums(trips: Int64, cents: Int64) -> KPISums {
        var sums = KPISums()
        (sums[.trips], sums[.costCents]) = (trips, cents)
        return sums
    }

    private static let changes = GenerationChanges(
        from: 7,
        to: 8,
        causes: [
            GenerationChanges.Cause(kind: "rules", name: "rules.yaml:3: rule own added"),
            GenerationChanges.Cause(kind: "late", name: "late trips"),
        ],
        cells: [
            GenerationChanges.Cell(
                cause: 0,
                month: "2026-01",
                tripType: "BLS",
                region: "08",
                sums: sums(trips: 0, cents: -500)
            ),
            GenerationChanges.Cell(
                cause: 1,
                month: "2026-02",
                tripType: "BLS",
                region: "UNKNOWN",
                sums: sums(trips: 3, cents: 700)
            ),
        ]
    )

    @Test func whatIsSavedIsRead() throws {
        let mart = try BuiltMart()
        let path = try Self.changes.save(in: mart.folder)
        #expect(path == mart.folder.changesPath(8))
        #expect(try GenerationChanges(to: 8, in: mart.folder) == Self.changes)
        // The same once more: the file is replaced, and nothing else stays behind.
        _ = try Self.changes.save(in: mart.folder)
        #expect(try FileSystem.names(in: mart.folder.changesPath) == ["000008.sqlite"])
    }

    @Test func othersAreNotFound() throws {
        let mart = try BuiltMart()
        expectFailure(.notFound) { _ = try GenerationChanges(to: 8, in: mart.folder) }
    }

    /// A file under another number is none of that generation.
    @Test func aFileOfAnotherGenerationIsDamaged() throws {
        let mart = try BuiltMart()
        let path = try Self.changes.save(in: mart.folder)
        try FileSystem.move(path, to: mart.folder.changesPath(9))
        expectFailure(.damaged) { _ = try GenerationChanges(to: 9, in: mart.folder) }
    }
}
