import NIOCore
import NIOPosix

/// What the system knows of whoever is at the other end of a connection.
struct Presence {
    /// How long nothing was sent to them: since they are connected, where nothing was yet.
    var unanswered = TimeAmount.zero
    /// Whether they have left, or have said that they send nothing more.
    var hasLeft = false

    /// TCP's number of a connection that both sides keep open.
    private static let established: UInt8 = 1

    /// What it says now.
    ///
    /// - Parameter channel: The connection.
    /// - Returns: What it says; that they are there where it says nothing. On the connection's own thread it is there at once.
    static func of(_ channel: any Channel) -> EventLoopFuture<Presence> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(Presence())
        }
        return provider.getTCPInfo().map { said in
            Presence(
                unanswered: .milliseconds(Int64(said.tcpi_last_data_sent)),
                hasLeft: said.tcpi_state != established
            )
        }.recover { _ in Presence() }
    }
}
