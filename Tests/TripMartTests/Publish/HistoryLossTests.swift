import Testing

@testable import TripMart

/// What is missing of the history is found by names alone.
@Suite struct HistoryLossTests {
    private static func mart(count: Int = 5) throws -> BuiltMart {
        let mart = try BuiltMart()
        for seed in 1...count {
            try mart.publish(ReferenceGeneration(seed: UInt64(seed), count: 5))
        }
        return mart
    }

    @Test func aWholeHistoryLacksNothing() throws {
        #expect(try BuiltMart().folder.historyLoss().isEmpty)
        let mart = try Self.mart()
        #expect(try mart.folder.historyLoss().isEmpty)
        // The files of old generations are removed; their history stays.
        for number in 1...2 { try FileSystem.remove(mart.folder.generationPath(number)) }
        #expect(try mart.folder.historyLoss().isEmpty)
    }

    @Test(arguments: [[1], [5], [2, 3], [1, 3, 5], [1, 2, 3, 4, 5]])
    func missingFilesAreFound(numbers: [Int]) throws {
        let mart = try Self.mart()
        for number in numbers { try FileSystem.remove(mart.folder.historyPath(number)) }
        let loss = try mart.folder.historyLoss()
        #expect(loss.files.flatMap(Array.init) == numbers && loss.sums.isEmpty)
        #expect(loss.path == mart.folder.historyPath)
    }

    @Test(arguments: [[3], [1, 2, 3, 4, 5]])
    func missingSumsAreFound(numbers: [Int]) throws {
        let mart = try Self.mart()
        for number in numbers {
            try FileSystem.remove(SumFile.path(for: mart.folder.historyPath(number)))
        }
        let loss = try mart.folder.historyLoss()
        #expect(loss.sums == numbers && loss.files.isEmpty)
    }

    /// An early version wrote sums beside generations alone.
    @Test func generationsOfAnEarlyVersionHaveNoSums() throws {
        let mart = try Self.mart()
        for number in 1...3 {
            for path in [mart.folder.historyPath(number), mart.folder.kpiPath(number)] {
                try FileSystem.remove(SumFile.path(for: path))
            }
        }
        #expect(try mart.folder.historyLoss().isEmpty)
    }

    /// A number that no reader was meant to see has a mark instead.
    @Test func aNumberThatWasNeverPublishedIsNotMissing() throws {
        let mart = try Self.mart(count: 1)
        let built = try mart.build(ReferenceGeneration(seed: 2, count: 5))
        for step in [Publication.Step.mark, .syncFiles, .writeSums, .nameHistory] {
            try Publication(mart.folder).run(step, built)
        }
        try Publication(mart.folder).recover()
        try mart.publish(ReferenceGeneration(seed: 3, count: 5))
        #expect(try mart.folder.historyNumbers() == [1, 3])
        #expect(try mart.folder.historyLoss().isEmpty)
    }
}
