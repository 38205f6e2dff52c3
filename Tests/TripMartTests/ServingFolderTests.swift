import Testing
import TripDomain

@testable import TripMart

@Suite struct ServingFolderTests {
    private static func isMoved(_ change: ServingFolder.Change, to number: Int) -> Bool {
        if case .moved(let generation) = change {
            generation.header.number == number
        } else {
            false
        }
    }

    private static func isFailed(_ change: ServingFolder.Change, at number: Int?) -> Bool {
        if case .failed(let generation, _) = change { generation == number } else { false }
    }

    /// What inspecting found first; none where everything is whole.
    private static func inspected(_ serving: ServingFolder) -> ServingFolder.Change {
        serving.inspect().first { !isNone($0) } ?? .none
    }

    private static func isNone(_ change: ServingFolder.Change) -> Bool {
        if case .none = change { true } else { false }
    }

    @Test func anEmptyMartServesNothing() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        #expect(Self.isNone(serving.refresh()))
        #expect(serving.current == nil)
        #expect(!serving.isFallenBack)
    }

    @Test func itMovesOnWithTheLinkAndBackWithIt() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(TwinGeneration(seed: 1, count: 40))
        #expect(Self.isMoved(serving.refresh(), to: 1))
        #expect(Self.isNone(serving.refresh()))
        let held = try #require(serving.current)
        try mart.publish(TwinGeneration(seed: 2, count: 50))
        #expect(serving.current?.header.number == 1)
        #expect(Self.isMoved(serving.refresh(), to: 2))
        // Whoever holds the older one still reads it, whatever became of its file.
        let trips = held.whole.cell(ServedFilter()).trips
        try FileSystem.remove(mart.folder.generationPath(1))
        #expect(held.whole.cell(ServedFilter()).trips == trips)
        try mart.publish(TwinGeneration(seed: 3, count: 60))
        #expect(Self.isMoved(serving.refresh(), to: 3))
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(Self.isMoved(serving.refresh(), to: 2))
        #expect(serving.generation(3) != nil)
    }

    /// Whoever mends the link ends the fault, with nothing else to do.
    @Test func aLinkThatIsMendedEndsTheFallback() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        for seed: UInt64 in 1...2 { try mart.publish(TwinGeneration(seed: seed, count: 40)) }
        #expect(Self.isMoved(serving.refresh(), to: 2))
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/nothing.sqlite")
        #expect(Self.isFailed(serving.refresh(), at: nil))
        #expect(Self.isNone(serving.refresh()) && serving.isFallenBack)
        #expect(serving.current?.header.number == 2)
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(Self.isNone(serving.refresh()))
        #expect(!serving.isFallenBack)
    }

    /// A file that becomes whole is served where the link still names it, and not otherwise.
    @Test func whatFailedIsTriedAgainWhereTheLinkStillNamesIt() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(TwinGeneration(seed: 1, count: 40))
        _ = serving.refresh()
        try mart.publish(TwinGeneration(seed: 2, count: 40))
        try FileDamage.flip(mart.folder.generationPath(2), at: 5000)
        #expect(Self.isFailed(serving.refresh(), at: 2))
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000001.sqlite")
        try FileDamage.flip(mart.folder.generationPath(2), at: 5000)
        #expect(Self.isNone(serving.retry()))
        #expect(serving.current?.header.number == 1 && !serving.isFallenBack)
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(Self.isMoved(serving.refresh(), to: 2))
    }

    /// Sums that cannot be read say nothing of the file.
    @Test func whatCannotBeInspectedStaysServed() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(TwinGeneration(seed: 1, count: 40))
        _ = serving.refresh()
        let sums = SumFile.path(for: mart.folder.generationPath(1))
        let bytes = try FileSystem.readAll(sums)
        try FileSystem.remove(sums)
        guard case .uninspected(generation: 1, _) = Self.inspected(serving) else {
            Issue.record("missing sums were taken for damage")
            return
        }
        #expect(serving.current?.header.number == 1 && !serving.isFallenBack)
        try FileSystem.writeNew(bytes, to: sums, mode: 0o640)
        #expect(Self.isNone(Self.inspected(serving)))
    }

    /// No bit of either file, changed before it is opened, ends the process or changes a number unnoticed.
    @Test(arguments: ["generation", "kpi"])
    func aFileThatWasDamagedBeforeTheStartIsServedUnchangedOrNotAtAll(file: String) throws {
        let mart = try BuiltMart()
        try mart.publish(TwinGeneration(seed: 1, count: 400))
        let path = file == "kpi" ? mart.folder.kpiPath(1) : mart.folder.generationPath(1)
        let size = try FileSystem.status(path).size
        let whole = try ServedGeneration(mart.folder, number: 1)
        var generator = SplitMix64(seed: 11)
        var refusedCount = 0
        for _ in 0..<120 {
            let offset = Int64.random(in: 0..<size, using: &generator)
            try FileDamage.flip(path, at: offset)
            let serving = ServingFolder(mart.folder)
            _ = serving.refresh()
            _ = serving.inspect()
            if let served = serving.current {
                let (found, expected) = (served.suppressed, whole.suppressed)
                let all = ServedFilter()
                #expect(found.byMonth(all).map(\.cell) == expected.byMonth(all).map(\.cell))
                #expect(found.byRegion(all).map(\.cell) == expected.byRegion(all).map(\.cell))
            } else {
                refusedCount += 1
            }
            try FileDamage.flip(path, at: offset)
        }
        #expect(refusedCount > 0)
    }

    /// The very bit that makes two keys one, which a primary key does not keep a scan from meeting.
    @Test func aKeyThatIsThereTwiceIsRefused() throws {
        let mart = try BuiltMart()
        try mart.publish(TwinGeneration(seed: 1, count: 400))
        let path = mart.folder.kpiPath(1)
        let bytes = try FileSystem.readAll(path)
        let text = Array("-02".utf8)
        var refusedCount = 0
        for place in bytes.indices.dropLast(3) where Array(bytes[place..<place + 3]) == text {
            // -02 becomes -03.
            try FileDamage.flip(path, at: Int64(place) + 2)
            let serving = ServingFolder(mart.folder)
            if Self.isFailed(serving.refresh(), at: 1) { refusedCount += 1 }
            try FileDamage.flip(path, at: Int64(place) + 2)
        }
        #expect(refusedCount > 0)
    }

    @Test(arguments: ["generation", "kpi"])
    func whatCannotBeReadLeavesTheOlderOneServed(file: String) throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(TwinGeneration(seed: 1, count: 40))
        _ = serving.refresh()
        try mart.publish(TwinGeneration(seed: 2, count: 50))
        let path = file == "kpi" ? mart.folder.kpiPath(2) : mart.folder.generationPath(2)
        try FileDamage.overwrite(path, at: 0, count: 100)
        #expect(Self.isFailed(serving.refresh(), at: 2))
        #expect(serving.current?.header.number == 1)
        #expect(serving.isFallenBack)
        // It is said once.
        #expect(Self.isNone(serving.refresh()))
        try mart.publish(TwinGeneration(seed: 3, count: 60))
        #expect(Self.isMoved(serving.refresh(), to: 3))
        #expect(!serving.isFallenBack)
    }

    @Test func aStartFallsBackToTheNewestThatCanBeRead() throws {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...3 { try mart.publish(TwinGeneration(seed: seed, count: 40)) }
        try FileSystem.remove(mart.folder.generationPath(3))
        try FileDamage.overwrite(mart.folder.kpiPath(2), at: 0, count: 100)
        let serving = ServingFolder(mart.folder)
        #expect(Self.isFailed(serving.refresh(), at: 3))
        #expect(serving.current?.header.number == 1)
        #expect(serving.isFallenBack)
    }

    @Test func everyFlippedBitIsFoundAndTheGenerationBeforeIsServed() throws {
        let mart = try BuiltMart()
        try mart.publish(TwinGeneration(seed: 1, count: 40))
        try mart.publish(TwinGeneration(seed: 2, count: 50))
        let path = mart.folder.generationPath(2)
        let size = try FileSystem.status(path).size
        var generator = SplitMix64(seed: 7)
        for _ in 0..<60 {
            let serving = ServingFolder(mart.folder)
            #expect(Self.isMoved(serving.refresh(), to: 2))
            #expect(Self.isNone(Self.inspected(serving)))
            let offset = Int64.random(in: 0..<size, using: &generator)
            try FileDamage.flip(path, at: offset)
            #expect(Self.isFailed(Self.inspected(serving), at: 2))
            #expect(serving.current?.header.number == 1)
            #expect(serving.generation(2) == nil)
            #expect(Self.isNone(serving.refresh()) && Self.isNone(serving.retry()))
            // Somebody puts the file back.
            try FileDamage.flip(path, at: offset)
            #expect(Self.isMoved(serving.retry(), to: 2))
            #expect(!serving.isFallenBack)
        }
    }

    @Test func whatIsDamagedBeforeItIsTakenUpIsNeverServed() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(TwinGeneration(seed: 1, count: 40))
        #expect(Self.isMoved(serving.refresh(), to: 1))
        try mart.publish(TwinGeneration(seed: 2, count: 50))
        let path = mart.folder.generationPath(2)
        // In the middle of the file, where opening it reads nothing.
        let offset = try FileSystem.status(path).size / 2
        try FileDamage.flip(path, at: offset)
        #expect(Self.isFailed(serving.refresh(), at: 2))
        #expect(serving.current?.header.number == 1 && serving.isFallenBack)
        try FileDamage.flip(path, at: offset)
        #expect(Self.isMoved(serving.retry(), to: 2))
    }

    @Test func aSuppressedCubeThatShowsOtherNumbersIsNotServed() throws {
        let statements = [
            "UPDATE kpi_cube SET trips = trips + 1 WHERE month <> 'all' AND region = 'all'",
            "DELETE FROM kpi_cube WHERE month <> 'all' AND region = '08' AND trip_type = 'all'",
            "UPDATE kpi_cube SET cost_cents = 5 WHERE cost_cents IS NULL",
            "UPDATE kpi_cube SET region = '09' WHERE region = '08'",
            "UPDATE kpi_cube SET trips = 0 WHERE trips IS NULL",
        ]
        for statement in statements {
            let mart = try BuiltMart()
            try mart.publish(TwinGeneration(seed: 1, count: 400))
            try BuiltMart.tamper(mart.folder.kpiPath(1), statement)
            let serving = ServingFolder(mart.folder)
            #expect(Self.isFailed(serving.refresh(), at: 1), "\(statement)")
            #expect(serving.current == nil)
        }
    }

    /// Nobody has to ask for an inspection: the next look finds a file that is another one.
    @Test(arguments: ["changed", "cut", "gone"])
    func aServedFileThatChangesIsFoundByTheNextLook(how: String) throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        for seed: UInt64 in 1...2 { try mart.publish(TwinGeneration(seed: seed, count: 400)) }
        #expect(Self.isMoved(serving.refresh(), to: 2))
        let path = mart.folder.generationPath(2)
        let bytes = try FileSystem.readAll(path)
        try FileSystem.remove(path)
        if how != "gone" {
            let others = how == "cut" ? Array(bytes[..<8192]) : bytes.map { $0 ^ 1 }
            try FileSystem.writeNew(others, to: path, mode: 0o640)
        }
        #expect(Self.isFailed(serving.refresh(), at: 2))
        #expect(serving.current?.header.number == 1 && serving.isFallenBack)
        #expect(Self.isNone(serving.refresh()))
        // Somebody puts it back.
        if how != "gone" { try FileSystem.remove(path) }
        try FileSystem.writeNew(bytes, to: path, mode: 0o640)
        #expect(Self.isMoved(serving.refresh(), to: 2))
        #expect(!serving.isFallenBack)
    }

    /// What is open is still whole, and nothing else is there.
    @Test func theOnlyGenerationWhoseFileIsGoneIsServedAndSaidToBeGone() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(TwinGeneration(seed: 1, count: 400))
        #expect(Self.isMoved(serving.refresh(), to: 1))
        let path = mart.folder.generationPath(1)
        let bytes = try FileSystem.readAll(path)
        try FileSystem.remove(path)
        #expect(Self.isFailed(serving.refresh(), at: 1))
        #expect(Self.isNone(serving.refresh()))
        #expect(serving.current?.header.number == 1 && serving.isFallenBack)
        try FileSystem.writeNew(bytes, to: path, mode: 0o640)
        #expect(Self.isNone(serving.refresh()))
        #expect(!serving.isFallenBack)
    }

    @Test(arguments: [true, false])
    func aLinkThatIsTakenAwayIsAFault(isStartedAgain: Bool) throws {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...2 { try mart.publish(TwinGeneration(seed: seed, count: 40)) }
        var serving = ServingFolder(mart.folder)
        #expect(Self.isMoved(serving.refresh(), to: 2))
        try FileSystem.remove(mart.folder.servedLinkPath)
        if isStartedAgain { serving = ServingFolder(mart.folder) }
        #expect(Self.isFailed(serving.refresh(), at: nil))
        #expect(serving.current?.header.number == 2 && serving.isFallenBack)
        #expect(Self.isNone(serving.refresh()))
        try FileSystem.swapLink(mart.folder.servedLinkPath, to: "generations/000002.sqlite")
        #expect(Self.isNone(serving.refresh()))
        #expect(!serving.isFallenBack)
    }

    /// A list of it would go on with other trips than it began with.
    @Test func anOlderGenerationThatIsDamagedIsClosed() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        for seed: UInt64 in 1...2 {
            try mart.publish(TwinGeneration(seed: seed, count: 400))
            _ = serving.refresh()
        }
        #expect(serving.generation(1) != nil)
        #expect(!serving.takeSuspicion())
        try FileDamage.flip(mart.folder.generationPath(1), at: 9000)
        serving.suspect()
        #expect(serving.takeSuspicion() && !serving.takeSuspicion())
        guard case .closed(generation: 1, _) = Self.inspected(serving) else {
            Issue.record("the damage was not found")
            return
        }
        #expect(serving.generation(1) == nil)
        #expect(serving.current?.header.number == 2 && !serving.isFallenBack)
    }

    @Test func filesOfTwoGenerationsAreNotServed() throws {
        let mart = try BuiltMart()
        try mart.publish(TwinGeneration(seed: 1, count: 40))
        try mart.publish(TwinGeneration(seed: 2, count: 50))
        try FileSystem.remove(mart.folder.kpiPath(2))
        try FileSystem.moveToNewName(mart.folder.kpiPath(1), mart.folder.kpiPath(2))
        let serving = ServingFolder(mart.folder)
        #expect(Self.isFailed(serving.refresh(), at: 2))
        #expect(serving.current == nil)
    }
}
