import NIOCore
import NIOHTTPTypes
import Testing

@testable import TripServer

@Suite struct ProgressHandlerTests {
    /// Who asks is whoever sends a byte, and the answer is another; its end is known once the client has left.
    private final class Wire: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        }

        /// The system has taken the answer at once, and the server is kept from looking until its reader has gone.
        func write(
            context: ChannelHandlerContext,
            data: NIOAny,
            promise: EventLoopPromise<Void>?
        ) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "a")), promise: nil)
            let until = NIODeadline.now() + .seconds(10)
            var isThere = true
            while isThere, NIODeadline.now() < until {
                Presence.of(context.channel).assumeIsolated()
                    .whenSuccess { isThere = !$0.hasLeft }
            }
            promise?.succeed()
        }
    }

    /// Answers what is asked.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Closes once there is something to read.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.close(promise: nil)
        }
    }

    /// Whoever has read their answer has had it, though they have left when the server looks; who has not read it has not.
    @Test(arguments: [true, false])
    func whoLeavesWithTheirAnswerIsAnswered(reads: Bool) async throws {
        let loopback = LoopbackServer()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let server = try await loopback.listen { [book = loopback.book] channel, _ in
            channel.closeFuture.whenComplete { _ in end.finish() }
            return [Wire(), ProgressHandler(book, fields: []), Answering()]
        }
        let client = try await loopback.connect(to: server, reads: reads) { [Reader()] }
        try await client.writeAndFlush(ByteBuffer(string: "a")).get()
        if !reads { try await client.close() }
        try await client.closeFuture.get()
        for await _ in ended {}
        try await loopback.end()
        #expect(loopback.book.leaverCount == (reads ? 0 : 1))
    }
}
