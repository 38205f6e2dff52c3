import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// HTTP/1.1 within TLS 1.3, under the certificate that is in force when a connection is opened.
struct SecureChannel: ServerChildChannel {
    let base: HTTP1Channel
    let certificate: Certificate
    /// What counts handshakes that come to nothing.
    let tally: ConnectionTally
    let book: ConnectionBook

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                PresenceHandler(book), NIOSSLServerHandler(context: certificate.context),
                HandshakeHandler(tally), CompactingHandler(),
            ])
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
