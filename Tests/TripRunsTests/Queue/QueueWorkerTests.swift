import Foundation
import Testing
import TripDomain
import TripMart
import TripReports

@testable import TripRuns

@Suite struct QueueWorkerTests {
    private static let now: Int64 = 1_793_600_000

    private static func id(_ digit: Character) -> String { String(repeating: digit, count: 32) }

    /// Queues a request and lets a worker carry it out.
    private static func carriedOut(
        _ folder: ChangeFolder,
        _ digit: Character = "a",
        plan: String? = nil
    ) throws -> RunEnding {
        let queue = RunQueue(MartFolder(path: folder.options.martPath))
        _ = try queue.add(id(digit), RunRequest(at: now, by: "second", plan: plan))
        #expect(try work(folder) == 1)
        guard case .ended(let ending)? = try queue.run(id(digit))?.state else {
            throw RunError(.internalError, summary: "", what: "It has not ended.", remedies: [])
        }
        return ending
    }

    private static func worker(
        _ folder: ChangeFolder,
        pause: @escaping () -> Bool = { false }
    ) -> QueueWorker {
        QueueWorker(
            options: folder.options,
            output: RunScreens(),
            now: { now },
            pause: pause,
            report: { _, _ in }
        )
    }

    private static func work(
        _ folder: ChangeFolder,
        pause: @escaping () -> Bool = { false }
    ) throws -> Int? {
        // The nights before are listed.
        _ = try RunLog(MartFolder(path: folder.options.martPath))
        return try worker(folder, pause: pause).perform()
    }

    private static func plan(_ folder: ChangeFolder) throws -> String {
        let options = folder.night.options { $0.madeBy = "first" }
        return try Planning(options: options, progress: Progress())
            .answer(isSaved: true).id
    }

    @Test func anEditIsPublishedAndListed() throws {
        let folder = try ChangeFolder(seed: 61, trips: 200)
        try SampleEdit.basis.make(folder)
        let ending = try Self.carriedOut(folder)
        #expect(ending.outcome == .published)
        #expect(ending.exitCode == 0 && ending.generation == 2 && ending.at == Self.now)
        #expect(ending.summary.hasPrefix("PUBLISHED 2 | "))
        let list = try #require(
            try RunLog.openIfPresent(MartFolder(path: folder.options.martPath))
        )
        let listed = try list.run(try #require(ending.run))
        #expect(listed.generation == 2 && listed.outcome == "published")
        #expect(listed.command == "runs work aaaaaaaa")
        #expect(try Self.work(folder) == 0)
    }

    @Test func aRunThatDiedAfterItPublishedIsOver() throws {
        let folder = try ChangeFolder(seed: 68, trips: 200)
        try SampleEdit.basis.make(folder)
        let before = try Self.carriedOut(folder, plan: Self.plan(folder))
        #expect(before.outcome == .published && before.generation == 2)
        let mart = MartFolder(path: folder.options.martPath)
        // The state of a process that died before it recorded how the run ended.
        let files = ["ended", "running"].map { "\(mart.queuePath)/\(Self.id("a")).\($0)" }
        try FileManager.default.moveItem(atPath: files[0], toPath: files[1])
        #expect(try Self.work(folder) == 0)
        guard case .ended(let ending)? = try RunQueue(mart).run(Self.id("a"))?.state else {
            Issue.record("expected an ending")
            return
        }
        #expect(ending.outcome == .published && ending.generation == 2)
        #expect(ending.run == before.run)
        let list = try #require(try RunLog.openIfPresent(mart))
        #expect(try list.list().filter { $0.command.hasPrefix("runs work") }.count == 1)
    }

    @Test func aRequestWaitsForARunningRun() throws {
        let folder = try ChangeFolder(seed: 67, trips: 100)
        try SampleEdit.basis.make(folder)
        let mart = MartFolder(path: folder.options.martPath)
        let queue = RunQueue(mart)
        _ = try queue.add(Self.id("a"), RunRequest(at: Self.now, by: "second", plan: nil))
        let night = try MartLock.acquire(mart, command: "run", now: Self.now)
        #expect(try Self.work(folder) == 0)
        #expect(try queue.run(Self.id("a"))?.state == .waiting)
        var pauses = 0
        let count = try Self.work(folder) {
            pauses += 1
            if pauses == 3 { night.release() }
            return true
        }
        #expect(count == 1 && pauses == 3)
        guard case .ended(let ending)? = try queue.run(Self.id("a"))?.state else {
            Issue.record("expected an ending")
            return
        }
        #expect(ending.outcome == .published)
    }

    @Test func withoutAnEditARequestPublishesNothing() throws {
        let folder = try ChangeFolder(seed: 62, trips: 100)
        let ending = try Self.carriedOut(folder)
        #expect(ending.outcome == .unchanged && ending.exitCode == 0 && ending.generation == 1)
    }

