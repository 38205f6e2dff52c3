import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

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
