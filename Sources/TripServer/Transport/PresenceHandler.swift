import NIOCore

/// Stands before TLS, and closes the connections of those who have left before anything is done for them: a handshake takes
/// many times what it takes to look, and what they asked for nobody reads.
///
/// It looks until a connection has had its first answer: later there is no handshake, and whoever is kept waiting then
/// waits on few connections.
final class PresenceHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let book: ConnectionBook
    private var place: ConnectionBook.Entry?

    /// - Parameter book: What knows whether there was an answer.
    init(_ book: ConnectionBook) { self.book = book }

    func handlerAdded(context: ChannelHandlerContext) { place = book.entry(of: context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let place, !place.wasAnswered else {
            context.fireChannelRead(data)
            return
        }
        let here = NIOLoopBound((context, data), eventLoop: context.eventLoop)
        Presence.of(context.channel).whenSuccess { presence in
            let (context, data) = here.value
            if presence.hasLeft {
                context.close(promise: nil)
            } else {
                context.fireChannelRead(data)
            }
        }
    }
}
