import Dispatch
import Glibc
import Testing

@testable import TripDomain
@testable import TripMart

@Suite struct RunQueueTests {
    private let temporary = TemporaryFolder()
    private var queue: RunQueue { RunQueue(MartFolder(path: temporary.path)) }

    private static func id(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    private static func request(_ at: Int64, plan: String? = nil) -> RunRequest {
        RunRequest(at: at, by: "analyst", plan: plan)
    }

    private static let published = RunEnding(
        at: 90,
        outcome: .published,
        exitCode: 0,
        run: 4,
        generation: 2,
        summary: "PUBLISHED 2 | as asked"
    )

    @Test func aRequestIsAddedOnceForItsID() throws {
        let first = try queue.add(Self.id(1), Self.request(10, plan: "0a1b2c3d"))
        #expect(first.state == .waiting)
        #expect(first.request == Self.request(10, plan: "0a1b2c3d"))
        // The first request with an id stays in force.
        #expect(try queue.add(Self.id(1), Self.request(20)) == first)
        #expect(try queue.all() == [first])
        #expect(try queue.run(Self.id(1)) == first)
        #expect(try queue.run(Self.id(2)) == nil)
    }

    @Test(arguments: ["", "1", "../../../../etc/passwd", String(repeating: "g", count: 32)])
    func noOtherTextIsAnID(id: String) throws {
        #expect(try queue.run(id) == nil)
        guard case .unknown = try queue.cancel(id, now: 1) else {
            Issue.record("expected nothing of that name")
            return
        }
    }

    @Test func oldestRequestsStartFirstAndKeepTheirOutcome() throws {
        for (number, at) in [(1, 30), (2, 10), (3, 20)] {
            _ = try queue.add(Self.id(number), Self.request(Int64(at)))
        }
        let worker = try #require(try queue.worker(now: 40))
        for number in [2, 3, 1] {
            let run = try #require(try worker.next(now: 50))
            #expect(run.id == Self.id(number))
            #expect(run.state == .running(since: 50, stage: nil))
            try worker.end(run.id, Self.published)
            #expect(try queue.run(run.id)?.state == .ended(Self.published))
        }
        #expect(try worker.next(now: 60) == nil)
        #expect(try queue.all().map(\.id) == [1, 3, 2].map(Self.id))
        #expect(try !queue.hasWork())
    }

    @Test func oneProcessAtATimeWorks() throws {
        var worker = try queue.worker(now: 1)
        #expect(worker != nil)
        #expect(try queue.worker(now: 1) == nil)
        worker = nil
        #expect(try queue.worker(now: 1) != nil)
    }

    @Test func aWorkerIsSeenForAsLongAsItLives() throws {
        #expect(try !queue.hasWorker())
        // Nothing is made by looking.
        #expect(!FileSystem.exists(temporary.path + "/queue"))
        var worker = try queue.worker(now: 1)
        #expect(worker != nil)
        #expect(try queue.hasWorker())
        worker = nil
        #expect(try !queue.hasWorker())
        // Looking leaves the right free.
        #expect(try queue.worker(now: 1) != nil)
    }

    /// A process may end between writing a file and giving it its name.
    @Test func theNextWorkerRemovesWhatWasNeverNamed() throws {
        let waiting = try queue.add(Self.id(1), Self.request(10))
        let draft = temporary.path + "/queue/." + Self.id(2) + ".stage.new"
        try FileSystem.writeNew([0x61], to: draft, mode: 0o660)
        _ = try queue.worker(now: 40)
        #expect(!FileSystem.exists(draft))
        #expect(try queue.all() == [waiting])
    }

    @Test func progressOfARunIsRead() throws {
        _ = try queue.add(Self.id(1), Self.request(10))
        let worker = try #require(try queue.worker(now: 40))
        _ = try worker.next(now: 50)
        let stage = RunStage(name: "deciding", done: 3, total: 8)
        #expect(try worker.note(stage, of: Self.id(1)))
        #expect(try queue.run(Self.id(1))?.state == .running(since: 50, stage: stage))
    }

    @Test func runsAreCancelledBeforeTheyWrite() throws {
        for number in 1...2 { _ = try queue.add(Self.id(number), Self.request(Int64(number))) }
        guard case .accepted(let waiting) = try queue.cancel(Self.id(2), now: 5),
            case .ended(let ending) = waiting.state
        else {
            Issue.record("expected an ending")
            return
        }
        #expect(ending.outcome == .cancelled && ending.exitCode == nil && ending.at == 5)
        let worker = try #require(try queue.worker(now: 6))
        #expect(try worker.next(now: 7)?.id == Self.id(1))
        _ = try worker.note(RunStage(name: "deciding", done: 1, total: 2), of: Self.id(1))
        guard case .accepted(let running) = try queue.cancel(Self.id(1), now: 8) else {
            Issue.record("expected it to be accepted")
            return
        }
        #expect(running.isToBeCancelled)
        #expect(try !worker.beginWriting(Self.id(1)))
        #expect(try worker.next(now: 9) == nil)
    }

    @Test func aWritingRunIsNotCancelled() throws {
        _ = try queue.add(Self.id(1), Self.request(1))
        let worker = try #require(try queue.worker(now: 6))
        _ = try worker.next(now: 7)
        #expect(try worker.beginWriting(Self.id(1)))
        // The names of its stages do not matter.
        for stage in [nil, "recounting", "deciding"] {
            if let stage {
                _ = try worker.note(RunStage(name: stage, done: 0, total: 0), of: Self.id(1))
            }
            guard case .tooLate = try queue.cancel(Self.id(1), now: 8) else {
                Issue.record("expected that it is too late")
                return
            }
        }
    }

    @Test func aRequestOfADeadProcessIsStartedThreeTimes() throws {
        _ = try queue.add(Self.id(1), Self.request(1))
        for attempt in 1...3 {
            let worker = try #require(try queue.worker(now: 10))
            let run = try #require(try worker.next(now: 11))
            #expect(run.attempts == attempt)
            // The worker is released without an ending, as when a process dies.
        }
        let worker = try #require(try queue.worker(now: 12))
        #expect(try worker.next(now: 13) == nil)
        guard case .ended(let ending)? = try queue.run(Self.id(1))?.state else {
            Issue.record("expected an ending")
            return
        }
        #expect(ending.outcome == .failed && ending.exitCode == nil)
    }

    @Test func waitingAndEndedRunsAreLimited() throws {
        for number in 0..<RunQueue.waitingLimit {
            _ = try queue.add(Self.id(number), Self.request(Int64(number)))
        }
        #expect(throws: RunQueue.Refusal.self) {
            try queue.add(Self.id(999), Self.request(999))
        }
        // A repeated request with a waiting id is not a new one.
        #expect(try queue.add(Self.id(3), Self.request(3)).state == .waiting)
        let worker = try #require(try queue.worker(now: 1))
        for number in 0..<RunQueue.endedLimit + 5 {
            _ = try queue.add(Self.id(number), Self.request(Int64(number)))
            let run = try #require(try worker.next(now: 1))
            let ending = RunEnding(
                at: Int64(number) * RunQueue.keptSeconds,
                outcome: .published,
                exitCode: 0,
                run: 4,
                generation: 2,
                summary: "PUBLISHED 2 | as asked"
            )
            try worker.end(run.id, ending)
        }
        #expect(try queue.all().count == RunQueue.endedLimit)
        #expect(try queue.run(Self.id(0)) == nil)
    }

