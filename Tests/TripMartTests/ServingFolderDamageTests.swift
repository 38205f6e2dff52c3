import TestSupport
import Testing
import TripDomain

@testable import TripMart

/// Damaged files.
@Suite struct ServingFolderDamageTests {
    /// No bit of either file that is changed before it is opened ends the process or changes a
    /// number unnoticed.
    @Test(arguments: ["generation", "kpi"])
    func aFileDamagedBeforeTheStartIsServedUnchangedOrNotAtAll(file: String) throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 400))
        let path = file == "kpi" ? mart.folder.kpiPath(1) : mart.folder.generationPath(1)
        let size = try FileSystem.status(path).size
        let whole = try ServedGeneration(mart.folder, number: 1)
        var generator = SeededDice(seed: 11)
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

    /// One bit can make two keys equal; a scan reads both, in spite of the primary key.
    @Test func aDuplicateKeyIsRefused() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 400))
        let path = mart.folder.kpiPath(1)
        let bytes = try FileSystem.readAll(path)
        let text = Array("-02".utf8)
        var refusedCount = 0
        for offset in bytes.indices.dropLast(3) where Array(bytes[offset..<offset + 3]) == text {
            // -02 becomes -03.
            try FileDamage.flip(path, at: Int64(offset) + 2)
            let serving = ServingFolder(mart.folder)
            if serving.refresh().isFailed(at: 1) { refusedCount += 1 }
            try FileDamage.flip(path, at: Int64(offset) + 2)
        }
        #expect(refusedCount > 0)
    }

    /// One bit can make two months equal, which would be counted twice.
    @Test func aDuplicateMonthIsRefused() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 400))
        let path = mart.folder.generationPath(1)
        let months = try ServedMart.open(mart.folder, generation: 1).months()
        let month = try #require(months.first { $0.month.text.hasSuffix("-02") })
        let row = Array((month.month.text + month.label).utf8)
        let bytes = try FileSystem.readAll(path)
        let offsets = bytes.indices.dropLast(row.count).filter {
            bytes[$0..<$0 + row.count].elementsEqual(row)
        }
        #expect(offsets.count == 1)
        // -02 becomes -03.
        let digit = Int64(try #require(offsets.first)) + Int64(month.month.text.utf8.count) - 1
        try FileDamage.flip(path, at: digit)
        expectFailure(.damaged) { _ = try ServedGeneration(mart.folder, number: 1) }
    }

    @Test func everyFlippedBitIsFoundAndTheGenerationBeforeIsServed() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        try mart.publish(ReferenceGeneration(seed: 2, count: 50))
        let path = mart.folder.generationPath(2)
        let size = try FileSystem.status(path).size
        var generator = SeededDice(seed: 7)
        for _ in 0..<60 {
            let serving = ServingFolder(mart.folder)
            #expect(serving.refresh().isMoved(to: 2))
            #expect(serving.inspected.isNone)
            let offset = Int64.random(in: 0..<size, using: &generator)
            try FileDamage.flip(path, at: offset)
            #expect(serving.inspected.isFailed(at: 2))
            #expect(serving.current?.header.number == 1)
            #expect(serving.generation(2) == nil)
            #expect(serving.refresh().isNone && serving.retry().isNone)
            // An operator restores the file.
            try FileDamage.flip(path, at: offset)
            #expect(serving.retry().isMoved(to: 2))
            #expect(!serving.isFallenBack)
        }
    }

    @Test func aGenerationDamagedBeforeItIsOpenedIsNeverServed() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        #expect(serving.refresh().isMoved(to: 1))
        try mart.publish(ReferenceGeneration(seed: 2, count: 50))
        let path = mart.folder.generationPath(2)
        // A byte in the middle of the file, which opening it does not read.
        let offset = try FileSystem.status(path).size / 2
        try FileDamage.flip(path, at: offset)
        #expect(serving.refresh().isFailed(at: 2))
        #expect(serving.current?.header.number == 1 && serving.isFallenBack)
        try FileDamage.flip(path, at: offset)
        #expect(serving.retry().isMoved(to: 2))
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
            try mart.publish(ReferenceGeneration(seed: 1, count: 400))
            try BuiltMart.tamper(mart.folder.kpiPath(1), statement)
            let serving = ServingFolder(mart.folder)
            #expect(serving.refresh().isFailed(at: 1), "\(statement)")
            #expect(serving.current == nil)
        }
    }

    /// The next refresh finds a replaced file without an explicit inspection.
    @Test(arguments: ["changed", "cut", "gone"])
    func aServedFileThatChangesIsFoundByTheNextRefresh(how: String) throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        for seed: UInt64 in 1...2 { try mart.publish(ReferenceGeneration(seed: seed, count: 400)) }
        #expect(serving.refresh().isMoved(to: 2))
        let path = mart.folder.generationPath(2)
        let bytes = try FileSystem.readAll(path)
        try FileSystem.remove(path)
        if how != "gone" {
            let others = how == "cut" ? Array(bytes[..<8192]) : bytes.map { $0 ^ 1 }
            try FileSystem.writeNew(others, to: path, mode: 0o640)
        }
        #expect(serving.refresh().isFailed(at: 2))
        #expect(serving.current?.header.number == 1 && serving.isFallenBack)
        #expect(serving.refresh().isNone)
        // An operator restores it.
        if how != "gone" { try FileSystem.remove(path) }
        try FileSystem.writeNew(bytes, to: path, mode: 0o640)
        #expect(serving.refresh().isMoved(to: 2))
        #expect(!serving.isFallenBack)
    }

    /// A list of it would continue with other trips than before.
    @Test func anOlderGenerationThatIsDamagedIsClosed() throws {
        let mart = try BuiltMart()
        let serving = ServingFolder(mart.folder)
        for seed: UInt64 in 1...2 {
            try mart.publish(ReferenceGeneration(seed: seed, count: 400))
            _ = serving.refresh()
        }
        #expect(serving.generation(1) != nil)
        #expect(!serving.takeSuspicion())
        try FileDamage.flip(mart.folder.generationPath(1), at: 9000)
        serving.suspect()
        #expect(serving.takeSuspicion() && !serving.takeSuspicion())
        guard case .closed(generation: 1, _) = serving.inspected else {
            Issue.record("the damage was not found")
            return
        }
        #expect(serving.generation(1) == nil)
        #expect(serving.current?.header.number == 2 && !serving.isFallenBack)
    }

    @Test func filesOfTwoGenerationsAreNotServed() throws {
        let mart = try BuiltMart()
        try mart.publish(ReferenceGeneration(seed: 1, count: 40))
        try mart.publish(ReferenceGeneration(seed: 2, count: 50))
        try FileSystem.remove(mart.folder.kpiPath(2))
        try FileSystem.moveToNewName(mart.folder.kpiPath(1), mart.folder.kpiPath(2))
        let serving = ServingFolder(mart.folder)
        #expect(serving.refresh().isFailed(at: 2))
        #expect(serving.current == nil)
    }
}
