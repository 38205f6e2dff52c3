import Logging
import NIOCore
import NIOSSL
import Synchronization

/// Counts the handshakes of TLS that come to nothing, and has the log say so.
///
/// A client that trusts another certificate, or knows older versions alone, looks the same here as one that tries what may be
/// tried; many at once say that something is wrong with the certificate or with who asks.
final class FailedHandshakes: Sendable {
    private let total = Atomic(0)
    private let refusals: RefusalLog

    /// - Parameter logger: Where it says so.
    init(logger: Logger) { refusals = RefusalLog(logger) }

    /// How many there were since the server began.
    var count: Int { total.load(ordering: .relaxed) }

    /// Counts one.
    func note() {
        total.add(1, ordering: .relaxed)
        refusals.note(.failedHandshake)
    }
}

/// Stands right behind TLS, and hears which handshakes fail.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let failures: FailedHandshakes

    /// - Parameter failures: What counts them.
    init(_ failures: FailedHandshakes) { self.failures = failures }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let fault = error as? NIOSSLError, Self.isFailure(fault) { failures.note() }
        context.fireErrorCaught(error)
    }

    /// Whether a handshake failed; who leaves before its end, as what looks whether a port is open does, failed at nothing.
    private static func isFailure(_ fault: NIOSSLError) -> Bool {
        guard case .handshakeFailed(let cause) = fault else { return false }
        return cause != .sslError([.eofDuringHandshake])
    }
}
