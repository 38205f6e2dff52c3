import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import TripServer

@Suite struct ConnectionRegistryTests {
    /// A connection from an address; it exists in memory alone.
    private static func channel(_ address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: EndingHandler())
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
    }

    @Test func anAddressHasAMaximumAndItsLeastActiveConnectionIsClosed() throws {
        let registry = ConnectionRegistry(countMax: 100, addressCountMax: 2)
        let other = try Self.channel("192.0.2.2")
        registry.enter(other)
        let channels = try (0..<3).map { _ in try Self.channel("192.0.2.1") }
        let first = registry.enter(channels[0])
        registry.enter(channels[1])
        first.noteRequest()
        first.noteAnswer()
        registry.enter(channels[2])
        #expect(channels.map(\.isActive) == [true, false, true])
        #expect(other.isActive)
        #expect(registry.count == 3)
        _ = try channels[0].finish()
        #expect(registry.count == 2)
        registry.enter(try Self.channel("192.0.2.1"))
        #expect(channels[2].isActive)
    }

    @Test func theConnectionWithoutProgressForLongestIsClosed() throws {
        let registry = ConnectionRegistry(countMax: 3, addressCountMax: 0)
        let channels = try (1...3).map { try Self.channel("192.0.2.\($0)") }
        let entries = channels.map { registry.enter($0) }
        entries[0].noteRequest()
        entries[0].noteAnswer()
        registry.enter(try Self.channel("192.0.2.4"))
        #expect(channels.map(\.isActive) == [true, false, true])
        // One that waits for an answer is closed last, however long ago it asked.
        entries[2].noteRequest()
        entries[0].noteRequest()
        entries[0].noteAnswer()
        registry.enter(try Self.channel("192.0.2.5"))
        #expect(channels.map(\.isActive) == [true, false, true])
        registry.enter(try Self.channel("192.0.2.6"))
        #expect(channels.map(\.isActive) == [false, false, true])
        #expect(registry.count == 3)
    }

    @Test func requestsAndAnswersAreNotedWhole() throws {
        let registry = ConnectionRegistry(countMax: 2, addressCountMax: 0)
        let (channel, other) = (try Self.channel("192.0.2.1"), try Self.channel("192.0.2.2"))
        // The one that asks came first: without its request it would be closed.
        for each in [other, channel] {
            registry.enter(each)
            try each.pipeline.syncOperations.addHandler(
                ProgressHandler(registry, fields: [])
            )
        }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
        try other.writeInbound(HTTPRequestPart.head(head))
        try other.writeInbound(HTTPRequestPart.end(nil))
        try other.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try other.writeOutbound(HTTPResponsePart.end(nil))
        // A head that never ends is nothing.
        try channel.writeInbound(HTTPRequestPart.head(head))
        registry.enter(try Self.channel("192.0.2.3"))
        #expect([channel.isActive, other.isActive] == [false, true])
    }

    /// An answer that was handed on has not gone out: a slow client is still being answered.
    @Test func anAnswerThatWaitsToBeSentIsUnderWay() throws {
        let registry = ConnectionRegistry(countMax: 2, addressCountMax: 0)
        let (slow, swift) = (try Self.channel("192.0.2.1"), try Self.channel("192.0.2.2"))
        for each in [slow, swift] {
            registry.enter(each)
            try each.pipeline.syncOperations.addHandler(
                ProgressHandler(registry, fields: [])
            )
            try each.writeInbound(HTTPRequestPart.end(nil))
        }
        let end = NIOAny(HTTPResponsePart.end(nil))
        slow.pipeline.syncOperations.write(end, promise: nil)
        try swift.writeOutbound(HTTPResponsePart.end(nil))
        registry.enter(try Self.channel("192.0.2.3"))
        #expect([slow.isActive, swift.isActive] == [true, false])
    }

    /// A client that asks often and reads nothing keeps out no newer connection.
    @Test func aClientThatTakesNoAnswerIsClosedLikeASilentOne() throws {
        let registry = ConnectionRegistry(countMax: 2, addressCountMax: 0)
        let (stuck, young) = (try Self.channel("192.0.2.1"), try Self.channel("192.0.2.2"))
        let entry = registry.enter(stuck)
        for _ in 0..<400 { entry.noteRequest() }
        registry.enter(young)
        registry.enter(try Self.channel("192.0.2.3"), at: .now() + .seconds(6))
        #expect([stuck.isActive, young.isActive] == [false, true])
    }

    @Test func aClosedConnectionCountsNoMore() throws {
        let registry = ConnectionRegistry(countMax: 8, addressCountMax: 4)
        var channels: [EmbeddedChannel] = []
        for round in 0..<200 {
            let channel = try Self.channel("192.0.2.\(round % 5)")
            registry.enter(channel)
            channels.append(channel)
            if round % 3 > 0 { _ = try channel.finish() }
            let openCount = channels.count { $0.isActive }
            #expect(registry.count == openCount)
            #expect(registry.count <= 8)
        }
        registry.endAtOnce()
        #expect(registry.count == 0)
        let openCount = channels.count { $0.isActive }
        #expect(openCount == 0)
        // Each address has its maximum again.
        let again = try (0..<4).map { _ in try Self.channel("192.0.2.0") }
        for channel in again { registry.enter(channel) }
        #expect(again.map(\.isActive) == [true, true, true, true])
    }

    /// A trusted proxy carries the clients of all addresses.
    @Test func aTrustedProxyHasNoLimitOfItsOwn() throws {
        let registry = ConnectionRegistry(
            countMax: 3,
            addressCountMax: 1,
            proxy: "::ffff:192.0.2.1"
        )
        let channels = try ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"].map(Self.channel)
        for channel in channels { registry.enter(channel) }
        #expect(channels.map(\.isActive) == [true, true, false, true])
        // The maximum of all is one for the proxy, too.
        registry.enter(try Self.channel("192.0.2.1"))
        #expect(channels.map(\.isActive) == [false, true, false, true])
    }

    @Test func anAnswerThatIsNotTakenEndsTheConnection() throws {
        let channel = try Self.channel("192.0.2.1")
        channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.read)
        #expect(channel.isActive)
        channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.write)
        #expect(!channel.isActive)
    }

    @Test func answersThatNoRouteHasSeenHaveTheHeadersOfAll() throws {
        let registry = ConnectionRegistry(countMax: 1, addressCountMax: 0)
        let channel = EmbeddedChannel()
        let fields = SecurityFields(isOverTLS: true).fields
        try channel.pipeline.syncOperations.addHandler(
            ProgressHandler(registry, fields: fields)
        )
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .badRequest)))
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("an answer has a head")
            return
        }
        #expect(fields.allSatisfy { head.headerFields[$0.0] == $0.1 })
        #expect(fields.count == 6)
    }

    /// As many as there may be, or as open files allow beside those that come and go.
    @Test(arguments: [
        (10_000, 2_400), (2_900, 2_400), (2_899, 2_399), (924, 693), (100, 75), (0, 1),
    ])
    func thereAreNoMoreThanOpenFilesAllow(openMax: Int, count: Int) {
        #expect(Backend.connectionCount(openMax) == count)
    }
}
