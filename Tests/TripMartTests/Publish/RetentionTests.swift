import Testing

@testable import TripMart

@Suite struct RetentionTests {
    @Test func oldGenerationsAreRemovedAndThePublishedOneStays() throws {
        let mart = try BuiltMart()
        for seed in 1...5 { try mart.publish(ReferenceGeneration(seed: UInt64(seed), count: 5)) }
        let changed = try FileSystem.status(mart.folder.generationPath(1)).changedAt
        #expect(try Retention.apply(to: mart.folder, now: changed + 3600) == [])
        #expect(try Retention.apply(to: mart.folder, now: changed + 2 * 86_400) == [1, 2])
        #expect(try mart.folder.generationNumbers() == [3, 4, 5])
        #expect(try mart.folder.historyNumbers() == [1, 2, 3, 4, 5])
        let left = try FileSystem.names(in: mart.folder.generationsPath)
        #expect(left.count == 12)

        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000003.sqlite")
        #expect(try Retention.apply(to: mart.folder, keep: 1, now: changed + 9 * 86_400) == [4])
        #expect(try mart.folder.generationNumbers() == [3, 5])
        #expect(try mart.folder.nextNumber() == 6)
    }

    /// Saved changes lead to one generation, and are shown with no other.
    @Test func theChangesThatLedToARemovedGenerationGoWithIt() throws {
        let mart = try BuiltMart()
        for seed in 1...5 { try mart.publish(ReferenceGeneration(seed: UInt64(seed), count: 5)) }
        func save(to numbers: [Int]) throws {
            for number in numbers {
                let from = number - 1
                let changes = GenerationChanges(from: from, to: number, causes: [], cells: [])
                _ = try changes.save(in: mart.folder)
            }
        }
        func saved() throws -> Set<String> {
            Set(try FileSystem.names(in: mart.folder.changesPath))
        }
        try save(to: [2, 3, 5])
        let changed = try FileSystem.status(mart.folder.generationPath(1)).changedAt
        #expect(try Retention.apply(to: mart.folder, now: changed + 2 * 86_400) == [1, 2])
        #expect(try saved() == ["000003.sqlite", "000005.sqlite"])

        // A removal that was cut short, and changes that were saved of what is there no more.
        try save(to: [2])
        try Publication(mart.folder).recover()
        #expect(try saved() == ["000003.sqlite", "000005.sqlite"])
    }

    /// Where its history file is lost, the generation's own file is all that is left of it.
    @Test(arguments: ["no file", "no sums", "damaged", "another's"])
    func aGenerationWhoseHistoryIsNotIntactStays(how: String) throws {
        let mart = try BuiltMart()
        for seed in 1...5 { try mart.publish(ReferenceGeneration(seed: UInt64(seed), count: 5)) }
        let path = mart.folder.historyPath(1)
        switch how {
        case "no file": try FileSystem.remove(path)
        case "no sums": try FileSystem.remove(SumFile.path(for: path))
        case "damaged": try FileDamage.flip(path, at: 9000)
        default:
            for name in [{ $0 }, SumFile.path(for:)] as [(String) -> String] {
                let other = name(mart.folder.historyPath(2))
                try FileSystem.copy(other, to: name(path), mode: 0o640)
            }
        }
        let changed = try FileSystem.status(mart.folder.generationPath(1)).changedAt
        #expect(try Retention.apply(to: mart.folder, now: changed + 9 * 86_400) == [2])
        #expect(try mart.folder.generationNumbers() == [1, 3, 4, 5])
    }

    /// Generation files that are missing were not removed by a run where they were among the newest
    /// or have no history.
    @Test func whatBelongsToLostFilesStays() throws {
        let mart = try BuiltMart()
        for seed in 1...6 { try mart.publish(ReferenceGeneration(seed: UInt64(seed), count: 5)) }
        for number in 1...5 { try FileSystem.remove(mart.folder.generationPath(number)) }
        try FileSystem.remove(mart.folder.historyPath(2))
        try Publication(mart.folder).recover()
        let left = try FileSystem.names(in: mart.folder.generationsPath)
        let numbers = Set(left.compactMap { MartFolder.number(ofName: $0) })
        #expect(numbers == [2, 4, 5, 6])
    }

    /// A process may end between the removal of a generation's file and that of its sums.
    @Test func theNextRunCompletesARemovalThatWasCutShort() throws {
        let mart = try BuiltMart()
        for seed in 1...4 { try mart.publish(ReferenceGeneration(seed: UInt64(seed), count: 5)) }
        let before = Set(try FileSystem.names(in: mart.folder.generationsPath))
        try FileSystem.remove(mart.folder.generationPath(1))
        // Below the served one, and not below all: what is missing here may be restored.
        try FileSystem.remove(mart.folder.generationPath(3))
        try Publication(mart.folder).recover()
        let left = Set(try FileSystem.names(in: mart.folder.generationsPath))
        let gone = before.subtracting(left)
        #expect(gone.allSatisfy { $0.hasPrefix("000001.") || $0 == "000003.sqlite" }, "\(gone)")
        #expect(left.allSatisfy { !$0.hasPrefix("000001.") }, "\(left)")
        #expect(try mart.folder.servedNumber() == 4)
    }
}
