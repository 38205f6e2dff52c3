import Testing
import TripDomain

@testable import TripMart

@Suite struct ServingFolderTests {
    @Test func anEmptyMartServesNothing() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        #expect(serving.refresh().isNone)
        #expect(serving.current == nil)
        #expect(!serving.isFallenBack)
    }

    @Test func theServedGenerationFollowsTheLink() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        #expect(serving.refresh().isMoved(to: 1))
        #expect(serving.refresh().isNone)
        let held = try #require(serving.current)
        try mart.publish(ReferenceGeneration(seed: 2, count: 50))
        #expect(serving.current?.header.number == 1)
        #expect(serving.refresh().isMoved(to: 2))
        // A request that holds the older generation still reads it, even where its file was
        // removed.
        let trips = held.whole.cell(ServedFilter()).trips
        try FileSystem.remove(mart.folder.generationPath(1))
        #expect(held.whole.cell(ServedFilter()).trips == trips)
        try mart.publish(ReferenceGeneration(seed: 3, count: 60))
        #expect(serving.refresh().isMoved(to: 3))
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(serving.refresh().isMoved(to: 2))
        #expect(serving.generation(3) != nil)
    }

    /// Repairing the link is enough to end the failure.
    @Test func aRepairedLinkEndsTheFallback() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        for seed: UInt64 in 1...2 { try mart.publish(ReferenceGeneration(seed: seed, count: 40)) }
        #expect(serving.refresh().isMoved(to: 2))
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/nothing.sqlite")
        #expect(serving.refresh().isFailed(at: nil))
        #expect(serving.refresh().isNone && serving.isFallenBack)
        #expect(serving.current?.header.number == 2)
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(serving.refresh().isNone)
        #expect(!serving.isFallenBack)
    }

    /// A copy without links is served with its newest generation, and says that it fell back.
    @Test func aStartWithoutALinkServesTheNewestGeneration() throws {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...2 { try mart.publish(ReferenceGeneration(seed: seed, count: 40)) }
        try FileSystem.remove(mart.folder.servedLinkPath)
        let serving = ServingFolder(mart.folder)
        guard case .failed(generation: nil, let error) = serving.refresh() else {
            Issue.record("a missing link was taken for an empty mart")
            return
        }
        #expect(error.code == .incomplete && error.remedy.contains("ln -sfn"))
        #expect(serving.current?.header.number == 2 && serving.isFallenBack)
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(serving.refresh().isNone && !serving.isFallenBack)
    }

    /// A restored file is served where the link still names it, and not otherwise.
    @Test func aFailedGenerationIsTriedAgainWhereTheLinkNamesIt() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        _ = serving.refresh()
        try mart.publish(ReferenceGeneration(seed: 2, count: 40))
        try FileDamage.flip(mart.folder.generationPath(2), at: 5000)
        #expect(serving.refresh().isFailed(at: 2))
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000001.sqlite")
        try FileDamage.flip(mart.folder.generationPath(2), at: 5000)
        #expect(serving.retry().isNone)
        #expect(serving.current?.header.number == 1 && !serving.isFallenBack)
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(serving.refresh().isMoved(to: 2))
    }

    /// A sum file that cannot be read does not mean that the file is damaged.
    @Test func aGenerationThatCannotBeInspectedStaysServed() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        _ = serving.refresh()
        let sums = SumFile.path(for: mart.folder.generationPath(1))
        let bytes = try FileSystem.readAll(sums)
        try FileSystem.remove(sums)
        guard case .uninspected(generation: 1, _) = serving.inspected else {
            Issue.record("missing sums were taken for damage")
            return
        }
        #expect(serving.current?.header.number == 1 && !serving.isFallenBack)
        try FileSystem.writeNew(bytes, to: sums, mode: 0o640)
        #expect(serving.inspected.isNone)
    }

    @Test(arguments: ["generation", "kpi"])
    func anUnreadableGenerationLeavesTheOlderOneServed(file: String) throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        _ = serving.refresh()
        try mart.publish(ReferenceGeneration(seed: 2, count: 50))
        let path = file == "kpi" ? mart.folder.kpiPath(2) : mart.folder.generationPath(2)
        try FileDamage.overwrite(path, at: 0, count: 100)
        #expect(serving.refresh().isFailed(at: 2))
        #expect(serving.current?.header.number == 1)
        #expect(serving.isFallenBack)
        // The failure is reported once.
        #expect(serving.refresh().isNone)
        try mart.publish(ReferenceGeneration(seed: 3, count: 60))
        #expect(serving.refresh().isMoved(to: 3))
        #expect(!serving.isFallenBack)
    }

    @Test func aStartFallsBackToTheNewestReadableGeneration() throws {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...3 { try mart.publish(ReferenceGeneration(seed: seed, count: 40)) }
        try FileSystem.remove(mart.folder.generationPath(3))
        try FileDamage.overwrite(mart.folder.kpiPath(2), at: 0, count: 100)
        let serving = ServingFolder(mart.folder)
        #expect(serving.refresh().isFailed(at: 3))
        #expect(serving.current?.header.number == 1)
        #expect(serving.isFallenBack)
    }

    /// The open generation is undamaged, and there is no other.
    @Test func theOnlyGenerationStaysServedWhenItsFileIsRemoved() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(ReferenceGeneration(seed: 1, count: 400))
        #expect(serving.refresh().isMoved(to: 1))
        let path = mart.folder.generationPath(1)
        let bytes = try FileSystem.readAll(path)
        try FileSystem.remove(path)
        #expect(serving.refresh().isFailed(at: 1))
        #expect(serving.refresh().isNone)
        #expect(serving.current?.header.number == 1 && serving.isFallenBack)
        try FileSystem.writeNew(bytes, to: path, mode: 0o640)
        #expect(serving.refresh().isNone)
        #expect(!serving.isFallenBack)
    }

    @Test(arguments: [true, false])
    func aRemovedLinkIsAFailure(isStartedAgain: Bool) throws {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...2 { try mart.publish(ReferenceGeneration(seed: seed, count: 40)) }
        var serving = ServingFolder(mart.folder)
        #expect(serving.refresh().isMoved(to: 2))
        try FileSystem.remove(mart.folder.servedLinkPath)
        if isStartedAgain { serving = ServingFolder(mart.folder) }
        #expect(serving.refresh().isFailed(at: nil))
        #expect(serving.current?.header.number == 2 && serving.isFallenBack)
        #expect(serving.refresh().isNone)
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(serving.refresh().isNone)
        #expect(!serving.isFallenBack)
    }
}
