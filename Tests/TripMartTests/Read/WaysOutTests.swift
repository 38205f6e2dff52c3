import Testing
import TripDomain

@testable import TripMart

/// Only ways out that work are offered.
@Suite struct WaysOutTests {
    private static func mart() throws -> BuiltMart {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...3 {
            let reference = ReferenceGeneration(seed: seed, count: 40)
            try mart.archiveExports(of: reference)
            try mart.publish(reference)
        }
        return mart
    }

    @Test func bothWaysLeadOutOfOneDamagedFile() throws {
        let mart = try Self.mart()
        try FileDamage.flip(mart.folder.generationPath(3), at: 9000)
        let ways = try mart.folder.waysOut(of: 3)
        #expect(ways.isHistoryWhole && ways.isRebuildable && ways.older == 2)
    }

    @Test func withoutHistoryOnlyARollbackLeadsOut() throws {
        let mart = try Self.mart()
        for path in [mart.folder.generationPath(3), mart.folder.historyPath(3)] {
            try FileDamage.flip(path, at: 9000)
        }
        let ways = try mart.folder.waysOut(of: 3)
        #expect(!ways.isHistoryWhole && !ways.isRebuildable && ways.older == 2)
    }

    /// Each of the three files of the generation to go back to is looked at.
    @Test(arguments: ["generation", "history", "kpi"])
    func aRollbackLeadsToWholeFiles(file: String) throws {
        let mart = try Self.mart()
        let folder = mart.folder
        let path =
            switch file {
            case "generation": folder.generationPath(2)
            case "history": folder.historyPath(2)
            default: folder.kpiPath(2)
            }
        try FileDamage.flip(path, at: 9000)
        #expect(try folder.waysOut(of: 3).older == 1)
        #expect(try folder.waysOut(of: 3).isRebuildable)
    }

    @Test func withoutItsExportsNothingIsBuilt() throws {
        let mart = try Self.mart()
        for shelf in try FileSystem.names(in: mart.folder.archivePath) {
            let path = mart.folder.archivePath + "/" + shelf
            for name in try FileSystem.names(in: path) { try FileSystem.remove(path + "/" + name) }
        }
        let ways = try mart.folder.waysOut(of: 3)
        #expect(ways.isHistoryWhole && !ways.isRebuildable && ways.older == nil)
    }

    /// A copy brings its own sums, and its own number.
    @Test func theFileOfAnotherGenerationIsDamaged() throws {
        let mart = try Self.mart()
        let folder = mart.folder
        func replace(_ path: (Int) -> String) throws {
            for name in [{ $0 }, SumFile.path(for:)] as [(String) -> String] {
                try FileSystem.copy(name(path(2)), to: name(path(3)), mode: 0o640)
            }
        }
        try replace(folder.generationPath)
        expectFailure(.damaged) { _ = try ServedMart.open(folder) }
        var answered: Int?
        let number = try folder.answer {
            answered = $1
        } _: {
            $0.header.number
        }
        #expect(number == 2 && answered == 2)
        #expect(!folder.isWhole(3) && folder.isWhole(2))
        try replace(folder.historyPath)
        expectFailure(.damaged) { _ = try PublishedCube.open(folder, generation: 3) }
        try replace(folder.kpiPath)
        expectFailure(.damaged) { try folder.requireWholeKPI(3) }
    }
}
