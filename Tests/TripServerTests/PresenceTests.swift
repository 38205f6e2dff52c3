import Glibc
import Testing

@testable import TripServer

/// What the system says of the other end, by connections of this machine.
@Suite struct PresenceTests {
    /// A connection over the loopback, with both of its ends.
    private static func connected() throws -> (server: Int32, client: Int32) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { address -> Bool in
                guard let address = address.baseAddress else { return false }
                return bind(listener, address, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &size) == 0
                    && connect(client, address, size) == 0
            }
        }
        try #require(isConnected)
        return (accept(listener, nil, nil), client)
    }

    /// Takes what comes, or waits until the other end is closed: nothing comes any more then.
    private static func take(_ descriptor: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: 64)
        return read(descriptor, &bytes, bytes.count)
    }

    private static func send(_ descriptor: Int32) -> Int { write(descriptor, "answer", 6) }

    @Test func whoIsThereHasNotLeft() throws {
        let (server, client) = try Self.connected()
        #expect(Self.send(server) == 6)
        #expect(Self.take(client) == 6)
        let presence = Presence(descriptor: server)
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
        let presence = Presence(descriptor: server)
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
