import Glibc
import Testing
import TripDomain

@testable import TripMart

@Suite struct PublicationTests {
    @Test(arguments: [false, true], 0...Publication.Step.order(withdrawing: false).count)
    func killBetweenAnyTwoStepsLeavesTheOldGenerationOrTheNew(
        withdraws: Bool,
        stepCount: Int
    ) throws {
        let mart = try BuiltMart()
        let old = ReferenceGeneration(seed: 1, count: 60)
        let new = ReferenceGeneration(seed: 2, count: 70)
        try mart.publish(old)
        let built = try mart.build(new)
        let publication = Publication(mart.folder)
        let steps = Publication.Step.order(withdrawing: withdraws).prefix(stepCount)
        for step in steps { try publication.run(step, built) }
        let isNew = steps.contains(.moveServedLink)
        try Self.expect(mart, isNew ? new : old)
        // Readers of the suppressed cube never see what a rollback withdraws.
        let kpi = try FileSystem.linkTarget(mart.folder.kpiLinkPath)
        if withdraws, isNew { #expect(kpi == "generations/000002.kpi.sqlite") }

        // The next run cleans up, publishes, and uses a number that was never used. It can be
        // killed as well.
        for _ in 0..<2 { try publication.recover() }
        try Self.expect(mart, isNew ? new : old)
        #expect(
            try FileSystem.linkTarget(mart.folder.kpiLinkPath)
                == "generations/00000\(isNew ? 2 : 1).kpi.sqlite"
        )
        #expect(try mart.folder.historyNumbers() == (isNew ? [1, 2] : [1]))
        #expect(try mart.folder.publishedNumbers() == (isNew ? [1, 2] : [1]))
        let third = ReferenceGeneration(seed: 3, count: 80)
        let served = try mart.publish(third)
        try Self.expect(mart, third)
        // As soon as the number is marked, it counts as used.
        #expect(served.header.number == (steps.isEmpty ? 2 : 3))
        let left = try FileSystem.names(in: mart.folder.generationsPath)
        #expect(!left.contains { $0.hasPrefix(".") })
        let marks = try FileSystem.names(in: mart.folder.historyPath).filter {
            $0.hasSuffix(".unpublished")
        }
        #expect(marks == (steps.isEmpty || isNew ? [] : ["000002.unpublished"]))
    }

