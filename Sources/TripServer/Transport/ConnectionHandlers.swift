import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL

/// Asks for an end without TLS's closing message: a silent client does not answer that either.
struct CloseAtOnce: Sendable {}

/// Ends a connection at once where that is asked for, or where the client does not take what is
/// written; it stands before TLS.
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

    /// The client took nothing of what is written for too long.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? IdleStateHandler.IdleStateEvent, event == .write else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        context.close(promise: nil)
    }
}

/// Notes in the registry the progress of a connection: whole requests, and whole answers.
///
/// An answer that no route has seen, to what is no HTTP, gets the headers of all others here, and
/// its text from ``RequestValidation``.
final class ProgressHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let registry: ConnectionRegistry
    private let fields: [(HTTPField.Name, String)]
    private var entry: ConnectionRegistry.Entry?

    /// - Parameters:
    ///   - registry: Where it notes it.
    ///   - fields: The headers of every answer.
    init(_ registry: ConnectionRegistry, fields: [(HTTPField.Name, String)]) {
        (self.registry, self.fields) = (registry, fields)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        entry = registry.entry(of: context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { entry?.noteRequest() }
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
            guard let entry else {
                context.write(data, promise: promise)
                return
            }
            // Until then the answer waits for a client that reads slowly.
            let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.whenSuccess { entry.noteAnswer() }
            context.write(data, promise: sent)
        default: context.write(data, promise: promise)
        }
    }
}

/// Stands right behind TLS, and counts handshakes that fail.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let handshakes: FailedHandshakes

    /// - Parameter handshakes: Where it counts them.
    init(_ handshakes: FailedHandshakes) { self.handshakes = handshakes }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let fault = error as? NIOSSLError, Self.isFailure(fault) { handshakes.note() }
        context.fireErrorCaught(error)
    }

    /// Whether a handshake failed; a client that closes before its end, as a port scan does, failed
    /// at nothing.
    private static func isFailure(_ fault: NIOSSLError) -> Bool {
        guard case .handshakeFailed(let cause) = fault else { return false }
        return cause != .sslError([.eofDuringHandshake])
    }
}

/// Stands behind TLS, and hands on what is short in a buffer of its own length.
///
/// TLS reads into a buffer for two records, 32 KB. Where the decoder of a head or a form still
/// holds that, TLS copies all of it before it reads on: a byte now and then costs a thousand times
/// what is read, and as much memory.
final class CompactingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Up to which length, in bytes; what is longer fills a good part of the buffer.
    static let lengthMax = 8 << 10

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let read = unwrapInboundIn(data)
        guard read.readableBytes <= Self.lengthMax else {
            context.fireChannelRead(data)
            return
        }
        context.fireChannelRead(wrapInboundOut(ByteBuffer(buffer: read)))
    }
}

/// Connections that are registered, are answered on their own thread, and end where the client does
/// not take what is written.
struct RegisteredChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let registry: ConnectionRegistry
    /// The host names it answers for; nil for any, where a certificate names them.
    var hosts: HostNames?

    /// How long a client may take nothing: some more than connections may be idle, which says less
    /// of them.
    private static var writeTimeout: TimeAmount { .seconds(40) }
    /// What the system holds for a slow client, in bytes, of which it makes twice as many: an
    /// answer, and no queue of them.
    private static var sendBufferSize: SocketOptionValue { 32 << 10 }
    /// What may wait beside that, in bytes, before an answer's next piece does: less than one.
    private static var waterMark: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: 4 << 10, high: 8 << 10)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        registry.enter(channel)
        return channel.setOption(.socketOption(.so_sndbuf), value: Self.sendBufferSize)
            .flatMap { channel.setOption(.writeBufferWaterMark, value: Self.waterMark) }
            .flatMapThrowing {
                try channel.pipeline.syncOperations.addHandlers([
                    IdleStateHandler(writeTimeout: Self.writeTimeout), EndingHandler(),
                ])
            }.flatMap {
                base.setup(channel: channel, logger: logger)
            }.flatMapThrowing { value in
                try RequestValidation.add(
                    to: channel.pipeline.syncOperations,
                    hosts: hosts,
                    registry: registry
                )
                return value
            }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// HTTP/1.1 within TLS 1.3, under the certificate that is in force when a connection is opened.
struct SecureChannel: ServerChildChannel {
    let base: HTTP1Channel
    let certificate: Certificate
    /// Counts handshakes that fail.
    let handshakes: FailedHandshakes

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                NIOSSLServerHandler(context: certificate.context),
                HandshakeHandler(handshakes), CompactingHandler(),
            ])
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

/// Runs the requests of a connection on the thread that reads and writes for it.
///
/// A request then never waits for another thread to wake up: neither to be answered nor for its
/// answer to be sent. What takes long runs elsewhere: files and passwords in their
/// ``BoundedQueue``, accounts on the thread of their store.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// - Parameter loop: The connection's.
    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
