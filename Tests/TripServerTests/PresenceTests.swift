import Glibc
import NIOCore
import Testing

@testable import TripServer

/// What the system says of the other end, by connections of this machine.
@Suite struct PresenceTests {
    /// A connection over the loopback, with both of its ends.
    private static func connected() throws -> (server: Int32, client: Int32) {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        defer { close(listener) }
        let isBound = try SocketAddress(ipAddress: "127.0.0.1", port: 0).withSockAddr {
            bind(listener, $0, socklen_t($1)) == 0 && listen(listener, 1) == 0
        }
        let client = socket(AF_INET, kind, 0)
        var address = [UInt8](repeating: 0, count: 128)
        var size = socklen_t(address.count)
        let isConnected = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address -> Bool in
                guard let address = address.baseAddress else { return false }
                return getsockname(listener, address, &size) == 0
                    && connect(client, address, size) == 0
            }
        }
        try #require(isBound && isConnected)
        let server = accept(listener, nil, nil)
        try #require(fcntl(server, F_SETFD, FD_CLOEXEC) == 0)
        // Nothing here waits for longer, whatever goes wrong.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        for end in [server, client] {
            setsockopt(end, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        return (server, client)
    }

    /// Takes what comes, or waits until the other end is closed: nothing comes any more then.
    private static func take(_ descriptor: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: 64)
        return read(descriptor, &bytes, bytes.count)
    }

    private static func send(_ descriptor: Int32) -> Int { write(descriptor, "answer", 6) }

    /// What it says once the other end's system has acknowledged what was sent, which it may do later.
    private static func acknowledged(_ descriptor: Int32) -> Presence {
        let until = ContinuousClock.now + .seconds(10)
        var presence = Presence(descriptor: descriptor)
        while !presence.hasAll, ContinuousClock.now < until {
            presence = Presence(descriptor: descriptor)
        }
        return presence
    }

    /// TCP's states: established, closed by the other end, and over.
    @Test(arguments: [
        (UInt8(1), UInt32(0), false, true), (1, 1, false, false), (8, 0, true, true),
        (8, 1, true, false), (7, 0, true, false),
    ])
    func itFollowsFromTheStateAndWhatIsUnderWay(
        state: UInt8,
        unacknowledged: UInt32,
        hasLeft: Bool,
        hasAll: Bool
    ) {
        let presence = Presence(state: state, unacknowledged: unacknowledged)
        #expect(presence.hasLeft == hasLeft && presence.hasAll == hasAll)
    }

    @Test func whoIsThereHasNotLeft() throws {
        let (server, client) = try Self.connected()
        #expect(Self.send(server) == 6)
        #expect(Self.take(client) == 6)
        let presence = Self.acknowledged(server)
        #expect(!presence.hasLeft && presence.hasAll)
        close(server)
        close(client)
    }

    /// They read, and left before anybody looked.
    @Test func whoLeavesAfterTheAnswerHasIt() throws {
        let (server, client) = try Self.connected()
        #expect(Self.send(server) == 6)
        #expect(Self.take(client) == 6)
        close(client)
        #expect(Self.take(server) == 0)
        let presence = Presence(descriptor: server)
        #expect(presence.hasLeft && presence.hasAll)
        close(server)
    }

    /// Nothing more comes from them, and they still read.
    @Test func whoEndsTheirOwnDirectionHasTheAnswer() throws {
        let (server, client) = try Self.connected()
        shutdown(client, Int32(SHUT_WR))
        #expect(Self.take(server) == 0)
        #expect(Self.send(server) == 6)
        #expect(Self.take(client) == 6)
        let presence = Self.acknowledged(server)
        #expect(presence.hasLeft && presence.hasAll)
        close(server)
        close(client)
    }

    @Test func whoLeavesBeforeTheAnswerHasNot() throws {
        let (server, client) = try Self.connected()
        close(client)
        #expect(Self.take(server) == 0)
        #expect(Self.send(server) == 6)
        // Until the other end has said that nobody is there.
        var one = pollfd(fd: server, events: 0, revents: 0)
        #expect(poll(&one, 1, 10_000) == 1)
        let presence = Presence(descriptor: server)
        #expect(presence.hasLeft && !presence.hasAll)
        close(server)
    }

    /// They leave with something unread: the system says at once that they broke off.
    @Test func whoBreaksOffHasNot() throws {
        let (server, client) = try Self.connected()
        #expect(Self.send(server) == 6)
        var one = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        #expect(poll(&one, 1, 10_000) == 1)
        close(client)
        one = pollfd(fd: server, events: 0, revents: 0)
        #expect(poll(&one, 1, 10_000) == 1)
        let presence = Presence(descriptor: server)
        #expect(presence.hasLeft && !presence.hasAll)
        close(server)
    }
}
