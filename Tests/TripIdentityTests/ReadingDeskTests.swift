import Dispatch
import Synchronization
import Testing

@testable import TripIdentity

@Suite struct ReadingDeskTests {
    @Test func whatIsReadInTimeIsAnswered() async {
        #expect(await ReadingDesk().run { 7 } == 7)
    }

    /// As on a disk that hangs: who waits is answered without it, who comes is told so at once, and it goes on after that.
    @Test func aReadThatHangsKeepsNobodyWaiting() async {
        let desk = ReadingDesk(timeMax: .milliseconds(20))
        let (disk, begun) = (DispatchSemaphore(value: 0), Begun())
        #expect(await desk.run { disk.wait() } == nil)
        // What waits behind it is not begun once nobody waits for it.
        for _ in 0..<2 { #expect(await desk.run { begun.note() } == nil) }
        disk.signal()
        // The places are free again soon, however busy the machine is.
        var answer: Int?
        while answer == nil {
            await Task.yield()
            answer = await desk.run { 7 }
        }
        #expect(answer == 7)
        #expect(begun.count == 0)
    }

    /// Nor does it keep anybody from signing in, however many passwords wait for it.
    @Test func aListThatHangsLetsNoPasswordThroughAndEverybodyIn() async throws {
        let (under, list, heard) = (try await AuthorityUnderTest(), WrittenFile(), HeardFaults())
        try list.write(Array("5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8\n".utf8))
        let authority = try await under.otherProcess(holdingAgainst: list, telling: heard)
        try await under.add("someone")
        while authority.desk.takesPlace() {}
        let signIn = try await authority.signIn("someone", AuthorityUnderTest.password)
        guard case .accepted(let owner) = signIn else {
            Issue.record("nobody signs in while the list hangs")
            return
        }
        let reset = try await authority.setPassword("another way to the sea", for: owner)
        guard case .weak(.notLookedUp) = reset else {
            Issue.record("a password was set that was not looked up")
            return
        }
        #expect(heard.codes == ["identity_password_file"])
    }
}

/// How many reads were begun.
private final class Begun: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    func note() { state.withLock { $0 += 1 } }
}
