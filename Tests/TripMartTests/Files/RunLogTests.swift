import Testing

@testable import TripMart

@Suite struct RunLogTests {
    @Test func runIsRecordedFromStartToEnd() throws {
        let mart = try BuiltMart()
        let log = try RunLog(mart.folder)
        let lock = try MartLock.acquire(mart.folder, command: "run", now: 1)
        let number = try log.begin(command: "run", startedAt: "2026-11-01 02:14:00 -04:00")
        #expect(try log.run(number).outcome == "running")
        try log.finish(
            number,
            endedAt: "2026-11-01 02:14:04 -04:00",
            exitCode: 10,
            outcome: "published",
            generation: 418,
            summary: "one line",
            details: "{}"
        )
        let run = try log.run(number)
        #expect(run.outcome == "published")
        #expect(run.exitCode == 10)
        #expect(run.generation == 418)
        #expect(run.details == "{}")
        lock.release()
    }

    /// A list that begins beside published generations is not the first one.
    @Test(arguments: ["missing", "empty"])
    func aLostListIsNoticed(how: String) throws {
        let mart = try BuiltMart()
        #expect(try !RunLog(mart.folder).hasLostRuns)
        try mart.publish(ReferenceGeneration(seed: 1, count: 5))
        #expect(try !RunLog(mart.folder).hasLostRuns)
        try FileSystem.remove(mart.folder.runLogPath)
        if how == "empty" {
            try FileSystem.writeNew([], to: mart.folder.runLogPath, mode: 0o640)
        }
        #expect(try RunLog(mart.folder).hasLostRuns)
        // It is said once.
        #expect(try !RunLog(mart.folder).hasLostRuns)
    }

    @Test func runWithoutAnEndDied() throws {
        let mart = try BuiltMart()
        let number = try RunLog(mart.folder).begin(command: "run", startedAt: "x")
        let again = try RunLog(mart.folder)
        #expect(try again.run(number).outcome == "died")
        #expect(try again.run(number).endedAt == nil)
    }

    @Test func runThatStoppedAfterMovingTheLinkHasPublished() throws {
        let mart = try BuiltMart()
        let log = try RunLog(mart.folder)
        // The first died before its generation had a name, so the second got the same number.
        for _ in 1...2 {
            try log.announce(log.begin(command: "run", startedAt: "x"), generation: 1)
        }
        #expect(try log.list().map(\.outcome) == ["died", "died"])
        try mart.publish(ReferenceGeneration(seed: 1, count: 50))
        #expect(try log.list().map(\.outcome) == ["published", "died"])
    }

    @Test func listIsReadWithoutWriting() throws {
        let mart = try BuiltMart()
        #expect(try RunLog.openIfPresent(mart.folder) == nil)
        #expect(!FileSystem.exists(mart.folder.runLogPath))
        _ = try RunLog(mart.folder).begin(command: "run", startedAt: "x")
        let reader = try #require(try RunLog.openIfPresent(mart.folder))
        #expect(try reader.list().count == 1)
        #expect(throws: MartError.self) { try reader.begin(command: "run", startedAt: "x") }
    }

    @Test func listIsNewestFirstAndNumbersAreNotReused() throws {
        let mart = try BuiltMart()
        let log = try RunLog(mart.folder)
        for index in 1...4 {
            #expect(try log.begin(command: "run \(index)", startedAt: "x") == index)
        }
        #expect(try log.list(limit: 3).map(\.number) == [4, 3, 2])
        expectFailure(.notFound) { _ = try log.run(9) }
    }

    @Test func otherFileIsRefused() throws {
        let mart = try BuiltMart()
        try BuiltMart.tamper(mart.folder.runLogPath, "CREATE TABLE theirs(a)")
        expectFailure(.foreignFile) { _ = try RunLog(mart.folder) }
        expectFailure(.foreignFile) { _ = try RunLog.openIfPresent(mart.folder) }
    }
}
