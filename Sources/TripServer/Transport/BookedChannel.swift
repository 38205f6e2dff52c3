import HummingbirdCore
import Logging
import NIOCore

/// Connections that stand in a book.
struct BookedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let book: ConnectionBook

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        guard let entry = book.enter(channel) else {
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(HearingHandler(entry))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