    @Test func aRequestedPlanIsPublishedUnchangedOrNotAtAll() throws {
        let folder = try ChangeFolder(seed: 63, trips: 200)
        try SampleEdit.basis.make(folder)
        let plan = try Self.plan(folder)
        let ending = try Self.carriedOut(folder, "b", plan: plan)
        #expect(ending.outcome == .published)
        #expect(try folder.served.header.number == 2)
        let again = try Self.carriedOut(folder, "c", plan: plan)
        #expect(again.outcome == .failed && again.exitCode == 14 && again.generation == 2)
        let unknown = try Self.carriedOut(folder, "d", plan: "00000000")
        #expect(unknown.outcome == .failed && unknown.exitCode == 66 && unknown.run == nil)
    }

    @Test func theRequesterIsTheSecondPerson() throws {
        let folder = try ChangeFolder(seed: 64, trips: 200)
        try folder.replace(
            "pipeline/pipeline.yaml",
            "changes: {rules: hold, reference: hold}",
            "changes: {rules: hold, reference: hold, approval: second_person}"
        )
        let without = try Self.carriedOut(folder, "e")
        #expect(without.outcome == .failed && without.exitCode == 11)
        let ending = try Self.carriedOut(folder, "f", plan: try Self.plan(folder))
        #expect(ending.outcome == .published)
        let approvals = try SQLiteDump.query(
            folder.served.file.path,
            "SELECT value FROM meta WHERE key IN ('made_by', 'approved_by') ORDER BY key"
        )
        #expect(approvals == ["second", "first"])
    }

    @Test func aRequestCancelledWhileItClassifiesPublishesNothing() throws {
        let folder = try ChangeFolder(seed: 65, trips: 200)
        try SampleEdit.basis.make(folder)
        let mart = MartFolder(path: folder.options.martPath)
        let queue = RunQueue(mart)
        _ = try queue.add(Self.id("a"), RunRequest(at: Self.now, by: "second", plan: nil))
        // Cancelled as soon as the worker has begun.
        let worker = QueueWorker(
            options: folder.options,
            output: RunScreens(),
            now: {
                if let run = try? queue.run(Self.id("a")), case .running = run.state {
                    // The test checks below whether the cancellation had an effect.
                    _ = try? queue.cancel(Self.id("a"), now: Self.now)
                }
                return Self.now
            },
            pause: { false },
            report: { _, _ in }
        )
        #expect(try worker.perform() == 1)
        guard case .ended(let ending)? = try queue.run(Self.id("a"))?.state else {
            Issue.record("expected an ending")
            return
        }
        #expect(ending.outcome == .cancelled && ending.exitCode == 130)
        #expect(try folder.served.header.number == 1)
        let list = try #require(try RunLog.openIfPresent(mart))
        #expect(try list.run(try #require(ending.run)).exitCode == 130)
    }

    @Test func aSecondWorkerDoesNothing() throws {
        let folder = try ChangeFolder(seed: 66, trips: 60)
        let queue = RunQueue(MartFolder(path: folder.options.martPath))
        _ = try queue.add(Self.id("a"), RunRequest(at: Self.now, by: "second", plan: nil))
        let other = try queue.worker(now: Self.now)
        #expect(other != nil)
        #expect(try Self.work(folder) == nil)
        withExtendedLifetime(other) {}
    }

    @Test func aWorkerThatStandsReadyCarriesOutWhatComes() throws {
        let folder = try ChangeFolder(seed: 69, trips: 60)
        let queue = RunQueue(MartFolder(path: folder.options.martPath))
        let worker = Self.worker(folder)
        let ready = try #require(try worker.standReady())
        #expect(try queue.hasWorker())
        #expect(try worker.standReady() == nil)
        #expect(try worker.perform(ready) == 0)
        _ = try queue.add(Self.id("a"), RunRequest(at: Self.now, by: "second", plan: nil))
        // Another process leaves it alone.
        #expect(try Self.work(folder) == nil)
        #expect(try worker.perform(ready) == 1)
        guard case .ended? = try queue.run(Self.id("a"))?.state else {
            Issue.record("expected an ending")
            return
        }
        #expect(try queue.hasWorker())
    }

    @Test func whereThereIsNoMartNoRequestIsAwaited() throws {
        let folder = try ChangeFolder(seed: 70, trips: 60)
        try FileManager.default.removeItem(atPath: folder.options.martPath)
        let worker = Self.worker(folder)
        #expect(throws: MartError.self) { try worker.perform() }
        #expect(throws: MartError.self) { try worker.standReady() }
        #expect(!FileManager.default.fileExists(atPath: folder.options.martPath))
    }
}
