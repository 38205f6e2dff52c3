import NIOCore
import NIOPosix
import Testing

@testable import TripServer

/// A server of one thread on this machine, whose connections a test prepares, and another thread for who comes.
struct LoopbackServer {
    let book = ConnectionBook(countMax: 10, addressCountMax: 0)
    private let servers = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let clients = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Listens at a port of the system's choice, and gives each connection its entry in the book and handlers.
    func listen(
        _ handlers: @escaping @Sendable (any Channel, ConnectionBook.Entry) -> [any ChannelHandler]
    ) async throws -> any Channel {
        try await ServerBootstrap(group: servers)
            .childChannelInitializer { [book] channel in
                let place = book.enter(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(handlers(channel, place))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Connects to it.
    ///
    /// - Parameters:
    ///   - server: What listens.
    ///   - reads: Whether anything is read before it is asked for.
    ///   - handlers: What hears it.
    /// - Returns: The client's end.
    /// - Throws: What the system says of the connection.
    func connect(
        to server: any Channel,
        reads: Bool = true,
        _ handlers: @escaping @Sendable () -> [any ChannelHandler] = { [] }
    ) async throws -> any Channel {
        try await ClientBootstrap(group: clients)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(handlers())
                }
            }
            .connect(to: #require(server.localAddress)).get()
    }

    /// Ends its threads, and every connection with them.
    func end() async throws {
        try await clients.shutdownGracefully()
        try await servers.shutdownGracefully()
    }
}
