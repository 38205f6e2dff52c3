import Glibc
import NIOCore
import NIOPosix

/// What the system knows of whoever is at the other end of a connection.
struct Presence {
    /// How long nothing was sent to them: since they are connected, where nothing was yet.
    var unanswered = TimeAmount.zero
    /// Whether they have left, or have said that they send nothing more.
    var hasLeft = false
    /// Whether all that was sent to them has arrived, though they may have left since.
    ///
    /// Known by what they have acknowledged, and false where they broke off. What the system has not sent yet, since they take
    /// nothing, does not count.
    var hasAll = true

    /// TCP's numbers of a connection that both sides keep open, and of one that the other end has closed.
    private static let (established, closeWait): (UInt8, UInt8) = (1, 8)

    /// What it says of a connection; that somebody is there where it says nothing.
    private init(_ said: tcp_info?) {
        guard let said else {
            self.init(state: Self.established, unacknowledged: 0)
            return
        }
        self.init(state: said.tcpi_state, unacknowledged: said.tcpi_unacked)
        unanswered = .milliseconds(Int64(said.tcpi_last_data_sent))
    }

    /// What follows from TCP's state, and from how many of the segments that were sent are not acknowledged.
    init(state: UInt8, unacknowledged: UInt32) {
        hasLeft = state != Self.established
        hasAll = unacknowledged == 0 && [Self.established, Self.closeWait].contains(state)
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
