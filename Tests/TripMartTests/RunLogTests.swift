import Testing

@testable import TripMart

@Suite struct RunLogTests {
    @Test func runIsWrittenDownFromItsBeginningToItsEnd() throws {
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

    @Test func runThatEndedWithoutAWordDied() throws {
        let mart = try BuiltMart()
        let number = try RunLog(mart.folder).begin(command: "run", startedAt: "x")
        let again = try RunLog(mart.folder)
        #expect(try again.run(number).outcome == "died")
        #expect(try again.run(number).endedAt == nil)
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

    @Test func foreignFileIsRefused() throws {
        let mart = try BuiltMart()
        try BuiltMart.tamper(mart.folder.runLogPath, "CREATE TABLE theirs(a)")
        expectFailure(.foreignFile) { _ = try RunLog(mart.folder) }
    }
}