    /// Ten threads request the same ids while another thread works: each is carried out once.
    @Test func concurrentRequestsAreCarriedOutOnce() throws {
        let queue = queue
        let worker = try #require(try queue.worker(now: 1))
        let carriedOut = Parallel.both(threads: 2) {
            var ids: [String] = []
            let end = ContinuousClock.now + .seconds(60)
            while ids.count < 12, ContinuousClock.now < end {
                // An error shows as a missing run.
                guard let run = try? worker.next(now: 2) else { continue }
                try? worker.end(run.id, Self.published)
                ids.append(run.id)
            }
            return ids
        } _: {
            DispatchQueue.concurrentPerform(iterations: 120) { number in
                // An error shows as a missing run.
                _ = try? queue.add(Self.id(number % 12), Self.request(1))
                _ = try? queue.all()
            }
        }.0
        #expect(carriedOut.sorted() == (0..<12).map(Self.id))
        #expect(try queue.all().count == 12)
        #expect(try worker.next(now: 3) == nil)
    }

    /// A file that is replaced between being opened and being looked at has no name, and is read.
    @Test func aRunIsReadWhileItChanges() throws {
        let queue = queue
        _ = try queue.add(Self.id(1), Self.request(1))
        let worker = try #require(try queue.worker(now: 1))
        _ = try worker.next(now: 2)
        let path = queue.path(Self.id(1), .running)
        let draft = path + ".draft"
        let bytes = try QueueFile.read(path)
        let (replaced, failures) = Parallel.both(threads: 2) {
            (0..<5_000).count { _ in
                do {
                    try QueueFile.writeNew(bytes, to: draft, isSynced: false)
                    try FileSystem.move(draft, to: path)
                    return true
                } catch {
                    return false
                }
            }
        } _: {
            // Refused is what is counted here.
            (0..<5_000).count { _ in (try? queue.run(Self.id(1))) == nil }
        }
        #expect(replaced == 5_000 && failures == 0)
    }

    @Test func aFileThatIsNoRequestIsReported() throws {
        _ = try queue.add(Self.id(1), Self.request(1))
        let path = temporary.path + "/queue/\(Self.id(2)).request"
        try FileSystem.writeNew(Array("no request".utf8), to: path, mode: 0o660)
        expectFailure(.damaged) { _ = try queue.run(Self.id(2)) }
        let worker = try #require(try queue.worker(now: 1))
        #expect(try worker.next(now: 2)?.id == Self.id(1))
        #expect(try queue.all().map(\.id) == [Self.id(1)])
    }

