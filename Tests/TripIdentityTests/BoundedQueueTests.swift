import Dispatch
import Synchronization
import Testing

@testable import TripIdentity

@Suite struct BoundedQueueTests {
    @Test func aResultComesBack() async throws {
        let queue = BoundedQueue("test", .init(width: 1, capacity: 1))
        for number in 0..<10 { #expect(try await queue.run { number } == number) }
    }

    /// Many callers at once, each of which gets the result of its own work.
    @Test(arguments: [1, 2, 8]) func everyCallerGetsItsOwnResult(width: Int) async throws {
        let queue = BoundedQueue("test", .init(width: width, capacity: 2_000, timeMax: 600_000))
        let running = Running()
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    let found = try await queue.run {
                        running.begin()
                        running.end()
                        return number
                    }
                    return (number, found)
                }
            }
            for try await (asked, answered) in group { #expect(asked == answered) }
        }
        #expect((1...width).contains(running.most))
    }

    @Test func workBeyondTheCapacityIsRefusedAtOnce() async throws {
        let queue = BoundedQueue("test", .init(width: 1, capacity: 2))
        let taken = [queue.reserve(), queue.reserve()].compactMap(\.self)
        #expect(taken.count == 2 && queue.reserve() == nil)
        #expect(await refusal { try await queue.run { 7 } } == .full)
        queue.release(taken[0])
        #expect(try await queue.run { 7 } == 7)
        #expect(try await queue.run(in: taken[1]) { 7 } == 7)
        #expect([queue.reserve(), queue.reserve(), queue.reserve()].compactMap(\.self).count == 2)
    }

    @Test func workThatWaitedTooLongIsNotBegun() async {
        let queue = BoundedQueue("test", .init(width: 1, capacity: 1, waitMax: -1))
        let begun = Begun()
        #expect(await refusal { try await queue.run { begun.note() } } == .late)
        #expect(begun.count == 0)
    }

    /// As on a disk that hangs: the caller gets an answer, what waits behind is not begun, and the
    /// queue goes on after it.
    @Test func workThatHangsKeepsNoCallerWaiting() async {
        let queue = BoundedQueue("test", .init(width: 1, capacity: 4, timeMax: 20))
        let (disk, hanging, begun) = (DispatchSemaphore(value: 0), Begun(), Begun())
        // A piece whose thread comes late, as on a busy machine, is not begun.
        while hanging.count == 0 {
            let answer = await refusal {
                try await queue.run {
                    hanging.note()
                    disk.wait()
                }
            }
            #expect(answer == .late)
        }
        for _ in 0..<10 {
            #expect(await refusal { try await queue.run { begun.note() } } == .late)
        }
        disk.signal()
        // The thread is free again soon, however busy the machine is.
        var answer: Int?
        while answer == nil {
            await Task.yield()
            do throws(BoundedQueue.Refusal) { answer = try await queue.run { 7 } } catch {}
        }
        #expect(answer == 7)
        #expect(begun.count == 0)
        // All space is free: it was given back once for each.
        #expect((0..<5).compactMap { _ in queue.reserve() }.count == 4)
    }

    /// A list that hangs refuses new passwords, and signing in goes on, however many passwords wait
    /// for it.
    @Test func aListThatHangsLetsNoPasswordThroughAndSignInsGoOn() async throws {
        let (under, list, heard) = (
            try await AuthenticationServiceUnderTest(), WrittenFile(), CollectedFaults()
        )
        try list.write(Array("5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8\n".utf8))
        let authentication = try await under.otherProcess(holdingAgainst: list, telling: heard)
        try await under.add("someone")
        while authentication.searching.reserve() != nil {}
        let signIn = try await authentication.signIn(
            "someone",
            AuthenticationServiceUnderTest.password
        )
        guard case .accepted(let owner) = signIn else {
            Issue.record("an account cannot sign in while the list hangs")
            return
        }
        let reset = try await authentication.setPassword("another way to the sea", for: owner)
        guard case .weak(.notChecked) = reset else {
            Issue.record("a password was set that was not looked up")
            return
        }
        #expect(heard.codes == ["identity_password_file"])
    }

    private func refusal<Value: Sendable>(
        _ work: () async throws -> Value
    ) async -> BoundedQueue.Refusal? {
        do {
            _ = try await work()
            return nil
        } catch {
            return error as? BoundedQueue.Refusal
        }
    }
}

/// How many pieces of work were begun.
private final class Begun: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    func note() { state.withLock { $0 += 1 } }
}

/// How many pieces of work run, and the most there were at once.
private final class Running: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func end() { state.withLock { $0.now -= 1 } }
}
