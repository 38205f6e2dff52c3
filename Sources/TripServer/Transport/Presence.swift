import Glibc
import NIOCore
import NIOPosix

/// What the system knows of whoever is at the other end of a connection.
struct Presence {
    /// How long nothing was sent to them: since they are connected, where nothing was yet.
    var unanswered = TimeAmount.zero
    /// Whether they have left, or have said that they send nothing more.
    var hasLeft = false
    /// Whether all that was sent to them has arrived, though they may have left since: known by what they have acknowledged, and
    /// false where they broke off.
    var hasAll = true

    /// TCP's numbers of a connection that both sides keep open, and of one that the other end has closed.
    private static let (established, closeWait): (UInt8, UInt8) = (1, 8)

    /// What it says of a connection; that somebody is there where it says nothing.
    private init(_ said: tcp_info?) {
        guard let said else { return }
        unanswered = .milliseconds(Int64(said.tcpi_last_data_sent))
        hasLeft = said.tcpi_state != Self.established
        hasAll =
            said.tcpi_unacked == 0
            && [Self.established, Self.closeWait].contains(said.tcpi_state)
    }

    /// What it says now.
    ///
    /// - Parameter descriptor: The connection, as the system numbers it.
    init(descriptor: Int32) { self.init(tcp_info(descriptor: descriptor)) }

    /// What it says now.
    ///
    /// - Parameter channel: The connection.
    /// - Returns: What it says. On the connection's own thread it is there at once.
    static func of(_ channel: any Channel) -> EventLoopFuture<Presence> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(Presence(nil))
        }
        return provider.getTCPInfo().map { Presence($0) }.recover { _ in Presence(nil) }
    }
}

extension tcp_info {
    /// What the system says of a socket of TCP; nil where it says nothing.
    init?(descriptor: Int32) {
        self.init()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &self, &size) == 0 else {
            return nil
        }
    }
}
