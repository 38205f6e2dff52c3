import HummingbirdCore
import Logging
import NIOCore

/// Connections of which each address has some and no more.
struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let counts: ConnectionCounts

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        guard counts.admit(channel) else {
            // Nothing is said: whoever opens this many does not read it.
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