    /// A first run that died is no mart that lost its generations.
    @Test(arguments: 0...Publication.Step.order(withdrawing: false).count)
    func theFirstRunMayDieAtAnyStep(stepCount: Int) throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 1, count: 60))
        let steps = Publication.Step.order(withdrawing: false).prefix(stepCount)
        for step in steps {
            try Publication(mart.folder).run(step, built)
            // The exports were taken in after the mark was left.
            try mart.archive("a.csv")
        }
        try Publication(mart.folder).recover()
        let isServed = steps.contains(.moveServedLink)
        #expect(try mart.folder.servedNumber() == (isServed ? 1 : nil))
        #expect(try mart.folder.publishedNumbers() == (isServed ? [1] : []))
        try mart.publish(ReferenceGeneration(seed: 2, count: 70))
    }

    /// A step that fails after the link has moved is completed by the next run.
    @Test func aLinkThatCannotMoveIsMovedByTheNextRun() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 60))
        let built = try mart.build(ReferenceGeneration(seed: 2, count: 70))
        try FileSystem.remove(mart.folder.kpiLinkPath)
        try FileSystem.makeFolder(mart.folder.kpiLinkPath, mode: 0o750)
        expectFailure(.cannotCreate) { try Publication(mart.folder).publish(built) }
        #expect(try ServedMart.open(mart.folder).header.number == 2)
        expectFailure(.cannotCreate) { try Publication(mart.folder).recover() }
        #expect(rmdir(mart.folder.kpiLinkPath) == 0)
        try Publication(mart.folder).recover()
        #expect(
            try FileSystem.linkTarget(mart.folder.kpiLinkPath) == "generations/000002.kpi.sqlite"
        )
        #expect(try mart.folder.publishedNumbers() == [1, 2])
    }

    @Test func recoveryAfterEveryOutcomeIsRepeatable() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 60))
        let before = try FileSystem.names(in: mart.folder.generationsPath)
        for _ in 0..<3 { try Publication(mart.folder).recover() }
        #expect(try FileSystem.names(in: mart.folder.generationsPath) == before)
    }

    @Test func existingNameIsNeverOverwritten() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 1, count: 6))
        try FileSystem.writeNew([1, 2, 3], to: mart.folder.generationPath(1), mode: 0o640)
        expectFailure(.numberTaken) { try Publication(mart.folder).publish(built) }
        #expect(try FileSystem.readAll(mart.folder.generationPath(1)) == [1, 2, 3])
        #expect(try mart.folder.linkedNumber() == nil)
        // It is not marked as a file that may be removed.
        expectFailure(.incomplete) { try Publication(mart.folder).recover() }
        #expect(try FileSystem.readAll(mart.folder.generationPath(1)) == [1, 2, 3])
    }

    @Test func openReaderKeepsItsGeneration() throws {
        let mart = try BuiltMart()
        let old = try mart.publish(ReferenceGeneration(seed: 1, count: 60))
        let trips = try old.trips(TripFilter(), limit: 100).trips
        try mart.publish(ReferenceGeneration(seed: 2, count: 70))
        #expect(try old.trips(TripFilter(), limit: 100).trips == trips)
        #expect(try ServedMart.open(mart.folder).header.number == 2)
    }

    @Test func linksAreRelative() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 6))
        #expect(
            try FileSystem.linkTarget(mart.folder.servedLinkPath) == "generations/000001.sqlite"
        )
        #expect(
            try FileSystem.linkTarget(mart.folder.kpiLinkPath) == "generations/000001.kpi.sqlite"
        )
    }

    @Test func historyFileHasTheSameNumbers() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 1, count: 300)
        let served = try mart.publish(reference)
        let kept = try PublishedCube.open(mart.folder, generation: 1)
        #expect(try kept.cube() == served.cube())
        #expect(try kept.basisCells() == served.basisCells())
        #expect(try kept.files() == reference.files())
        #expect(try kept.inputs() == served.inputs())
        #expect(kept.header == served.header)
    }

    @Test func volumesCountNewFilesAlone() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 1, count: 300)
        try mart.publish(reference)
        try mart.publish(reference)
        let volumes = try History(mart.folder).volumes(last: 5)
        #expect(volumes.map(\.newFiles) == [5, 0])
        #expect(volumes[0].newRecords == reference.files().reduce(0) { $0 + $1.recordCount })
        #expect(volumes[1].sums == ReferenceGeneration.sums(reference.trips))
        #expect(try History(mart.folder).volumes(last: 1).map(\.newRecords) == [0])
    }

    /// After a history file that is missing, nothing tells which files were new.
    @Test(arguments: [1, 2, 3])
    func volumesLeaveOutWhatALostHistoryFileHid(lost: Int) throws {
        let mart = try BuiltMart()
        for seed in 1...4 { try mart.publish(ReferenceGeneration(seed: UInt64(seed), count: 30)) }
        try FileSystem.remove(mart.folder.historyPath(lost))
        let numbers = try History(mart.folder).volumes(last: 9).map(\.number)
        #expect(numbers == [1, 2, 3, 4].filter { $0 != lost && $0 != lost + 1 })
    }

    private static func expect(_ mart: BuiltMart, _ reference: ReferenceGeneration) throws {
        let served = try ServedMart.open(mart.folder)
        #expect(try served.cube() == reference.cube())
        let ids = try served.trips(TripFilter(), limit: 1000).trips.map(\.tripID)
        #expect(ids == reference.trips.map(\.id).reversed())
        try SumFile.verify(served.file.path)
    }
}