    /// Another account of the group may write any file there.
    @Test(arguments: [
        "symbolic link", "second name", "pipe", "endless", "forged plan", "many attempts",
        "9223372036854775807", "-9223372036854775808", "253402300800", "-1",
    ])
    func filesOfAnotherAccountAreSetAsideOrAccepted(kind: String) throws {
        _ = try queue.add(Self.id(1), Self.request(1))
        let path = temporary.path + "/queue/\(Self.id(2)).request"
        let secret = temporary.path + "/secret"
        let good = Array("triptych request 1\nat 0\nby analyst\n".utf8)
        try FileSystem.writeNew(good, to: secret, mode: 0o600)
        switch kind {
        case "symbolic link": symlink(secret, path)
        case "second name": link(secret, path)
        case "pipe": mkfifo(path, 0o660)
        case "endless": symlink("/dev/zero", path)
        case "forged plan":
            try FileSystem.writeNew(good + Array("plan ../../x\n".utf8), to: path, mode: 0o660)
        case _ where Int64(kind) != nil:
            let late = Array("triptych request 1\nat \(kind)\nby analyst\n".utf8)
            try FileSystem.writeNew(late, to: path, mode: 0o660)
        default:
            let many = Array("attempts \(Int64.max)\n".utf8)
            try FileSystem.writeNew(good + many, to: path, mode: 0o660)
        }
        let worker = try #require(try queue.worker(now: 1))
        var ids: [String] = []
        while let run = try worker.next(now: 2) {
            ids.append(run.id)
            try worker.end(run.id, Self.published)
        }
        let isRequest = kind == "many attempts"
        #expect(ids == (isRequest ? [Self.id(2), Self.id(1)] : [Self.id(1)]))
        #expect(FileSystem.exists(temporary.path + "/queue/\(Self.id(2)).refused") != isRequest)
        // A second worker has nothing to do, and is not started again and again.
        #expect(try !queue.hasWork())
    }

    @Test(arguments: [".worker", ".lock"])
    func aLockThatIsALinkIsRefusedAndItsTargetUnchanged(name: String) throws {
        _ = try queue.add(Self.id(1), Self.request(1))
        let secret = temporary.path + "/secret"
        try FileSystem.writeNew([1], to: secret, mode: 0o600)
        let lock = temporary.path + "/queue/" + name
        try FileSystem.remove(lock)
        symlink(secret, lock)
        expectFailure(.damaged) { _ = try queue.worker(now: 1) }
        var status = stat()
        #expect(stat(secret, &status) == 0 && status.st_mode & 0o777 == 0o600)
        // No file is created through a broken link.
        unlink(secret)
        expectFailure(.damaged) { _ = try queue.worker(now: 1) }
        #expect(!FileSystem.exists(secret))
    }

    @Test func cancelledRunsAreLimited() throws {
        for number in 0..<RunQueue.endedLimit + 3 {
            _ = try queue.add(Self.id(number), Self.request(Int64(number)))
            _ = try queue.cancel(Self.id(number), now: Int64(number) * RunQueue.keptSeconds)
        }
        #expect(try queue.all().count == RunQueue.endedLimit)
    }

    /// An idempotency key identifies its run for a day, however many others are requested and
    /// cancelled.
    @Test func aRunThatHasJustEndedIsKept() throws {
        let worker = try #require(try queue.worker(now: 1))
        _ = try queue.add(Self.id(0), Self.request(1))
        let run = try #require(try worker.next(now: 1))
        for number in 1..<RunQueue.endedLimit + 5 {
            _ = try queue.add(Self.id(number), Self.request(2))
            _ = try queue.cancel(Self.id(number), now: 100)
        }
        try worker.end(run.id, Self.published)
        #expect(try queue.run(run.id)?.id == Self.id(0))
    }

    @Test func filesOfAnEarlierRunDoNotCancelALaterOne() throws {
        _ = try queue.add(Self.id(1), Self.request(1))
        for suffix in ["cancel", "stage"] {
            let path = temporary.path + "/queue/\(Self.id(1)).\(suffix)"
            try FileSystem.writeNew(Array("triptych request 1\n".utf8), to: path, mode: 0o660)
        }
        let worker = try #require(try queue.worker(now: 1))
        let run = try #require(try worker.next(now: 2))
        #expect(!run.isToBeCancelled)
        #expect(try worker.beginWriting(run.id))
    }

    @Test func aValueCannotAddALine() throws {
        let request = RunRequest(at: 1, by: "some\nby body", plan: nil)
        let run = try queue.add(Self.id(1), request)
        #expect(run.request.by == "some by body")
    }
}
