import HummingbirdCore
import Logging
import NIOCore

/// Connections that stand in a book, are answered on their own thread, and end where what is written to them is not taken.
struct BookedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let book: ConnectionBook
    /// The names by which it may be asked; nil for any, where a certificate names them.
    var hosts: HostNames?

    /// How long a reader may take nothing: some more than connections may be idle, which says less of them.
    private static var writeTimeout: TimeAmount { .seconds(40) }
    /// What the system holds for a reader that takes its time, in bytes, of which it makes twice as many: an answer, and no queue of them.
    private static var sendBufferSize: SocketOptionValue { 32 << 10 }
    /// What may wait beside that, in bytes, before an answer's next piece does: less than one.
    private static var waterMark: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: 4 << 10, high: 8 << 10)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        book.enter(channel)
        return channel.setOption(.socketOption(.so_sndbuf), value: Self.sendBufferSize)
            .flatMap { channel.setOption(.writeBufferWaterMark, value: Self.waterMark) }
            .flatMapThrowing {
                try channel.pipeline.syncOperations.addHandlers([
                    IdleStateHandler(writeTimeout: Self.writeTimeout), EndingHandler(),
                ])
            }.flatMap {
                base.setup(channel: channel, logger: logger)
            }.flatMapThrowing { value in
                try RequestGate.add(
                    to: channel.pipeline.syncOperations,
                    hosts: hosts,
                    book: book
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
