import Glibc
import Testing

@testable import TripServer

@Suite struct ChildProcessTests {
    private static func run(_ script: String, input: String = "") async -> Int32? {
        await ChildProcess.run(["/bin/sh", "-c", script], input: input)
    }

    @Test(arguments: [0, 3, 255] as [Int32])
    func theStatusIsThatOfTheProgram(status: Int32) async {
        #expect(await Self.run("exit \(status)") == status)
    }

    @Test func aKilledProgramHasNoStatus() async {
        #expect(await Self.run("kill -KILL $$") == nil)
    }

    @Test func aFileThatIsNoProgramIsNotStarted() async {
        #expect(await ChildProcess.run(["/nowhere/program"], input: "") == nil)
        #expect(await ChildProcess.run([], input: "") == nil)
    }

    @Test func aProgramReadsItsInputToTheEnd() async {
        #expect(await Self.run("test \"$(cat)\" = 'a message'", input: "a message") == 0)
    }

    /// Also one that is left open to the programs it starts by mistake.
    @Test func filesOfTheServerAreNotThePrograms() async throws {
        let low = open("/dev/null", O_RDONLY)
        let high = fcntl(low, F_DUPFD, 500)
        defer {
            close(low)
            close(high)
        }
        #expect(low > 2)
        #expect(high >= 500)
        let script = "test ! -e /proc/self/fd/\(low) && test ! -e /proc/self/fd/\(high)"
        #expect(await Self.run(script) == 0)
    }

    @Test func waitingEndsWhereItsTimeIsOver() async throws {
        let process = try #require(ChildProcess.start(["sleep", "6000"], output: .nowhere))
        let short = Duration.milliseconds(20)
        let ending = await ChildProcess.ending(of: process, within: short, checkingEvery: short)
        #expect(ending == .goesOn)
        ChildProcess.endAtOnce(process)
        // It has been waited for: there is no such child any more.
        let after = await ChildProcess.ending(of: process, within: short, checkingEvery: short)
        #expect(after == .unknown)
    }

    @Test func waitingEndsWhereItIsCalledOff() async throws {
        let process = try #require(ChildProcess.start(["sleep", "6000"], output: .nowhere))
        let waiting = Task {
            await ChildProcess.ending(of: process, within: nil, checkingEvery: .seconds(60))
        }
        waiting.cancel()
        #expect(await waiting.value == .goesOn)
        ChildProcess.endAtOnce(process)
    }

    @Test func childrenOfAProgramEndWithIt() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[1]) }
        // What is started reads from the pipe, and outlives the program.
        let words = ["/bin/sh", "-c", "exec 3<&0; sleep 6000 <&3 & exit 0"]
        let process = try #require(ChildProcess.start(words, input: ends[0], output: .nowhere))
        close(ends[0])
        let ending = await ChildProcess.ending(
            of: process,
            within: .seconds(60),
            checkingEvery: .milliseconds(10)
        )
        #expect(ending == .ended(0))
        // A pipe without a reader has an error.
        var look = pollfd(fd: ends[1], events: 0, revents: 0)
        #expect(poll(&look, 1, 0) == 0)
        ChildProcess.endAtOnce(process)
        #expect(poll(&look, 1, 5_000) == 1)
        #expect(look.revents & Int16(POLLERR) != 0)
    }
}
