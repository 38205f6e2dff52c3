import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Asks for an end without a word: whoever is silent does not answer the word of TLS for it either.
struct CloseAtOnce: Sendable {}

/// Ends a connection at once where that is asked for, or where what is written is not taken; it stands before TLS.
final class EndingHandler: ChannelOutboundHandler, ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        guard event is CloseAtOnce else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        context.close(promise: promise)
    }

    /// Nothing was taken of what is written for too long.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? IdleStateHandler.IdleStateEvent, event == .write else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        context.close(promise: nil)
    }
}

/// Notes in the book what comes forward on a connection: whole requests, and whole answers.
///
/// An answer that no route has seen, to what is no HTTP, gets the headers of all others here, and its text from ``RequestGate``.
final class ProgressHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let book: ConnectionBook
    private let fields: [(HTTPField.Name, String)]
    private var place: ConnectionBook.Entry?

    /// - Parameters:
    ///   - book: Where it notes it.
    ///   - fields: The headers of every answer.
    init(_ book: ConnectionBook, fields: [(HTTPField.Name, String)]) {
        (self.book, self.fields) = (book, fields)
    }

    func handlerAdded(context: ChannelHandlerContext) { place = book.entry(of: context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { place?.noteRequest() }
        context.fireChannelRead(data)
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where !fields.allSatisfy { head.headerFields.contains($0.0) }:
            for (name, value) in fields where !head.headerFields.contains(name) {
                head.headerFields[name] = value
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            guard let place else {
                context.write(data, promise: promise)
                return
            }
            // Until then it waits for a reader that takes its time.
            let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
            // Whoever reads and leaves at once may be gone before anybody looks.
            if place.wasAnswered {
                sent.futureResult.whenSuccess { place.noteAnswer() }
            } else {
                sent.futureResult.flatMap { [channel = context.channel] in Presence.of(channel) }
                    .whenSuccess { place.noteAnswer(isHeard: !$0.hasLeft || $0.hasAll) }
            }
            context.write(data, promise: sent)
        default: context.write(data, promise: promise)
        }
    }
}
