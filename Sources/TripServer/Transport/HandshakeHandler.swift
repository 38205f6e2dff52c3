import NIOCore
import NIOSSL

/// Stands right behind TLS, and hears which handshakes fail.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let tally: ConnectionTally

    /// - Parameter tally: What counts them.
    init(_ tally: ConnectionTally) { self.tally = tally }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let fault = error as? NIOSSLError, Self.isFailure(fault) { tally.noteFailedHandshake() }
        context.fireErrorCaught(error)
    }

    /// Whether a handshake failed; who leaves before its end, as what looks whether a port is open does, failed at nothing.
    private static func isFailure(_ fault: NIOSSLError) -> Bool {
        guard case .handshakeFailed(let cause) = fault else { return false }
        return cause != .sslError([.eofDuringHandshake])
    }
}
