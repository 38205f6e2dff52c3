import Dispatch
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import TripServer

@Suite struct NewcomerGateTests {
    /// A server on one thread that counts whom it takes in.
    private final class Server: Sendable {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let clients = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let tally = ConnectionTally(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let book = ConnectionBook(countMax: 10_000, addressCountMax: 0)
        let takenIn = Atomic(0)

        /// What it listens with, behind a gate.
        func listen(
            calm: TimeAmount = .seconds(1),
            waitMax: TimeAmount = .milliseconds(250),
            _ files: FileWork = FileWork()
        ) async throws -> any Channel {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: CInt(Intake.backlog))
                .childChannelInitializer { [self] channel in
                    book.enter(channel)
                    takenIn.add(1, ordering: .relaxed)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let hasFewWait = try await NewcomerGate.add(
                to: channel,
                tally: tally,
                book: book,
                files: files,
                crowding: Crowding(calm: calm),
                waitMax: waitMax
            )
            #expect(hasFewWait)
            return channel
        }

        /// How many have to come and leave until it knows that it is crowded: of the first it may not have seen that they left.
        static let crowd = Crowding.sampleCount + Int(Intake.perTurn)

        /// Has more leave than make a crowd, before it turns to them.
        func beginCrowd(at channel: any Channel) async throws {
            try await meet(Array(repeating: .leaving, count: Self.crowd + 100), at: channel)
        }

        /// Somebody who comes.
        enum Comer {
            /// They have left before it turns to them.
            case leaving
            case staying
            /// They stay, and whoever is next comes two milliseconds later or more.
            case waiting
        }

        /// Has them come while it does something else, and waits until it is through with them.
        ///
        /// In a crowd no more may come than find a place: it would wait for ever.
        func meet(_ comers: [Comer], at channel: any Channel) async throws {
            let places = try await NewcomerGateTests.backlog(of: channel)
            try #require(places >= comers.count, "net.core.somaxconn lets too few wait")
            let before = turned
            try await whileBusy(channel) { [clients] address in
                for comer in comers {
                    let one = try await ClientBootstrap(group: clients).connect(to: address).get()
                    try await one.writeAndFlush(ByteBuffer(string: "a")).get()
                    switch comer {
                    case .leaving: try await one.close()
                    case .staying: break
                    case .waiting: try await Self.letWait(one)
                    }
                }
            }
            // All are through after some turns.
            for _ in 0..<10_000 where turned - before < comers.count {
                try await channel.eventLoop.submit {}.get()
            }
        }

        /// Has more come at once than find a place while it does something else; they leave, whether or not they found one.
        ///
        /// - Returns: How many found none.
        func knock(_ count: Int, at channel: any Channel) async throws -> Int {
            try await whileBusy(channel) { [clients] address in
                let attempts = (0..<count).map { _ in
                    // Who finds no place would try again after a second.
                    ClientBootstrap(group: clients).connectTimeout(.milliseconds(500))
                        .connect(to: address)
                }
                var missedCount = 0
                for attempt in attempts {
                    let one: any Channel
                    do { one = try await attempt.get() } catch is ChannelError {
                        missedCount += 1
                        continue
                    }
                    try await one.close()
                }
                return missedCount
            }
        }

        /// Does something while the server's thread does something else.
        private func whileBusy<Found: Sendable>(
            _ channel: any Channel,
            _ work: (SocketAddress) async throws -> Found
        ) async throws -> Found {
            let (busy, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            channel.eventLoop.execute {
                busy.signal()
                isDone.wait()
            }
            defer { isDone.signal() }
            await withCheckedContinuation { going in
                DispatchQueue.global().async {
                    busy.wait()
                    going.resume()
                }
            }
            return try await work(try #require(channel.localAddress))
        }

        /// Waits until what was sent on a connection is some time ago: what the server sees of it is longer ago, or as long.
        private static func letWait(_ one: any Channel) async throws {
            let provider = try #require(one as? any SocketOptionProvider)
            while try await provider.getTCPInfo().get().tcpi_last_data_sent < 2 {}
        }

        /// Those it took in or turned away.
        var turned: Int { takenIn.load(ordering: .relaxed) + tally.turnedAwayCount }

        /// Those it took in who have not left.
        var staying: Int { takenIn.load(ordering: .relaxed) - book.leaverCount }

        func end() async throws {
            try await clients.shutdownGracefully()
            try await group.shutdownGracefully()
        }
    }

    /// How many the system keeps waiting for a server at most.
    fileprivate static func backlog(of channel: any Channel) async throws -> Int {
        let provider = try #require(channel as? any SocketOptionProvider)
        // TCP says it here of a socket that listens.
        return Int(try await provider.getTCPInfo().get().tcpi_sacked)
    }

    @Test func thoseWhoLeaveAreACrowdOfWhichFewWait() async throws {
        let server = Server()
        // It is not over before the end of the test, however long that takes.
        let channel = try await server.listen(calm: .hours(1))
        try await server.beginCrowd(at: channel)
        #expect(server.takenIn.load(ordering: .relaxed) <= Server.crowd)
        #expect(server.turned == Server.crowd + 100)
        #expect(try await Self.backlog(of: channel) == Intake.backlogInCrowd)
        try await server.end()
    }

    /// As one without a port has none that could be found.
    @Test func whatCannotHaveFewWaitSaysSo() async throws {
        let server = Server()
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("gate-" + UUID().uuidString).path
        let channel = try await ServerBootstrap(group: server.group)
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: false).get()
        let hasFewWait = try await NewcomerGate.add(
            to: channel,
            tally: server.tally,
            book: server.book
        )
        #expect(!hasFewWait)
        try await channel.close()
        try await server.end()
    }

    @Test func aCrowdThatWaitsIsTakenIn() async throws {
        let server = Server()
        let channel = try await server.listen()
        let usual = try await Self.backlog(of: channel)
        try await server.meet(Array(repeating: .staying, count: 200), at: channel)
        #expect(server.takenIn.load(ordering: .relaxed) == 200)
        #expect(server.tally.turnedAwayCount == 0)
        #expect(try await Self.backlog(of: channel) == usual)
        try await server.end()
    }

    /// One who did not wait too long is closed as well: the first, by whom it is known that none of the others did.
    @Test(arguments: [(TimeAmount.hours(1), 99), (.milliseconds(1), 0)])
    func whoWaitedTooLongWhenACrowdBeginsIsTurnedAway(
        waitMax: TimeAmount,
        staying: Int
    ) async throws {
        let server = Server()
        let channel = try await server.listen(calm: .hours(1), waitMax: waitMax)
        try await server.meet(
            Array(repeating: .leaving, count: Server.crowd)
                + Array(repeating: .waiting, count: 100),
            at: channel
        )
        #expect(server.turned == Server.crowd + 100)
        // All of the others left.
        let end = NIODeadline.now() + .seconds(30)
        while server.staying != staying, .now() < end {
            try await channel.eventLoop.submit {}.get()
        }
        // It stays so: nobody else leaves later.
        for _ in 0..<1_000 { try await channel.eventLoop.submit {}.get() }
        #expect(server.staying == staying)
        try await server.end()
    }

    @Test func inACrowdNobodyIsTakenInToWaitForFiles() async throws {
        let server = Server()
        let files = FileWork(
            waitMax: .hours(1),
            timeMax: .hours(1),
            waitWanted: .nanoseconds(0)
        )
        let channel = try await server.listen(calm: .hours(1), waitMax: .hours(1), files)
        try await server.beginCrowd(at: channel)
        let takenIn = server.takenIn.load(ordering: .relaxed)
        let come = 2 * Intake.backlogInCrowd
        try await BusyFiles.during(files) {
            // One turn may be begun before.
            for _ in 0..<2 {
                try await server.meet(Array(repeating: .staying, count: come / 2), at: channel)
            }
            let more = server.takenIn.load(ordering: .relaxed) - takenIn
            #expect(more <= come / 2)
        }
        let end = NIODeadline.now() + .seconds(30)
        while server.takenIn.load(ordering: .relaxed) < takenIn + come, .now() < end {
            try await channel.eventLoop.submit {}.get()
        }
        #expect(server.takenIn.load(ordering: .relaxed) >= takenIn + come)
        try await server.end()
    }

    @Test func aCrowdLastsAsLongAsManyFindNoPlace() async throws {
        let server = Server()
        let calm = TimeAmount.seconds(3)
        let channel = try await server.listen(calm: calm, waitMax: .hours(1))
        try await server.beginCrowd(at: channel)
        let end = NIODeadline.now() + calm + .seconds(1)
        while .now() < end {
            let missed = try await server.knock(3 * Intake.backlogInCrowd, at: channel)
            try #require(missed >= Intake.backlogInCrowd)
        }
        #expect(try await Self.backlog(of: channel) == Intake.backlogInCrowd)
        try await server.end()
    }

    /// Who finds a place is no crowd, whatever comes at once; nor do those count who found none a while ago.
    @Test func aCrowdIsOverThoughFourComeAtOnce() async throws {
        let server = Server()
        // Long enough to see that there is one.
        let channel = try await server.listen(calm: .seconds(4), waitMax: .hours(1))
        try await server.beginCrowd(at: channel)
        try #require(try await server.knock(3 * Intake.backlogInCrowd, at: channel) > 4)
        #expect(try await Self.backlog(of: channel) == Intake.backlogInCrowd)
        let end = NIODeadline.now() + .seconds(30)
        while try await Self.backlog(of: channel) == Intake.backlogInCrowd, .now() < end {
            try await server.meet(
                Array(repeating: .leaving, count: Intake.backlogInCrowd),
                at: channel
            )
        }
        #expect(try await Self.backlog(of: channel) != Intake.backlogInCrowd)
        try await server.end()
    }

    @Test func afterACrowdAllIsAsBefore() async throws {
        let server = Server()
        // Long enough to see that there is one.
        let channel = try await server.listen(calm: .seconds(4))
        let usual = try await Self.backlog(of: channel)
        try await server.beginCrowd(at: channel)
        #expect(try await Self.backlog(of: channel) == Intake.backlogInCrowd)
        // It is over then, though nobody comes.
        let end = NIODeadline.now() + .seconds(30)
        while try await Self.backlog(of: channel) != usual, .now() < end {}
        #expect(try await Self.backlog(of: channel) == usual)
        let turnedAway = server.tally.turnedAwayCount
        try await server.meet(Array(repeating: .staying, count: 50), at: channel)
        #expect(server.tally.turnedAwayCount == turnedAway)
        try await server.end()
    }

    @Test func aSocketThatListensIsFoundByItsPort() async throws {
        let server = Server()
        let channel = try await server.listen()
        let port = try #require(channel.localAddress?.port)
        try #require(ListeningSocket(port: port)).keep(waiting: 7)
        #expect(try await Self.backlog(of: channel) == 7)
        try await server.end()
        #expect(ListeningSocket(port: port) == nil)
    }

    @Test func whoFindsNoPlaceIsCounted() async throws {
        let server = Server()
        let channel = try await server.listen()
        let port = try #require(channel.localAddress?.port)
        let socket = try #require(ListeningSocket(port: port))
        #expect(socket.missedCount == 0)
        socket.keep(waiting: 2)
        let missedCount = try await server.knock(10, at: channel)
        #expect(missedCount == 7)
        #expect(socket.missedCount == 7)
        try await server.end()
    }
}
