import Dispatch
import NIOCore
import Testing

@testable import TripServer

@Suite struct PresenceHandlerTests {
    private enum Event { case read, left }

    /// Says what comes through.
    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let events: AsyncStream<Event>.Continuation

        init(_ events: AsyncStream<Event>.Continuation) { self.events = events }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { events.yield(.read) }
        func channelInactive(context: ChannelHandlerContext) { events.yield(.left) }
    }

    /// What comes through of somebody who connects, sends a byte, and leaves or not, before the server turns to them.
    private static func heard(whoLeaves: Bool, wasAnswered: Bool) async throws -> [Event] {
        let loopback = LoopbackServer()
        let (events, event) = AsyncStream.makeStream(of: Event.self)
        let server = try await loopback.listen { [book = loopback.book] _, place in
            if wasAnswered {
                place.noteRequest()
                place.noteAnswer()
            }
            return [PresenceHandler(book), Listener(event)]
        }
        let isDone = DispatchSemaphore(value: 0)
        server.eventLoop.execute { isDone.wait() }
        defer { isDone.signal() }
        let client = try await loopback.connect(to: server)
        try await client.writeAndFlush(ByteBuffer(string: "a")).get()
        if whoLeaves { try await client.close() }
        isDone.signal()
        var found: [Event] = []
        for await one in events {
            found.append(one)
            if one == .left { break }
            if !whoLeaves { try await client.close() }
        }
        #expect(loopback.book.leaverCount == (wasAnswered ? 0 : 1))
        try await loopback.end()
        return found
    }

    @Test(arguments: [(true, false, 0), (false, false, 1), (true, true, 1), (false, true, 1)])
    func whoHasLeftBeforeTheirFirstAnswerIsNotHeard(
        whoLeaves: Bool,
        wasAnswered: Bool,
        count: Int
    ) async throws {
        let found = try await Self.heard(whoLeaves: whoLeaves, wasAnswered: wasAnswered)
        #expect(found == Array(repeating: .read, count: count) + [.left])
    }
}
