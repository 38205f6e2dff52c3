import Glibc
import NIOCore

/// The socket that a server listens with, which the library opens and does not hand out: found among the open files.
struct ListeningSocket {
    private let descriptor: Int32

    /// How many descriptors are looked at: a server opens its socket while it has few others.
    private static let descriptorsMax: Int32 = 65_536

    /// Finds the one that listens at a port; nil where there is none.
    init?(port: Int) {
        for descriptor in 0..<Self.descriptorsMax
        where Self.isListening(descriptor) && Self.port(of: descriptor) == port {
            self.descriptor = descriptor
            return
        }
        return nil
    }

    /// Has the system keep so many connections at most that wait to be taken in; those that wait already stay.
    ///
    /// - Precondition: The server has not closed it.
    func keep(waiting count: Int) { _ = listen(descriptor, Int32(clamping: count)) }

    /// How many wait to be taken in; nil where the system does not say.
    ///
    /// - Precondition: The server has not closed it.
    var waitingCount: Int? {
        // TCP says it here of a socket that listens.
        tcp_info(descriptor: descriptor).map { Int($0.tcpi_unacked) }
    }

    /// How often somebody has found no place among those who wait, since it was opened; it starts from 0 again after 2³².
    ///
    /// Each try counts, and so does a segment that no connection begins with, such as what is left of one that was broken off. nil
    /// where the system does not say.
    ///
    /// - Precondition: The server has not closed it.
    var missedCount: UInt32? {
        var figures = [UInt32](repeating: 0, count: Self.dropsIndex + 1)
        var size = socklen_t(MemoryLayout<UInt32>.size * figures.count)
        guard getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &figures, &size) == 0,
            Int(size) == MemoryLayout<UInt32>.size * figures.count
        else { return nil }
        return figures[Self.dropsIndex]
    }

    /// SK_MEMINFO_DROPS of linux/sock_diag.h.
    private static let dropsIndex = 8

    /// Closes those who wait to be taken in, from the head of the queue to the first who is still there and has not waited for too
    /// long; that one as well, since nobody can be looked at without being taken out.
    ///
    /// - Parameters:
    ///   - limit: What is not too long.
    ///   - countMax: How many are closed at most, so that whoever comes meanwhile does not make it go on.
    /// - Returns: How many were closed.
    /// - Complexity: O(*n*) for *n* who are closed.
    /// - Precondition: The server has not closed it, and takes nobody in meanwhile.
    func closeThose(whoWaited limit: TimeAmount, atMost countMax: Int) -> Int {
        for count in 0..<max(0, countMax) {
            let newcomer = accept(descriptor, nil, nil)
            guard newcomer >= 0 else { return count }
            let presence = Presence(descriptor: newcomer)
            close(newcomer)
            guard presence.hasLeft || presence.unanswered > limit else { return count + 1 }
        }
        return max(0, countMax)
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
    }

    private static func port(of descriptor: Int32) -> Int? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes -> Int? in
            let isKnown = bytes.withMemoryRebound(to: sockaddr.self) { address in
                address.baseAddress.map { getsockname(descriptor, $0, &size) == 0 } ?? false
            }
            let kind = bytes.load(as: sa_family_t.self)
            guard isKnown, kind == sa_family_t(AF_INET) || kind == sa_family_t(AF_INET6) else {
                return nil
            }
            // It stands at the same place in addresses of both kinds.
            return Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }
}
