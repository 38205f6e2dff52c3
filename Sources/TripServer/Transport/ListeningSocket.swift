import Glibc

/// The socket that a server listens with, which the library opens and does not hand out: found among the open files.
struct ListeningSocket {
    private let descriptor: Int32

    /// Finds the one that listens at a port; nil where there is none.
    ///
    /// - Complexity: O(*n*) for *n* files that may be open.
    init?(port: Int) {
        for descriptor in 0..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
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
