import Dispatch
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import TripServer

@Suite struct FileWorkTests {
    private struct Fault: Error {}

    @Test func whatCameOfTheWorkComesBack() async throws {
        #expect(try await FileWork().perform { 7 } == 7)
        await #expect(throws: Fault.self) { try await FileWork().perform { throw Fault() } }
    }

    @Test func whatHasWaitedTooLongIsNotBegun() async {
        let isBegun = Atomic(false)
        let problem = await #expect(throws: Problem.self) {
            try await FileWork(waitMax: .nanoseconds(-1)).perform {
                isBegun.store(true, ordering: .relaxed)
            }
        }
        #expect(problem?.code == "too_busy")
        let hasBegun = isBegun.load(ordering: .relaxed)
        #expect(!hasBegun)
    }

    @Test func whatHangsIsAnsweredAndEndsByItself() async {
        let hangs = DispatchSemaphore(value: 0)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let problem = await #expect(throws: Problem.self) {
            try await FileWork(timeMax: .milliseconds(20)).perform {
                hangs.wait()
                end.yield()
            }
        }
        #expect(problem?.code == "too_busy")
        #expect(problem?.headers[.retryAfter] == "1")
        hangs.signal()
        for await _ in ends { break }
    }

    /// What hangs says nothing of how long others wait.
    @Test(
        arguments: [
            (.nanoseconds(0), .hours(1), true), (.hours(1), .hours(1), false),
            (.nanoseconds(0), .nanoseconds(0), false),
        ] as [(TimeAmount, TimeAmount, Bool)]
    )
    func itIsBehindWhereSomeWaitForLongerThanIsWanted(
        waitWanted: TimeAmount,
        timeMax: TimeAmount,
        isBehind: Bool
    ) async throws {
        let files = FileWork(waitMax: .hours(1), timeMax: timeMax, waitWanted: waitWanted)
        #expect(!files.isBehind)
        try await BusyFiles.during(files) { #expect(files.isBehind == isBehind) }
        #expect(!files.isBehind)
    }

    /// Whoever asks many things at once gets the answer to each.
    @Test func everybodyGetsTheirOwnAnswer() async throws {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    (
                        number,
                        try await FileWork(waitMax: .hours(1), timeMax: .hours(1)).perform {
                            number
                        }
                    )
                }
            }
            for try await (asked, answered) in group { #expect(asked == answered) }
        }
    }
}
